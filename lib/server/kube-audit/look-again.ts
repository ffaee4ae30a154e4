import { sql } from "kysely";
import type { PoolClient } from "pg";
import { clockToleranceMs } from "#lib/domain/kube-audit/find-sender.ts";
import { clockTime, secondsAfter, secondsBefore } from "#lib/server/platform/db/database-time.ts";
import { write } from "#lib/server/platform/db/run-query.ts";
import { listed, tables } from "#lib/server/platform/db/tables.ts";

type NewWrite = { kind: string; namespace: string; name: string; version_after: string | null; stage_at: Date };

const writeTypes = {
  kind: "text",
  namespace: "text",
  name: "text",
  version_after: "text",
  stage_at: "timestamptz",
} as const;

const toleranceSeconds = clockToleranceMs / 1000;

/**
 * Makes open changes due whose object was written by one of these writes, if it may have made them. An entry that is
 * being written meanwhile does not have it yet: its first looks follow soon anyway.
 */
export async function lookAgain(
  tx: PoolClient,
  { cluster, writes }: { cluster: string; writes: readonly NewWrite[] },
): Promise<void> {
  if (writes.length === 0) return;
  const affected = tables
    .selectFrom("unasked_change as t")
    .innerJoin(listed("w", writes, writeTypes), (join) =>
      join.onRef("w.kind", "=", "t.kind").onRef("w.namespace", "=", "t.namespace").onRef("w.name", "=", "t.name"),
    )
    .select("t.audit_seq")
    .where("t.cluster", "=", cluster)
    .where("t.state", "=", "open")
    .where(({ between, eb, or, ref }) =>
      or([
        eb("w.version_after", "=", ref("t.version_after")),
        between(
          "w.stage_at",
          secondsBefore(ref("t.window_from"), toleranceSeconds),
          secondsAfter(ref("t.window_to"), toleranceSeconds),
        ),
      ]),
    )
    // In one order, so that two processes cannot deadlock.
    .orderBy("t.audit_seq")
    .forUpdate("t");
  const due = await write(
    tx,
    tables
      .updateTable("unasked_change")
      .set({ look_at: clockTime })
      .where("audit_seq", "in", ({ selectFrom }) => selectFrom(affected.as("a")).select("a.audit_seq")),
  );
  // Wakes the recorder, which looks for the people behind them.
  if (due > 0) await write(tx, sql`SELECT pg_notify('gatehouse_change', '')`);
}
