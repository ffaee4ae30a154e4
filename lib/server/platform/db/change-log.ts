import { type Selectable, sql } from "kysely";
import type { Pool } from "pg";
import { ChangeEvent } from "#lib/contract/system.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import type { Tables } from "#lib/server/platform/db/generated/tables.ts";
import { readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { fragment, tableName } from "#lib/server/platform/db/tables.ts";

/** A position in the change log. Ordered by transaction, then id: an id by itself would lose rows that commit late. */
export type ChangeCursor = { xid: bigint; id: bigint };
/**
 * The place of the changed object; null for objects that belong to no cluster. `kind` and `name` are its rollout's, or
 * its top owner's if it has no rollout; null if it has neither, or neither is known yet.
 */
export type ChangePlace = {
  cluster: string | null;
  namespace: string | null;
  kind: string | null;
  name: string | null;
};
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

const { ref } = fragment<{ c: "change_log" }>();
const log = sql`${tableName("change_log")} AS c`;
/** The one column without a checked name: neither generator supports its type, `xid8`. */
const xid = sql.ref("c.xid");
const position = sql`(${xid}, ${ref("c.id")})`;
const cursorText = sql`${xid}::text || '.' || ${ref("c.id")}`;

type LoggedRow = { xid: string } & Pick<
  Selectable<Tables["change_log"]>,
  "id" | "kind" | "ref" | "op" | "cluster" | "namespace" | "object_kind" | "name"
>;
type SnapshotRow = { next: string; pending: boolean } & (LoggedRow | { xid: null });

/**
 * `settled`: every transaction of this database below it has ended. `next`: no transaction has that id yet.
 *
 * A snapshot names the running transactions of the whole server. Those of other databases can never write to the log,
 * and may run for hours. If the database of a transaction is not known (it has just ended, or it is prepared), it counts
 * as ours.
 */
const horizon = sql`
  SELECT pg_snapshot_xmax(pg_current_snapshot()) AS next, coalesce((
    SELECT running FROM pg_snapshot_xip(pg_current_snapshot()) AS running
    WHERE running::xid NOT IN (
      SELECT transactionid FROM pg_locks JOIN pg_stat_activity AS backend USING (pid)
      WHERE locktype = 'transactionid' AND mode = 'ExclusiveLock' AND granted
        AND backend.datid <> (SELECT oid FROM pg_database WHERE datname = current_database())
    )
    ORDER BY running LIMIT 1
  ), pg_snapshot_xmax(pg_current_snapshot())) AS settled`;

export type ChangeBatch = {
  changes: Change[];
  /** Position after the last row read, whether or not that row was a change that readers know. */
  cursor: ChangeCursor;
  isFull: boolean;
  /** The id of the next transaction: a cursor beyond it comes from another database (a restore). */
  next: bigint;
  /** Rows are committed that cannot be read yet, because an older transaction of this database still runs. */
  hasPending: boolean;
};

/**
 * Reads committed rows after the cursor that no running transaction can still precede, in order. The whole result is
 * from one snapshot. Two statements would have two snapshots, and a row that settles in between could count as already
 * delivered. Whether a row is pending follows from the last one: EXISTS would scan the log, by a plan that was made while
 * the log was short.
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
  const place = sql`(${after.xid.toString()}::xid8, ${after.id.toString()}::bigint)`;
  const rows = await readRows(
    pool,
    sql<SnapshotRow>`
      WITH horizon AS (${horizon})
      SELECT next::text AS next, coalesce((
          SELECT ${xid} >= settled FROM ${log} WHERE ${position} > ${place} ORDER BY ${xid} DESC, ${ref("c.id")} DESC LIMIT 1
        ), false) AS pending,
        ${xid}::text AS xid, ${ref("c.id")}, ${ref("c.kind")}, ${ref("c.ref")}, ${ref("c.op")}, ${ref("c.cluster")},
        ${ref("c.namespace")}, ${ref("c.object_kind")}, ${ref("c.name")}
      FROM horizon LEFT JOIN LATERAL (
        SELECT * FROM ${log} WHERE ${position} > ${place} AND ${xid} < settled
        ORDER BY ${xid}, ${ref("c.id")} LIMIT ${limit}
      ) c ON true
      ORDER BY ${xid}, ${ref("c.id")}`,
  );
  const [snapshot] = rows;
  if (snapshot === undefined) throw new Error("the change log could not be read");
  // Without a change, the row of the snapshot is still returned.
  const read = rows.filter((row) => row.xid !== null);
  const changes = read.flatMap((row) => {
    const event = ChangeEvent.safeParse({ kind: row.kind, id: row.ref, op: row.op, ...ownerOf(row) });
    const { cluster, namespace, object_kind: kind, name } = row;
    return event.success
      ? [{ cursor: cursorOf(row), event: event.data, place: { cluster, namespace, kind, name } }]
      : [];
  });
  const last = read.at(-1);
  return {
    changes,
    cursor: last === undefined ? after : cursorOf(last),
    isFull: read.length === limit,
    next: BigInt(snapshot.next),
    hasPending: snapshot.pending,
  };
}

const ownedKinds = new Set(["analysis-run", "experiment", "release", "audit"]);

function ownerOf({ kind, cluster, namespace, object_kind: objectKind, name }: LoggedRow): { rollout?: string } {
  if (!ownedKinds.has(kind) || cluster === null || namespace === null || objectKind === null || name === null) {
    return {};
  }
  return { rollout: formatObjectRef({ cluster, namespace, kind: objectKind, name }) };
}

export type ChangeLogState = {
  /** The id of the next transaction: a cursor beyond it comes from another database (a restore). */
  next: bigint;
  oldest: ChangeCursor | undefined;
  /** Position after all rows that are settled. */
  end: ChangeCursor;
};

export async function readChangeLogState(pool: Pool): Promise<ChangeLogState> {
  const row = await readRow(
    pool,
    sql<{ next: string; oldest: string | null; end: string }>`
      WITH horizon AS (${horizon})
      SELECT next::text AS next,
        (SELECT ${cursorText} FROM ${log} ORDER BY ${xid}, ${ref("c.id")} LIMIT 1) AS oldest,
        coalesce(
          (SELECT ${cursorText} FROM ${log} WHERE ${xid} < settled ORDER BY ${xid} DESC, ${ref("c.id")} DESC LIMIT 1),
          settled::text || '.0'
        ) AS "end"
      FROM horizon`,
  );
  if (row === undefined) throw new Error("the change log could not be read");
  const { next, oldest, end } = row;
  return { next: BigInt(next), oldest: oldest === null ? undefined : splitCursor(oldest), end: splitCursor(end) };
}

function splitCursor(text: string): ChangeCursor {
  const [xid = "0", id = "0"] = text.split(".");
  return { xid: BigInt(xid), id: BigInt(id) };
}

function cursorOf(row: Pick<LoggedRow, "xid" | "id">): ChangeCursor {
  return { xid: BigInt(row.xid), id: BigInt(row.id) };
}

/** Keeps the newest change per object, in cursor order: a reader refetches, so one is enough. */
export function dropRepeatedChanges(changes: readonly Change[]): Change[] {
  const newest = new Map<string, Change>();
  for (const change of changes) newest.set(`${change.event.kind} ${change.event.id}`, change);
  return changes.filter((change) => newest.get(`${change.event.kind} ${change.event.id}`) === change);
}
