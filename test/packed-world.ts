import fc from "fast-check";
import type { Pool } from "pg";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { unpackRuns } from "#lib/server/recording/kinds/packed-measurements.ts";
import { insertMeasurements, type MeasurementRow } from "#lib/server/recording/kinds/run-rows.ts";
import { packDueRuns } from "#lib/server/recording/upkeep/pack-runs.ts";
import { connectRecorded, type Recorded, type RecordedRollout } from "./recorded.ts";
import { createTestPool } from "./test-pool.ts";

/** When the runs begin. */
export const begin = Date.UTC(2026, 1, 1);
type Row = Omit<MeasurementRow, "metric_id">;

/** As a controller measures: whole seconds, in order, one number each. */
const usual = fc.record({
  kind: fc.constantFrom("n", "a" as const),
  parsed: fc.oneof(
    // Not the greatest ones: Prisma writes 16 digits of a figure, which may round it up to more than a double holds.
    fc.double({ min: -1e300, max: 1e300, noNaN: true }),
    fc.integer().map((n) => n / 997),
  ),
  phase: fc.constantFrom("S", "S", "S", "F", "I" as const),
  startMs: fc.integer({ min: 0, max: 3600 }).map((s) => s * 1000),
  lastsMs: fc.integer({ min: 0, max: 40_000 }).map((s) => s * 1000),
});
/** Of everything that a measurement may have, something is not as usual. */
const unusual = fc.record(
  {
    kind: fc.constantFrom("N", "+", "-", "o", "s", "e", "u" as const),
    parsed: fc.constantFrom(null, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1.7e308, -0, 5e-324),
    phase: fc.constantFrom("P", "R", "E", "?Odd" as const, "?" as const, "?Über" as const),
    startMs: fc.integer({ min: -(10 ** 12), max: 10 ** 12 }),
    lastsMs: fc.constantFrom(undefined, -5000, 1, 1_000_000_000, 10 ** 12),
    value: fc.oneof(
      fc.constantFrom(null, "", "NaN", "[1, NaN]", "\\u0000", '{"a": [1, "\\""]}', "NULL"),
      fc.string({ unit: "grapheme" }),
    ),
    message: fc.oneof(fc.constantFrom("", "a, {b}", "\\", '"'), fc.string({ unit: "grapheme" })),
    metadata: fc.constantFrom("", '{"a":"b"}', '{"job":"x","why":"ü, \\"{}\\""}'),
    escaped: fc.boolean(),
    seqGap: fc.integer({ min: 0, max: 2500 }),
    isRetaken: fc.boolean(),
  },
  { requiredKeys: [] },
);
export const measurement = fc.tuple(
  usual,
  fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: unusual }),
);

type Value<A> = A extends fc.Arbitrary<infer T> ? T : never;
type Drawn = { isPlain: boolean; all: readonly [Value<typeof usual>, Partial<Value<typeof unusual>>][] };

const storable = (text: string) => text.replaceAll("\0", "").toWellFormed();

const otherwise = { value: "", message: "", metadata: "", escaped: false, seqGap: 0, isRetaken: false };

/** Makes rows with different keys; a number that was taken again counts once. */
export function toRows({ isPlain, all }: Drawn): Row[] {
  const rows: Row[] = [];
  let seq = 0;
  for (const [usually, odd] of all) {
    const taken = { ...otherwise, ...usually, ...(isPlain ? {} : odd) };
    const { kind, parsed, phase, startMs, lastsMs, value, message, metadata, escaped, seqGap, isRetaken } = taken;
    seq += 1 + seqGap;
    const started = begin + startMs + rows.length * 30_000;
    const row: Row = {
      started_at: new Date(started).toISOString(),
      finished_at: lastsMs === undefined ? null : new Date(started + lastsMs).toISOString(),
      parsed,
      seq,
      superseded: false,
      escaped,
      phase,
      parsed_kind: kind,
      value: value === null ? null : storable(value),
      message: storable(message),
      metadata,
    };
    if (isRetaken)
      rows.push({ ...row, started_at: new Date(started).toISOString().replace("Z", "001Z"), superseded: true });
    rows.push(row);
  }
  return rows;
}

export type Stored = { rollout: RecordedRollout; release: string; uid: string; later: string; rolloutId: string };

const names = ["error-rate", "latency"];

export type PackedWorld = Awaited<ReturnType<typeof createPackedWorld>>;

/** Stores and packs runs in a database. */
export async function createPackedWorld({ ownerUrl, recorderUrl }: { ownerUrl: string; recorderUrl: string }) {
  const recorder: Pool = createTestPool(recorderUrl, 4);
  const recorded: Recorded = await connectRecorded(ownerUrl);

  /** Stores a run with these measurements, its release, and a later run of the same rollout. */
  async function store(metrics: readonly Row[][]): Promise<Stored> {
    const rollout = await recorded.addRollout();
    const createdAt = new Date(begin - 1000);
    const spec = {
      metrics: names.map((name) => ({ name, count: 5, successCondition: "result < 1", provider: { web: {} } })),
    };
    const run = { rolloutId: rollout.id, namespace: rollout.namespace, phase: "Failed", spec };
    const { uid } = await recorded.addRun({
      ...run,
      createdAt,
      metrics: names.map((name, index) => ({ name, count: (metrics[index] ?? []).length, failed: 1 })),
    });
    const { uid: later } = await recorded.addRun({ ...run, metrics: names.map((name) => ({ name })) });
    const { id: release } = await recorded.addRelease({
      rolloutId: rollout.id,
      startedAt: createdAt,
      state: "aborted",
    });
    await recorded.addObservation({ rolloutId: rollout.id, at: createdAt });
    const ids = await metricIds(uid);
    await inTransaction(recorder, async (tx) => {
      for (const [index, rows] of metrics.entries())
        await insertMeasurements(
          tx,
          rows.map((row) => ({ ...row, metric_id: ids[index] ?? "" })),
        );
    });
    await recorded.client.query(
      "INSERT INTO measurement_gap (metric_id, after_seq, count) VALUES ($1, 2, 3), ($1, 9, 1)",
      [ids[0]],
    );
    return { rollout, release, uid, later, rolloutId: rollout.id };
  }

  async function metricIds(uid: string): Promise<string[]> {
    const { rows } = await recorded.client.query<{ id: string }>(
      "SELECT id FROM metric WHERE run_uid = $1 ORDER BY ord",
      [uid],
    );
    return rows.map(({ id }) => id);
  }

  /** Ends the run so long ago that it is packed, and packs what is due. */
  async function pack({ uid }: Pick<Stored, "uid">, pool = recorder): Promise<void> {
    await end(uid, 31);
    await packAll(pool);
  }

  async function end(uid: string, daysAgo: number | null): Promise<void> {
    const update = "UPDATE analysis_run SET completed_at = now() - make_interval(days => $2) WHERE uid = $1";
    await recorded.client.query(update, [uid, daysAgo]);
  }

  async function packAll(pool = recorder): Promise<void> {
    while ((await packDueRuns(pool)) > 0);
  }

  async function unpack({ rolloutId, uid }: Stored): Promise<void> {
    await inTransaction(recorder, (tx) => unpackRuns(tx, [{ rollout_id: rolloutId, uid }]));
  }

  async function countRows(uid: string): Promise<{ rows: number; packed: number }> {
    const { rows } = await recorded.client.query<{ rows: number; packed: number }>(
      `SELECT (SELECT count(*)::int FROM measurement WHERE metric_id = ANY($1)) AS rows,
       (SELECT count(*)::int FROM packed_measurement WHERE metric_id = ANY($1)) AS packed`,
      [await metricIds(uid)],
    );
    return rows[0] ?? { rows: 0, packed: 0 };
  }

  /** The columns of all measurements, with microseconds. */
  async function readAll(runs: readonly Pick<Stored, "uid">[]): Promise<string[]> {
    const ids: string[] = [];
    for (const { uid } of runs) ids.push(...(await metricIds(uid)));
    const { rows } = await recorded.client.query<{ row: string }>(
      `SELECT concat_ws('|', metric_id, seq, started_at, COALESCE(finished_at::text, 'none'), parsed, superseded, escaped, phase,
       parsed_kind, COALESCE(value, 'none'), message, metadata) AS row
     FROM recorded_measurement WHERE metric_id = ANY($1) ORDER BY metric_id, seq, started_at`,
      [ids],
    );
    return rows.map(({ row }) => row);
  }

  return {
    ...{
      recorder,
      recorded,
      client: recorded.client,
      store,
      metricIds,
      pack,
      end,
      packAll,
      unpack,
      countRows,
      readAll,
    },
    close: async () => {
      await Promise.all([recorder.end(), recorded.close()]);
    },
  };
}
