import type { SelectQueryBuilder } from "kysely";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { assertRolloutReadable, rolloutNotFound } from "#lib/server/people/permission/read-scope.ts";
import { isAddress } from "#lib/server/platform/db/conditions.ts";
import { type RowOf, readRow } from "#lib/server/platform/db/run-query.ts";
import { type Scope, tables } from "#lib/server/platform/db/tables.ts";
import type { StoreContext } from "#lib/server/process/store-context.ts";

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
  assertRolloutReadable(actor.rights, path);
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
