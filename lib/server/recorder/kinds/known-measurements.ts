import type { PoolClient } from "pg";
import type { KnownMeasurement, Sequence } from "#lib/domain/delivery/sequence-measurements.ts";
import type { MeasurementRow } from "./run-rows.ts";

export type StoredContent = { finished_at: Date | null; phase: string; value: string | null; message: string };

/** A stored measurement, or one that this batch is about to store. */
export type StoredMeasurement = KnownMeasurement & {
  /** Start time with microseconds, as in the key. */
  key: string;
  superseded: boolean;
  pending?: MeasurementRow;
};

/** Changes whether rows count; nothing else in these rows is written. */
export type SupersededMark = {
  rolloutId: string;
  runUid: string;
  metric: string;
  seq: number;
  key: string;
  superseded: boolean;
};

/**
 * Returns the content that distinguishes measurements with the same number and start second. In flight there is none
 * yet.
 */
export function storedContentOf({ finished_at: finishedAt, phase, value, message }: StoredContent): string | undefined {
  return finishedAt === null ? undefined : JSON.stringify([finishedAt.getTime(), phase, value, message]);
}

/** Returns the same for a row that is to be stored. */
export function contentOfRow(row: MeasurementRow): string | undefined {
  return storedContentOf({ ...row, finished_at: row.finished_at === null ? null : new Date(row.finished_at) });
}

/**
 * Returns the start that a measurement is stored with. The cluster's times have whole seconds, so a retaken measurement
 * may share its start. It is then stored a microsecond later, which no reader sees.
 */
export function keyStartOf(startedAt: string, others: number): string {
  return others === 0
    ? startedAt
    : new Date(startedAt).toISOString().replace("Z", `${String(others).padStart(3, "0")}Z`);
}

function withMicroseconds(start: string): string {
  const [whole = "", fraction = ""] = start.replace(/Z$/, "").split(".");
  return `${whole}.${fraction.padEnd(6, "0")}Z`;
}

/**
 * Loads all measurements of one metric that are stored or about to be. Needed only if the counters contradict the list,
 * or a measurement has replaced another.
 */
export async function loadStoredMeasurements(
  tx: PoolClient,
  {
    rolloutId,
    runUid,
    metric,
    pending,
    marks,
  }: {
    rolloutId: string;
    runUid: string;
    metric: string;
    pending: readonly MeasurementRow[];
    /** Marks of this batch so far, not written yet. */
    marks: readonly SupersededMark[];
  },
): Promise<StoredMeasurement[]> {
  const { rows } = await tx.query<StoredContent & { seq: number; key: string; superseded: boolean }>(
    `SELECT seq, to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS key, finished_at, phase,
            value, message, superseded
       FROM measurement WHERE rollout_id = $1 AND run_uid = $2 AND metric = $3 ORDER BY seq, started_at`,
    [rolloutId, runUid, metric],
  );
  const found = new Map<string, StoredMeasurement>();
  for (const { seq, key, superseded, ...row } of rows)
    found.set(`${seq} ${key}`, { seq, startedAt: toMilliseconds(key), key, superseded, content: storedContentOf(row) });
  for (const row of pending) {
    const key = withMicroseconds(row.started_at);
    const { seq, superseded } = row;
    const startedAt = toMilliseconds(key);
    // It has ended, even if it is shown in flight again.
    if (row.finished_at === null && found.get(`${seq} ${key}`)?.content !== undefined) continue;
    found.set(`${seq} ${key}`, { seq, startedAt, key, superseded, content: contentOfRow(row), pending: row });
  }
  for (const { seq, key, superseded } of marks) {
    const marked = found.get(`${seq} ${key}`);
    if (marked !== undefined) marked.superseded = superseded;
  }
  return [...found.values()];
}

function toMilliseconds(key: string): string {
  return key.replace(/(\.\d{3})\d{3}Z$/, "$1Z");
}

/** Counts the other measurements with its number and start time. */
export function countSameStart(
  stored: readonly StoredMeasurement[],
  { seq, startedAt }: { seq: number; startedAt: string },
): number {
  const start = Date.parse(startedAt);
  return stored.filter((each) => each.seq === seq && Date.parse(each.startedAt) === start).length;
}

/** Finds stored measurements that begin or cease to count. Those about to be stored are changed in place. */
export function findChangedMarks(
  stored: readonly StoredMeasurement[],
  sequence: Sequence,
): Pick<SupersededMark, "seq" | "key" | "superseded">[] {
  const not = new Set<KnownMeasurement>(sequence.superseded);
  return stored.flatMap((each) => {
    const superseded = not.has(each);
    if (each.seq < sequence.countedFrom || superseded === each.superseded) return [];
    if (each.pending !== undefined) each.pending.superseded = superseded;
    return { seq: each.seq, key: each.key, superseded };
  });
}

export async function writeSupersededMarks(tx: PoolClient, marks: readonly SupersededMark[]): Promise<void> {
  if (marks.length === 0) return;
  await tx.query(
    `UPDATE measurement m SET superseded = mark.superseded
       FROM unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::timestamptz[], $6::bool[])
         AS mark (rollout_id, run_uid, metric, seq, started_at, superseded)
      WHERE m.rollout_id = mark.rollout_id AND m.run_uid = mark.run_uid AND m.metric = mark.metric
        AND m.seq = mark.seq AND m.started_at = mark.started_at AND m.superseded <> mark.superseded`,
    [
      marks.map(({ rolloutId }) => rolloutId),
      marks.map(({ runUid }) => runUid),
      marks.map(({ metric }) => metric),
      marks.map(({ seq }) => seq),
      marks.map(({ key }) => key),
      marks.map(({ superseded }) => superseded),
    ],
  );
}
