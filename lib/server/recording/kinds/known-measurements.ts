import { type Expression, type RawBuilder, type Selectable, sql } from "kysely";
import type { PoolClient } from "pg";
import type { KnownMeasurement, Sequence } from "#lib/domain/delivery/sequence-measurements.ts";
import type { Tables } from "#lib/server/platform/db/generated/tables.ts";
import { readRows, write } from "#lib/server/platform/db/run-query.ts";
import { type Columns, tables } from "#lib/server/platform/db/tables.ts";
import { ofMetric } from "#lib/server/records/measurement-row.ts";
import type { MetricName, UnplacedMeasurement } from "./run-rows.ts";

type StoredContent = Pick<Selectable<Tables["measurement"]>, "finished_at" | "value" | "parsed" | "message"> & {
  phase: string;
  parsed_kind: string;
};

/** A stored measurement, or one that this batch is about to store. */
export type StoredMeasurement = KnownMeasurement & {
  /** Start time with microseconds, as in the key. */
  key: string;
  superseded: boolean;
  pending?: UnplacedMeasurement["row"];
};

/** Changes whether rows count; nothing else in these rows is written. */
export type SupersededMark = MetricName & {
  seq: number;
  key: string;
  superseded: boolean;
};

/** Measurements of one metric by their number, which several may share. */
export type Numbered = Map<number, UnplacedMeasurement[]>;

/** Keeps a measurement, unless its finished form is kept. Returns whether it is another one than all that are kept. */
export function keepMeasurement(own: Numbered, measurement: UnplacedMeasurement): boolean {
  const { row } = measurement;
  const sameNumber = own.get(row.seq) ?? [];
  const place = sameNumber.findIndex((each) => each.row.started_at === row.started_at);
  if (place === -1) own.set(row.seq, [...sameNumber, measurement]);
  else if (row.finished_at !== null || sameNumber[place]?.row.finished_at === null) sameNumber[place] = measurement;
  return place === -1;
}

export function listMeasurements(own: Numbered): UnplacedMeasurement[] {
  return [...own.values()].flat();
}

/**
 * Returns the content that distinguishes measurements with the same number and start second; undefined while in flight.
 */
export function storedContentOf({
  finished_at: finishedAt,
  phase,
  value,
  parsed_kind: kind,
  parsed,
  message,
}: StoredContent): string | undefined {
  if (finishedAt === null) return undefined;
  // An empty value has the text that the number gives (`encodeValue`).
  return JSON.stringify([finishedAt.getTime(), phase, value, kind, parsed, message]);
}

/** Returns the same for a row that is to be stored. */
export function contentOfRow(row: UnplacedMeasurement["row"]): string | undefined {
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

function keyOf(startedAt: Expression<Date>): RawBuilder<string> {
  return sql`to_char(${startedAt} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
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
    pending: readonly UnplacedMeasurement["row"][];
    /** Marks of this batch so far, not written yet. */
    marks: readonly SupersededMark[];
  },
): Promise<StoredMeasurement[]> {
  const rows = await readRows(
    tx,
    tables
      .selectFrom("metric as t")
      .innerJoinLateral(ofMetric, (join) => join.onTrue())
      .select(["m.seq", "m.finished_at", "m.phase", "m.value", "m.parsed_kind", "m.parsed"])
      .select(["m.message", "m.superseded"])
      .select(({ ref }) => keyOf(ref("m.started_at")).as("key"))
      .where("t.rollout_id", "=", rolloutId)
      .where("t.run_uid", "=", runUid)
      .where("t.name", "=", metric)
      .orderBy("m.seq")
      .orderBy("m.started_at"),
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

export async function writeSupersededMarks(
  tx: PoolClient,
  marks: readonly SupersededMark[],
  idOf: (metric: MetricName) => string,
): Promise<void> {
  if (marks.length === 0) return;
  const columns = sql.join([
    sql`unnest(${marks.map(idOf)}::int8[]) AS metric_id`,
    sql`unnest(${marks.map(({ seq }) => seq)}::int[]) AS seq`,
    sql`unnest(${marks.map(({ key }) => key)}::timestamptz[]) AS started_at`,
    sql`unnest(${marks.map(({ superseded }) => superseded)}::bool[]) AS superseded`,
  ]);
  type Mark = Pick<Selectable<Tables["measurement"]>, "metric_id" | "seq" | "started_at">;
  const mark = sql<Mark & { superseded: boolean }>`(SELECT ${columns})`;
  await write(
    tx,
    tables
      .updateTable("measurement as m")
      .from(mark.as("mark"))
      .set(({ ref }) => ({ superseded: ref("mark.superseded") }) satisfies Columns<"measurement">)
      .whereRef("m.metric_id", "=", "mark.metric_id")
      .whereRef("m.seq", "=", "mark.seq")
      .whereRef("m.started_at", "=", "mark.started_at")
      .whereRef("m.superseded", "<>", "mark.superseded"),
  );
}
