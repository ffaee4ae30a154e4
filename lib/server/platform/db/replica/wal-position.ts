import { sql } from "kysely";
import { type Connection, readRow } from "#lib/server/platform/db/run-query.ts";

/** A place in the write-ahead log. After a fail-over the log continues under the number of another timeline. */
export type WalPosition = { lsn: bigint; timeline: number };

/** How far a server has replayed, by its own account; a primary replays nothing. */
export type ReplayState = { isStandby: boolean; position: WalPosition | undefined };

/**
 * Reads how far the primary has written. Every commit that a session has seen by then is before this place: its record
 * is inserted before others see it, also with `synchronous_commit = off`. Hence not the place up to which the log is
 * flushed. Throws on a standby.
 */
export async function readWalPosition(connection: Connection): Promise<WalPosition> {
  const row = await readRow(
    connection,
    sql<{ lsn: string; timeline: string }>`
      SELECT pg_current_wal_insert_lsn()::text AS lsn,
        substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) AS timeline`,
  );
  if (row === undefined) throw new Error("the place in the write-ahead log could not be read");
  return { lsn: parseLsn(row.lsn), timeline: Number.parseInt(row.timeline, 16) };
}

/**
 * Reads how far a standby has replayed. Everything committed before that place is visible to the next statement on this
 * connection. The timeline is that of the server's control file, which is late after a fail-over, never early: it names
 * a timeline only after some of that timeline's records were replayed.
 */
export async function readReplayState(
  connection: Connection,
  { answerWithinMs }: { answerWithinMs: number },
): Promise<ReplayState> {
  const row = await readRow(
    connection,
    sql<{ standby: boolean; lsn: string | null; timeline: number | null }>`
      SELECT pg_is_in_recovery() AS standby, pg_last_wal_replay_lsn()::text AS lsn,
        (pg_control_recovery()).min_recovery_end_timeline AS timeline`,
    { answerWithinMs },
  );
  if (row === undefined) throw new Error("the state of the standby could not be read");
  const { standby, lsn, timeline } = row;
  const position = lsn === null || timeline === null ? undefined : { lsn: parseLsn(lsn), timeline };
  return { isStandby: standby, position };
}

/** Returns whether a standby at `replayed` shows everything that the primary had committed at `wanted`. */
export function hasReached(replayed: WalPosition | undefined, wanted: WalPosition): boolean {
  return replayed !== undefined && replayed.timeline === wanted.timeline && replayed.lsn >= wanted.lsn;
}

/** Parses PostgreSQL's form, two hexadecimal halves such as `16/B374D848`. */
export function parseLsn(text: string): bigint {
  const match = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text);
  if (match === null) throw new Error(`not a place in the write-ahead log: ${text}`);
  return (BigInt(`0x${match[1]}`) << 32n) + BigInt(`0x${match[2]}`);
}
