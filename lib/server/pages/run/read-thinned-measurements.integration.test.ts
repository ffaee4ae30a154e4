import { randomUUID } from "node:crypto";
import fc from "fast-check";
import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Measurement } from "#lib/contract/analysis-run.ts";
import { readThinnedMeasurements, type Thinning } from "#lib/server/pages/run/read-thinned-measurements.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { insertMeasured } from "#test/measurement-rows.ts";
import { createTestPool } from "#test/test-pool.ts";

let database: TestDatabase;
let owner: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = createTestPool(database.ownerUrl);
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

/** `number` undefined: a value without a place on the axis. */
type Taken = { seq: number; phase: string; number: number | undefined; isRetaken?: boolean };
type Run = { uid: string; rollout_id: string };

const start = Date.UTC(2026, 2, 1);
const timeOf = (seq: number) => new Date(start + seq * 1000).toISOString();

async function record(
  series: readonly Taken[],
  gaps: readonly { afterSeq: number; count: number }[] = [],
): Promise<Run> {
  const run = { uid: randomUUID(), rollout_id: randomUUID() };
  const rows = series.map(({ seq, phase, number, isRetaken = false }) => ({
    metric: "m",
    seq,
    phase,
    value: number === undefined ? "NaN" : String(number),
    kind: number === undefined ? "nan" : "number",
    parsed: number ?? null,
    superseded: isRetaken,
    at: new Date(start + seq * 1000 + (isRetaken ? 1 : 0)).toISOString(),
  }));
  await owner.query(
    `INSERT INTO analysis_run (uid, rollout_id, cluster, namespace, name, type, phase, message, spec, resource_version,
       created_at, updated_at)
     VALUES ($1, $2, 'demo', 'shop', 'run', 'Step', 'Running', '', '{}', '1', now(), now())`,
    [run.uid, run.rollout_id],
  );
  await owner.query(
    "INSERT INTO metric (rollout_id, run_uid, name, phase, message) VALUES ($1, $2, 'm', 'Running', '')",
    [run.rollout_id, run.uid],
  );
  await owner.query(
    insertMeasured(
      ["seq", "started_at", "finished_at", "phase", "value", "parsed_kind", "parsed", "superseded"],
      `SELECT $1 AS run_uid, metric, seq, at AS started_at, at AS finished_at, phase, value, kind AS parsed_kind, parsed,
         superseded
       FROM jsonb_to_recordset($2)
         AS r (metric text, seq int, at timestamptz, phase text, value text, kind text, parsed float8, superseded bool)`,
    ),
    [run.uid, JSON.stringify(rows)],
  );
  for (const { afterSeq, count } of gaps)
    await owner.query(
      "INSERT INTO measurement_gap (metric_id, after_seq, count) SELECT id, $2, $3 FROM metric WHERE run_uid = $1",
      [run.uid, afterSeq, count],
    );
  return run;
}

async function thin(run: Run, thinning: Thinning) {
  const { items, leftOut } = await readThinnedMeasurements(owner, run, thinning);
  return { items, leftOut: leftOut[0] ?? { count: 0, unsuccessful: 0 } };
}

const seqsOf = (items: readonly { seq: number }[]) => items.map(({ seq }) => seq);
const unsuccessful = (items: readonly { phase: string }[]) => items.filter(({ phase }) => phase !== "Successful");

/** Numbers the measurements, with a gap before some. */
function lay(parts: readonly { skipped: number; phase: string; number: number | undefined; isRetaken: boolean }[]) {
  const gaps: { afterSeq: number; count: number }[] = [];
  let seq = 0;
  const series = parts.flatMap(({ skipped, isRetaken, ...taken }): Taken[] => {
    if (skipped > 0) gaps.push({ afterSeq: seq, count: skipped });
    seq += skipped + 1;
    return isRetaken
      ? [
          { ...taken, seq },
          { ...taken, seq, isRetaken, phase: "Failed" },
        ]
      : [{ ...taken, seq }];
  });
  return { series, gaps };
}

const arbitraryRun = fc
  .array(
    fc.record({
      skipped: fc.oneof(
        { weight: 20, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 30 }) },
      ),
      phase: fc.oneof(
        { weight: 12, arbitrary: fc.constant("Successful") },
        { weight: 1, arbitrary: fc.constantFrom("Failed", "Inconclusive", "Error", "Running") },
      ),
      number: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }), {
        freq: 15,
        nil: undefined,
      }),
      isRetaken: fc.integer({ min: 0, max: 30 }).map((roll) => roll === 0),
    }),
    { maxLength: 400, size: "max" },
  )
  .map(lay);

/** The stretch of each measurement, as the contract of `points` says. */
function stretchOf(counted: readonly Taken[], points: number) {
  const stretches = Math.max(1, Math.floor(points / 4));
  const seqs = seqsOf(counted);
  const [first, last] = [Math.min(...seqs), Math.max(...seqs)];
  return ({ seq }: { seq: number }) => Math.floor(((seq - first) * stretches) / (last - first + 1));
}

/** The values that each phase of each stretch must keep. */
function keptOfStretch(own: readonly Taken[]): number[] {
  const numbers = own.flatMap(({ number }) => number ?? []);
  const [least, greatest] = [Math.min(...numbers), Math.max(...numbers)];
  return numbers.length === 0 ? [] : [least, greatest];
}

describe("readThinnedMeasurements", () => {
  it("hides nothing that matters, whatever was measured", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryRun, fc.constantFrom(2, 4, 12, 40, 200), async ({ series, gaps }, points) => {
        const counted = series.filter(({ isRetaken }) => isRetaken !== true);
        const { items, leftOut } = await thin(await record(series, gaps), { points });
        const kept = new Set(seqsOf(items));

        // All measurements left out are counted, and no others.
        expect(leftOut.count).toBe(counted.length - items.length);
        expect(leftOut.unsuccessful).toBe(unsuccessful(counted).length - unsuccessful(items).length);
        if (counted.length <= points) expect(items).toHaveLength(counted.length);
        if (unsuccessful(counted).length <= points) expect(leftOut.unsuccessful).toBe(0);

        // Order, and no retaken one.
        expect(seqsOf(items)).toEqual([...kept].sort((one, other) => one - other));
        expect(items.every(({ superseded }) => !superseded)).toBe(true);

        // For each phase in each stretch: both ends, the least, the greatest, and the first without a number.
        const stretches = Map.groupBy(counted, (taken) => `${stretchOf(counted, points)(taken)} ${taken.phase}`);
        for (const own of stretches.values()) {
          const of = new Set(own.filter(({ seq }) => kept.has(seq)).flatMap(({ number }) => number ?? []));
          for (const number of keptOfStretch(own)) expect(of.has(number)).toBe(true);
          const silent = own.find(({ number }) => number === undefined);
          for (const taken of [own[0], own.at(-1), silent]) if (taken !== undefined) expect(kept).toContain(taken.seq);
        }

        // Both edges of each gap, as many as there may be points; and the newest six.
        if (gaps.length <= points) {
          const seqs = new Set(seqsOf(counted));
          const edges = gaps.flatMap(({ afterSeq, count }) => [afterSeq, afterSeq + count + 1]);
          for (const edge of edges.filter((seq) => seqs.has(seq))) expect(kept).toContain(edge);
        }
        const last = Math.max(0, ...seqsOf(counted));
        for (const { seq } of counted.filter(({ seq: each }) => each > last - 6)) expect(kept).toContain(seq);
      }),
      { numRuns: 60 },
    );
  });

  it("keeps one of each phase of each stretch, and says how many it hides, if almost all failed", async () => {
    const series = Array.from({ length: 2000 }, (_, index) => ({
      ...{ seq: index + 1, number: index % 7 },
      phase: index === 1003 ? "Error" : index % 50 === 0 ? "Inconclusive" : "Failed",
    }));
    const { items, leftOut } = await thin(await record(series), { points: 40 });
    expect(seqsOf(items)).toContain(1004);
    expect(items.length).toBeLessThan(10 * 3 * 5 + 6);
    expect(leftOut).toMatchObject({ count: 2000 - items.length, unsuccessful: 2000 - items.length });
  });

  it("bounds an ordinary series", async () => {
    const series = Array.from({ length: 5000 }, (_, index) => ({
      ...{ seq: index + 1, number: (index * 7919) % 1000, phase: "Successful" },
    }));
    const { items } = await thin(await record(series), { points: 400 });
    expect(items.length).toBeGreaterThan(300);
    expect(items.length).toBeLessThanOrEqual(400 + 6);
  });

  it("gives the time that is asked for, both ends included, with as many points as the whole would have", async () => {
    const series = Array.from({ length: 1000 }, (_, index) => ({ seq: index + 1, number: index, phase: "Successful" }));
    const run = await record(series);
    const part = await thin(run, { points: 100, from: timeOf(300), to: timeOf(399) });
    expect(seqsOf(part.items)).toEqual(Array.from({ length: 100 }, (_, index) => 300 + index));
    expect(part.leftOut.count).toBe(0);
    const wider = await thin(run, { points: 100, from: timeOf(300), to: timeOf(699) });
    expect(wider.items[0]?.seq).toBe(300);
    expect(wider.items.at(-1)?.seq).toBe(699);
    expect(wider.leftOut.count).toBe(400 - wider.items.length);
  });

  it("continues where an earlier answer ended, so that both together count what is left out", async () => {
    const all = Array.from({ length: 900 }, (_, index) => ({ seq: index + 1, number: index, phase: "Successful" }));
    const run = await record(all.slice(0, 500));
    const first = await thin(run, { points: 40 });
    const known = (first.items.at(-1)?.seq ?? 0) - 5;
    await addMore(run, all.slice(500));
    const next = await thin(run, { points: 40, after: new Map([["m", known]]) });
    const before = first.items.filter(({ seq }) => seq < (next.items[0]?.seq ?? 0));
    expect(before.length + next.items.length + first.leftOut.count + next.leftOut.count).toBe(900);
  });
});

async function addMore(run: Run, series: readonly Taken[]): Promise<void> {
  const added = await record(series);
  await owner.query(
    `UPDATE measurement SET metric_id = (SELECT id FROM metric WHERE run_uid = $1)
      WHERE metric_id = (SELECT id FROM metric WHERE run_uid = $2)`,
    [run.uid, added.uid],
  );
}

it("keeps values as they were received", async () => {
  const { items } = await thin(await record([{ seq: 1, phase: "Failed", number: 0 }]), { points: 2 });
  expect(items).toEqual([
    expect.objectContaining({
      phase: "Failed",
      value: "0",
      parsed: { kind: "number", number: 0 },
    } satisfies Partial<Measurement>),
  ]);
});
