import type { Pool } from "pg";
import { z } from "zod";
import { ChangeEvent } from "#lib/contract/system.ts";

/** A position in the change log. Ordered by transaction, then id: an id by itself would lose rows that commit late. */
export type ChangeCursor = { xid: bigint; id: bigint };
/**
 * Where the changed object is; null for what belongs to no cluster. `name` is that of its rollout, or of the top owner
 * if it has no rollout; null if there is none, or none known yet.
 */
export type ChangePlace = { cluster: string | null; namespace: string | null; name: string | null };
export type Change = { cursor: ChangeCursor; event: ChangeEvent; place: ChangePlace };

export function compareCursors(left: ChangeCursor, right: ChangeCursor): number {
  if (left.xid !== right.xid) return left.xid < right.xid ? -1 : 1;
  if (left.id !== right.id) return left.id < right.id ? -1 : 1;
  return 0;
}

export function formatCursor({ xid, id }: ChangeCursor): string {
  return Buffer.from(`${xid}.${id}`).toString("base64url");
}

const maxBigint = 2n ** 63n;

/** Parses a cursor; returns undefined for text that we never issued. */
export function parseCursor(text: string): ChangeCursor | undefined {
  if (text.length > 80) return undefined;
  const match = /^(\d{1,20})\.(\d{1,19})$/.exec(Buffer.from(text, "base64url").toString("latin1"));
  if (match === null) return undefined;
  const cursor = { xid: BigInt(match[1] ?? ""), id: BigInt(match[2] ?? "") };
  if (cursor.xid >= maxBigint || cursor.id >= maxBigint) return undefined;
  return formatCursor(cursor) === text ? cursor : undefined;
}

const Row = z.object({
  xid: z.string(),
  id: z.string(),
  kind: z.string(),
  ref: z.string(),
  op: z.string(),
  cluster: z.string().nullable(),
  namespace: z.string().nullable(),
  name: z.string().nullable(),
});

export type ChangeBatch = {
  changes: Change[];
  /** Position after the last row read, whether or not that row was a change that readers know. */
  cursor: ChangeCursor;
  isFull: boolean;
  /** Lowest transaction that may still commit: everything below is settled, and was read. */
  horizon: bigint;
  /** Rows are committed that cannot be read yet, because an older transaction still runs. */
  hasPending: boolean;
};

/**
 * Reads committed rows after the cursor that no running transaction can still precede, in order. The whole result is
 * from one snapshot. Two statements would have two snapshots, and a row that settles in between could count as already
 * delivered.
 */
export async function readChanges({
  pool,
  after,
  limit = 1000,
}: {
  pool: Pool;
  after: ChangeCursor;
  limit?: number;
}): Promise<ChangeBatch> {
  const { rows } = await pool.query(
    `WITH horizon AS (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS settled)
     SELECT settled::text AS horizon, EXISTS (SELECT FROM change_log WHERE xid >= settled) AS pending,
       c.xid::text AS xid, c.id::text AS id, c.kind, c.ref, c.op, c.cluster, c.namespace, c.name
     FROM horizon LEFT JOIN LATERAL (
       SELECT xid, id, kind, ref, op, cluster, namespace, name FROM change_log
       WHERE (xid, id) > ($1::xid8, $2::bigint) AND xid < settled ORDER BY xid, id LIMIT $3
     ) c ON true
     ORDER BY c.xid, c.id`,
    [after.xid.toString(), after.id.toString(), limit],
  );
  const { horizon, pending } = SnapshotRow.parse(rows[0]);
  // Without a change, the row of the snapshot is still returned.
  const parsed = rows.filter(({ xid }) => xid !== null).map((row) => Row.parse(row));
  const changes = parsed.flatMap((row) => {
    const event = ChangeEvent.safeParse({ kind: row.kind, id: row.ref, op: row.op });
    const { cluster, namespace, name } = row;
    return event.success ? [{ cursor: cursorOf(row), event: event.data, place: { cluster, namespace, name } }] : [];
  });
  const last = parsed.at(-1);
  return {
    changes,
    cursor: last === undefined ? after : cursorOf(last),
    isFull: parsed.length === limit,
    horizon: BigInt(horizon),
    hasPending: pending,
  };
}

const SnapshotRow = z.object({ horizon: z.string(), pending: z.boolean() });

export type ChangeLogState = {
  /** Lowest transaction that may still commit: everything below is settled. */
  horizon: bigint;
  oldest: ChangeCursor | undefined;
  /** Newest settled row. */
  newest: ChangeCursor | undefined;
};

export async function readChangeLogState(pool: Pool): Promise<ChangeLogState> {
  const { rows } = await pool.query(
    `WITH horizon AS (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS settled)
     SELECT settled::text AS horizon,
       (SELECT c.xid::text || '.' || c.id FROM change_log c ORDER BY c.xid, c.id LIMIT 1) AS oldest,
       (SELECT c.xid::text || '.' || c.id FROM change_log c WHERE c.xid < settled ORDER BY c.xid DESC, c.id DESC LIMIT 1) AS newest
     FROM horizon`,
  );
  const row = StateRow.parse(rows[0]);
  return {
    horizon: BigInt(row.horizon),
    oldest: splitCursor(row.oldest),
    newest: splitCursor(row.newest),
  };
}

const StateRow = z.object({
  horizon: z.string(),
  oldest: z.string().nullable(),
  newest: z.string().nullable(),
});

function splitCursor(text: string | null): ChangeCursor | undefined {
  if (text === null) return undefined;
  const [xid = "0", id = "0"] = text.split(".");
  return { xid: BigInt(xid), id: BigInt(id) };
}

function cursorOf(row: { xid: string; id: string }): ChangeCursor {
  return { xid: BigInt(row.xid), id: BigInt(row.id) };
}

/** Keeps the newest change per object, in cursor order: a reader refetches, so one is enough. */
export function dropRepeatedChanges(changes: readonly Change[]): Change[] {
  const newest = new Map<string, Change>();
  for (const change of changes) newest.set(`${change.event.kind} ${change.event.id}`, change);
  return changes.filter((change) => newest.get(`${change.event.kind} ${change.event.id}`) === change);
}
