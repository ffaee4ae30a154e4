import type { Pool } from "pg";
import { isProtective, rolloutActions } from "#lib/domain/acting/action-catalogue.ts";
import { endUndone } from "#lib/server/acting/schedule/end-scheduled.ts";
import { secondsBefore, transactionTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { textAt } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

/** The person may have seen the cluster itself: the record gets this long to follow. */
const followSeconds = 30;

const protective = rolloutActions.filter(isProtective);

/**
 * Finds requests whose rollout has changed since, or on which a person has acted since. A protective one stays as long
 * as the version does, as at a click.
 */
const selectChanged = tables
  .selectFrom("scheduled_action as s")
  .innerJoin("rollout as r", "r.id", "s.rollout_id")
  .select((eb) => [
    "s.id",
    eb
      .exists(
        eb
          .selectFrom("action as a")
          .select("a.id")
          .whereRef("a.rollout_id", "=", "s.rollout_id")
          .whereRef("a.requested_at", ">", "s.requested_at")
          .where("a.intent_seq", "is not", null),
      )
      .$castTo<boolean>()
      .as("acted"),
    eb
      .or([
        eb("r.presence", "<>", "live"),
        eb("r.uid", "is distinct from", eb.fn.coalesce(textAt(eb.ref("s.expect"), "uid"), "r.uid")),
        eb(
          "r.revision_key",
          "is distinct from",
          eb.fn.coalesce(textAt(eb.ref("s.expect"), "revisionKey"), "r.revision_key"),
        ),
        eb.and([
          eb("s.action", "not in", protective),
          eb("r.view_digest", "is distinct from", textAt(eb.ref("s.expect"), "viewDigest")),
        ]),
      ])
      .$castTo<boolean>()
      .as("changed"),
  ])
  .where("s.state", "=", "pending")
  .where("s.requested_at", "<", secondsBefore(transactionTime, followSeconds));

/** Ends pending requests that nothing could come of any more, with an entry for each. Returns how many. */
export async function supersedeChanged(pool: Pool): Promise<number> {
  const found = await readRows(
    pool,
    tables
      .selectFrom(selectChanged.as("f"))
      .selectAll()
      .where((eb) => eb.or([eb("f.acted", "=", true), eb("f.changed", "=", true)]))
      .limit(100),
  );
  let ended = 0;
  for (const { id, acted } of found) {
    const row = await prismaOn(pool).scheduledAction.findFirst({ where: { id } });
    const message = acted
      ? "Not done: another action was requested on the rollout meanwhile."
      : "Not done: the rollout changed since it was requested.";
    if (row !== null && (await endUndone({ pool, row, end: { state: "superseded", message } }))) ended += 1;
  }
  return ended;
}
