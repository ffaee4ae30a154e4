import { type Expression, sql } from "kysely";
import type { AuditStreamStatus } from "#lib/contract/system.ts";
import type { AuditStreamConfig } from "#lib/server/platform/config/audit-stream-schema.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { clockTime } from "#lib/server/platform/db/database-time.ts";
import { type Connection, readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

const secondsSince = (time: Expression<Date | null>) =>
  sql<number | null>`extract(epoch FROM ${clockTime} - ${time})::float8`;

/** Reads how far each stream of the config has come, by the database's clock. */
export async function readStreamStates(
  pool: Connection,
  streams: readonly AuditStreamConfig[],
): Promise<AuditStreamStatus[]> {
  if (streams.length === 0) return [];
  const names = streams.map(({ name }) => name);
  const newest = await readRow(
    pool,
    tables.selectFrom("audit_entry").select("audit_entry.seq").orderBy("audit_entry.seq", "desc").limit(1),
  );
  const rows = await readRows(
    pool,
    tables
      .selectFrom("audit_stream as s")
      .leftJoin("audit_entry as next", (join) => join.on("next.seq", "=", ({ eb }) => eb("s.seq", "+", "1")))
      .select(["s.name", "s.seq", "s.error", "s.failing_since"])
      .select(({ ref }) => [
        secondsSince(ref("next.time")).as("waiting_seconds"),
        secondsSince(ref("s.failing_since")).as("failing_seconds"),
      ])
      .where(({ ref }) => isOneOf(ref("s.name"), names)),
  );
  const newestSeq = Number(newest?.seq ?? 0);
  return streams.map(({ name, type }) => {
    const row = rows.find((each) => each.name === name);
    const unknown = { name, type, seq: null, newestSeq, lagSeconds: null, failingSince: null, error: null };
    if (row === undefined) return unknown;
    const { error, failing_since: failingSince, waiting_seconds: waiting, failing_seconds: failing } = row;
    return {
      ...{ name, type, newestSeq, error },
      seq: Number(row.seq),
      lagSeconds: Math.max(0, waiting ?? failing ?? 0),
      failingSince: failingSince?.toISOString() ?? null,
    };
  });
}
