import { type Insertable, type RawBuilder, sql } from "kysely";
import { formatObjectRef, type ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import type { Tables } from "#lib/server/platform/db/generated/tables.ts";
import { type Connection, type Query, write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

/** `object_kind` and `name` are those of the rollout it is about; null if it is not about a rollout. */
type LoggedChange = {
  kind: "approval" | "rollout" | "source" | "finding" | "freeze" | "scheduled-action" | "setting";
  /** Null if it belongs to no cluster. */
  cluster: string | null;
  namespace: string | null;
} & Pick<Insertable<Tables["change_log"]>, "ref" | "object_kind" | "name">;

/** Notifies open pages of a change, in the transaction that makes it. */
export async function logChange(connection: Connection, change: LoggedChange): Promise<void> {
  await write(connection, tables.insertInto("change_log").values({ op: "upsert", ...change }));
}

/** Notifies open pages that a rollout changed, or how people handle what it waits for. */
export function logRolloutChange(connection: Connection, path: ObjectRef): Promise<void> {
  return logChange(connection, toLogged(path));
}

/** The same for several, by one statement. */
export async function logRolloutChanges(connection: Connection, paths: readonly ObjectRef[]): Promise<void> {
  if (paths.length === 0) return;
  const values = paths.map((path) => ({ op: "upsert" as const, ...toLogged(path) }));
  await write(connection, tables.insertInto("change_log").values(values));
}

function toLogged(path: ObjectRef): LoggedChange {
  const { cluster, namespace, kind, name } = path;
  return { kind: "rollout", ref: formatObjectRef(path), cluster, namespace, object_kind: kind, name };
}

type Changed = ObjectRef & { id: string };

/**
 * Builds one statement that changes rows and writes a line of the change log for each. It affects as many rows as were
 * changed.
 */
export function withChangeLog(kind: string, change: Query<Changed>): RawBuilder<unknown> {
  return sql`WITH changed AS (${change})
    INSERT INTO change_log (kind, ref, op, cluster, namespace, object_kind, name)
    SELECT ${kind}::text, id::text, 'upsert', cluster, namespace, kind, name FROM changed`;
}
