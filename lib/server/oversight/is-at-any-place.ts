import { type SqlBool, sql } from "kysely";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import type { Condition } from "#lib/server/platform/db/conditions.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";

const { ref } = fragment<{ r: "rollout" }>();

/** Returns the condition that rollout `r` has one of these addresses; they are four array parameters, however many. */
export function isAtAnyPlace(places: readonly ObjectRef[]): Condition {
  const column = (of: keyof ObjectRef) => places.map((place) => place[of]);
  return sql<SqlBool>`(${ref("r.cluster")}, ${ref("r.namespace")}, ${ref("r.kind")}, ${ref("r.name")})
    IN (SELECT * FROM unnest(${column("cluster")}::text[], ${column("namespace")}::text[],
      ${column("kind")}::text[], ${column("name")}::text[]))`;
}
