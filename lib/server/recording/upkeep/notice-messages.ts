import type { Pool } from "pg";
import { reportingKinds } from "#lib/domain/providers.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { secondsBefore } from "#lib/server/platform/db/database-time.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { readRows, write } from "#lib/server/platform/db/run-query.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { showReported } from "#lib/server/recording/kinds/show-reported.ts";
import { writeChanges } from "#lib/server/recording/store/change-rows.ts";

const maxPerPass = 1000;

const eb = fragment<{ controller_message: "controller_message"; r: "rollout" }>();
/** As in the partial index. */
const isUnnoticed = eb.and([
  eb.not(eb.ref("controller_message.noticed")),
  eb("controller_message.rollout_id", "is not", null),
]);

/**
 * Notices what the web process has stored of controllers' messages: shows their rollouts again, and makes the runs that
 * are derived from them due. Resolves with the number of messages. Several recorders may run this at once.
 */
export async function noticeMessages(pool: Pool): Promise<number> {
  const clusters = await readRows(
    pool,
    tables.selectFrom("controller_message").select("cluster").distinct().where(isUnnoticed),
  );
  let noticed = 0;
  for (const { cluster } of clusters) noticed += await noticeOf(pool, cluster);
  return noticed;
}

async function noticeOf(pool: Pool, cluster: string): Promise<number> {
  return inTransaction(pool, async (tx) => {
    const rows = await readRows(
      tx,
      tables
        .updateTable("controller_message")
        .set({ noticed: true })
        .where("id", "in", ({ selectFrom }) =>
          selectFrom("controller_message")
            .select("id")
            .where("cluster", "=", cluster)
            .where(isUnnoticed)
            .orderBy("id")
            .limit(maxPerPass)
            .forUpdate()
            .skipLocked(),
        )
        .returning("rollout_id"),
    );
    const rolloutIds = [...new Set(rows.flatMap((row) => row.rollout_id ?? []))];
    await writeChanges(tx, await showReported(tx, { cluster, rolloutIds }));
    return rows.length;
  });
}

/**
 * Links messages that came before their rollout was recorded: it was first seen a minute later at most. Only the newest
 * messages are looked at, and the others end by age. Resolves with the number of linked messages.
 */
export async function linkMessages(pool: Pool): Promise<number> {
  const { ref } = eb;
  return write(
    pool,
    tables
      .updateTable("controller_message")
      .from("rollout as r")
      .set(({ ref }) => ({ uid: ref("r.uid"), rollout_id: ref("r.id") }))
      .where("controller_message.id", "in", ({ selectFrom }) =>
        selectFrom("controller_message")
          .select("id")
          .where("rollout_id", "is", null)
          .orderBy("id", "desc")
          .limit(maxPerPass),
      )
      .where("controller_message.rollout_id", "is", null)
      .whereRef("r.cluster", "=", "controller_message.cluster")
      .whereRef("r.namespace", "=", "controller_message.namespace")
      .whereRef("r.name", "=", "controller_message.name")
      .where(isOneOf(ref("r.kind").$castTo<string>(), reportingKinds))
      .where("r.presence", "=", "live")
      .where("controller_message.received_at", ">", secondsBefore(ref("r.first_seen_at"), 60)),
  );
}
