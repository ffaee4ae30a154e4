import type { Pool } from "pg";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { clockTime, secondsBefore, transactionTime } from "#lib/server/platform/db/database-time.ts";
import { type Connection, type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { actionColumns, isUnresolved, targetUidOf } from "#lib/server/records/action-store.ts";

/**
 * This long after the row's deadline nothing that was sent can still be in flight. The deadline is 30 s after an
 * unknown outcome was written and 75 s after an intent. A PATCH hangs 34 s at most, and clients give up before.
 */
const graceSeconds = 15;
export const maxPerPass = 200;

const selectSeen = tables
  .selectFrom("action as a")
  .leftJoin("rollout as r", "r.id", "a.rollout_id")
  .leftJoin("analysis_run as n", (join) =>
    join.onRef("n.rollout_id", "=", "a.rollout_id").on((eb) => eb("n.uid", "=", targetUidOf(eb.ref("a.plan")))),
  )
  .leftJoin("experiment as e", (join) => join.on((eb) => eb("e.uid", "=", targetUidOf(eb.ref("a.plan")))))
  .select(({ fn, ref }) => [
    "a.id",
    "r.object",
    fn.coalesce(ref("n.resource_version"), ref("e.resource_version"), ref("r.resource_version")).as("version"),
    "r.resource_version as rollout_version",
  ]);

/**
 * Actions looked at longest ago come first, so that actions that never settle block no others. One without effect by
 * its deadline is due again with each change in the record of its object, and from time to time without one.
 */
const selectDue = tables
  .with(
    (cte) => cte("seen").notMaterialized(),
    () => selectSeen,
  )
  .with("unsettled", (db) =>
    db
      .selectFrom("action as a")
      .select("a.id")
      .where((eb) => eb.or([eb("a.state", "=", "applied"), isUnresolved]))
      .orderBy("a.followed_at", (order) => order.asc().nullsFirst())
      .orderBy("a.requested_at")
      .limit(maxPerPass),
  )
  .with("watched", (db) =>
    db
      .selectFrom("action as a")
      .innerJoin("seen as s", "s.id", "a.id")
      .select("a.id")
      .where("a.watch_until", "is not", null)
      .where((eb) =>
        eb.or([
          eb("a.look_at", "<=", transactionTime),
          eb("a.watch_until", "<=", transactionTime),
          eb("s.version", "is distinct from", eb.ref("a.judged_version")),
        ]),
      )
      .orderBy("a.followed_at", (order) => order.asc().nullsFirst())
      .orderBy("a.requested_at")
      .limit(maxPerPass),
  )
  .with("due", (db) => db.selectFrom("unsettled").select("id").union(db.selectFrom("watched").select("id")))
  .with("looked", (db) =>
    db.updateTable("action").set({ followed_at: clockTime }).where("id", "in", db.selectFrom("due").select("due.id")),
  )
  .selectFrom("action as a")
  .innerJoin("due", "due.id", "a.id")
  .innerJoin("seen as s", "s.id", "a.id")
  .select(actionColumns)
  .select((eb) => [
    eb.fn
      .coalesce(eb("a.deadline_at", "<", transactionTime), eb.lit(false))
      .$castTo<boolean>()
      .as("is_late"),
    eb(eb.fn.coalesce("a.deadline_at", "a.requested_at"), "<", secondsBefore(transactionTime, graceSeconds))
      .$castTo<boolean>()
      .as("is_grace_over"),
    eb.fn
      .coalesce(eb("a.watch_until", "<=", transactionTime), eb.lit(false))
      .$castTo<boolean>()
      .as("is_over"),
    eb.fn
      .coalesce(eb("a.look_at", "<=", transactionTime), eb.lit(true))
      .$castTo<boolean>()
      .as("is_look_due"),
    "s.object as recorded",
    "s.rollout_version as recorded_version",
    "s.version as seen_version",
  ])
  .orderBy("a.requested_at");

/**
 * An action that is followed. `is_late`: past the deadline by which an effect was expected. `is_over`: past the time for
 * which it is watched. `is_look_due`: the cluster itself is to be asked. `recorded`: its rollout as recorded.
 * `seen_version`: of the object that shows the effect: the rollout, or the run or Experiment that was acted on.
 */
export type Followed = RowOf<typeof selectDue>;

/** Reads the actions to look at now, and marks them as looked at. */
export async function readDueActions(connection: Connection): Promise<Followed[]> {
  return readRows(connection, selectDue);
}

export type FollowPass = {
  pool: Pool;
  clusterFor: (cluster: string) => ClusterClient | undefined;
  /** Clusters that did not answer in this pass: each is waited for only once. */
  silent: Set<string>;
  /** Called for actions that are settled without having been understood, and for failures. */
  onError?: ((error: unknown, actionId: string) => void) | undefined;
};

export type FollowOne = FollowPass & { row: Followed };
