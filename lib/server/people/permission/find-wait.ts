import type { Expression, SelectQueryBuilder, SqlBool } from "kysely";
import { formatObjectRef, type ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { mayRead } from "#lib/domain/policy/rights.ts";
import type { StoreContext } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { type RowOf, readRow } from "#lib/server/platform/db/run-query.ts";
import { fragment, type Scope, tables } from "#lib/server/platform/db/tables.ts";

const selectWaits = tables
  .selectFrom("rollout as r")
  .select(["r.id", "r.cluster", "r.namespace", "r.kind", "r.name", "r.presence", "r.view_digest"])
  .select(["r.attention_reason", "r.attention_since", "r.attention_severity"]);

/** The address of a rollout and what it waits for. */
export type WaitRow = RowOf<typeof selectWaits>;

/**
 * Finds what the rollout at this address waits for: the one that the cluster has, else the one seen last. Throws
 * `not_found`, also for one that the actor may not see.
 */
export function findWait(ctx: StoreContext, path: ObjectRef): Promise<WaitRow> {
  return readRolloutAt(ctx, { path, query: selectWaits });
}

/** Reads the rollout `r` of this query that `findWait` would choose. Throws as it does. */
export async function readRolloutAt<Row>(
  { runtime, actor }: StoreContext,
  { path, query }: { path: ObjectRef; query: SelectQueryBuilder<Scope<{ r: "rollout" }>, "r", Row> },
): Promise<Row> {
  if (!mayRead(actor.rights, path)) throw rolloutNotFound(path);
  const row = await readRow(
    runtime.pool,
    query
      .where(isAddress(path))
      .orderBy((eb) => eb("r.presence", "=", "deleted"))
      .orderBy("r.first_seen_at", "desc")
      .limit(1),
  );
  if (row === undefined) throw rolloutNotFound(path);
  return row;
}

/** For a rollout that the actor may not see, too: its existence is not revealed to every caller. */
export function rolloutNotFound(path: ObjectRef): ServiceError {
  return new ServiceError("not_found", `There is no rollout ${formatObjectRef(path)}.`);
}

const rollout = fragment<{ r: "rollout" }>();

/** Returns the condition that rollout `r` has this address. */
export function isAddress({ cluster, namespace, kind, name }: ObjectRef): Expression<SqlBool> {
  return rollout.and([
    rollout("r.cluster", "=", cluster),
    rollout("r.namespace", "=", namespace),
    rollout(rollout.ref("r.kind").$castTo<string>(), "=", kind),
    rollout("r.name", "=", name),
  ]);
}
