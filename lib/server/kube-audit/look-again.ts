import { type SqlBool, sql } from "kysely";
import type { PoolClient } from "pg";
import { clockToleranceMs } from "#lib/domain/kube-audit/find-sender.ts";
import { clockTime } from "#lib/server/platform/db/database-time.ts";
import { write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

type NewWrite = { kind: string; namespace: string; name: string; version_after: string | null; stage_at: Date };

const tolerance = sql`make_interval(secs => ${clockToleranceMs / 1000})`;

/**
 * Makes open changes due whose object was written by one of these writes, if it may have made them. An entry that is
 * being written meanwhile does not have it yet: its first looks follow soon anyway.
 */
export async function lookAgain(
  tx: PoolClient,
  { cluster, writes }: { cluster: string; writes: readonly NewWrite[] },
): Promise<void> {
  if (writes.length === 0) return;
  const list = sql<NewWrite>`unnest(${writes.map(({ kind }) => kind)}::text[],
    ${writes.map(({ namespace }) => namespace)}::text[], ${writes.map(({ name }) => name)}::text[],
    ${writes.map((each) => each.version_after)}::text[],
    ${writes.map((each) => each.stage_at.toISOString())}::timestamptz[])`.as<"w">(
    sql`w (kind, namespace, name, version_after, stage_at)`,
  );
  const affected = tables
    .selectFrom("change_attribution as t")
    .innerJoin(list, (join) =>
      join.onRef("w.kind", "=", "t.kind").onRef("w.namespace", "=", "t.namespace").onRef("w.name", "=", "t.name"),
    )
    .select("t.audit_seq")
    .where("t.cluster", "=", cluster)
    .where("t.state", "=", "open")
    .where(
      ({ ref }) => sql<SqlBool>`(${ref("w.version_after")} = ${ref("t.version_after")} OR ${ref("w.stage_at")}
        BETWEEN ${ref("t.window_from")} - ${tolerance} AND ${ref("t.window_to")} + ${tolerance})`,
    )
    // In one order, so that two processes cannot deadlock.
    .orderBy("t.audit_seq")
    .forUpdate("t");
  await write(
    tx,
    tables
      .updateTable("change_attribution")
      .set({ look_at: clockTime })
      .where("audit_seq", "in", ({ selectFrom }) => selectFrom(affected.as("a")).select("a.audit_seq")),
  );
}
