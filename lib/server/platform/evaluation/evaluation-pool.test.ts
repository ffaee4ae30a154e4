import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { createEvaluationPool, type EvaluationPool, type EvaluationRequest } from "./evaluation-pool.ts";

const pools: EvaluationPool[] = [];
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
});

function open(threads = 2, file = "testing/endless-worker.ts", more: { endIdleMs?: number } = {}): EvaluationPool {
  const pool = createEvaluationPool({ file: join(import.meta.dirname, file), threads, ...more });
  pools.push(pool);
  return pool;
}

const request: EvaluationRequest = { owner: "somebody", limitMs: 300, most: 4, waitMs: 60_000 };
const result = { type: "nil" } as const;
const ask = (pool: EvaluationPool, successCondition: string, more: Partial<EvaluationRequest> = {}) =>
  pool.run("evaluate", { result, successCondition }, { ...request, ...more });

describe("the evaluation pool", () => {
  it("kills what does not end, while the main loop goes on turning, and puts another thread in its place", async () => {
    const pool = open(1);
    let turns = 0;
    let isOver = false;
    const counting = (async () => {
      for (; !isOver; turns++) await turn();
    })();
    expect(await ask(pool, "endless")).toEqual({ refused: "too-long" });
    isOver = true;
    await counting;
    expect(turns).toBeGreaterThan(20);
    expect(await ask(pool, "fine", { limitMs: 60_000 })).toMatchObject({ value: { phase: "Successful" } });
  });

  it("stops what takes too much memory", async () => {
    const pool = open(1);
    expect(await ask(pool, "memory", { limitMs: 60_000 })).toEqual({ refused: "too-long" });
    expect(await ask(pool, "fine", { limitMs: 60_000 })).toMatchObject({ value: { phase: "Successful" } });
  });

  it.each(["exit", "throw"])("hands back a thread's own failure: %s", async (how) => {
    const pool = open(1);
    expect(await ask(pool, how, { limitMs: 60_000 })).toMatchObject({ refused: "failed" });
    expect(await ask(pool, "fine", { limitMs: 60_000 })).toMatchObject({ value: { phase: "Successful" } });
  });

  it.each(["no-such-worker.ts", "broken-worker.ts"])(
    "says that no thread starts, of each task anew: %s",
    async (name) => {
      const pool = open(1, `testing/${name}`);
      for (const owner of ["somebody", "another"])
        expect(await ask(pool, "fine", { owner })).toEqual({ refused: "busy", error: expect.stringContaining(name) });
    },
  );

  it("keeps nobody waiting for a thread's start beyond their limit", async () => {
    const pool = open(1, "testing/unready-worker.ts");
    for (const owner of ["somebody", "another"])
      expect(await ask(pool, "fine", { owner, waitMs: 20 })).toEqual({
        refused: "busy",
        error: expect.stringContaining("no thread has started"),
      });
  });

  it("starts on for those who come later", async () => {
    const pool = open(1);
    expect(await ask(pool, "fine", { waitMs: 0 })).toMatchObject({ refused: "busy" });
    expect(await ask(pool, "fine", { limitMs: 60_000 })).toMatchObject({ value: { phase: "Successful" } });
  });

  it("needs no start once it is warm", async () => {
    const pool = open(1);
    await pool.warm();
    expect(await ask(pool, "fine", { waitMs: 0, limitMs: 60_000 })).toMatchObject({ value: { phase: "Successful" } });
  });

  it("ends a thread that was idle for long, and starts another for the next task", async () => {
    const pool = open(1, "testing/endless-worker.ts", { endIdleMs: 10 });
    expect(await ask(pool, "fine", { limitMs: 60_000 })).toMatchObject({ value: { phase: "Successful" } });
    await expect.poll(() => ask(pool, "fine", { waitMs: 0, limitMs: 60_000 })).toMatchObject({ refused: "busy" });
    expect(await ask(pool, "fine", { limitMs: 60_000 })).toMatchObject({ value: { phase: "Successful" } });
  });

  it("lets one owner have so many under way, of which one runs, and serves others meanwhile", async () => {
    const pool = open(2);
    const endless = Array.from({ length: 4 }, () => ask(pool, "endless", { limitMs: 5000 }));
    expect(await ask(pool, "endless")).toEqual({ refused: "too-many" });
    const other = await ask(pool, "fine", { owner: "another", limitMs: 60_000 });
    expect(other).toMatchObject({ value: { phase: "Successful" } });
    await pool.close();
    expect(new Set((await Promise.all(endless)).map((outcome) => JSON.stringify(outcome)))).toEqual(
      new Set(['{"refused":"busy"}']),
    );
  });

  it("refuses what waited too long for a thread", async () => {
    const pool = open(1);
    const first = ask(pool, "endless", { limitMs: 60_000 });
    expect(await ask(pool, "fine", { owner: "another", waitMs: 20 })).toEqual({ refused: "busy" });
    await pool.close();
    expect(await first).toEqual({ refused: "busy" });
    expect(await ask(pool, "fine")).toEqual({ refused: "busy" });
  });

  it("evaluates with the engine itself", async () => {
    const pool = open(1, "evaluation-worker.ts");
    const outcome = await pool.run(
      "evaluate",
      { result: { type: "float64", value: 0.5 }, successCondition: "result >= 0.95" },
      { ...request, limitMs: 60_000 },
    );
    expect(outcome).toEqual({ value: { phase: "Failed" } });
  });

  it("replays a run whose measurements come in parts", async () => {
    const pool = open(1, "evaluation-worker.ts");
    const metric = {
      name: "rate",
      interval: "10s",
      count: 2,
      successCondition: "result >= 0.95",
      provider: { graphite: {} },
    };
    const measurements = [1, 2].map((seq) => ({ seq, phase: "Successful" as const, value: "0.99" }));
    const counters = { count: 2, successful: 2, failed: 0, inconclusive: 0, error: 0, consecutiveError: 0 };
    const run = {
      kind: "AnalysisRun",
      rules: { metrics: [metric] },
      phase: "Successful" as const,
      message: "",
      metrics: [
        { name: "rate", phase: "Successful" as const, ...counters, measurements: [], lost: 0, isInconsistent: false },
      ],
    };
    const parts = measurements.map((each) => ({ metric: "rate", measurements: [each] }));
    const outcome = await pool.run("replay", run, { ...request, limitMs: 60_000, parts });
    expect(outcome).toEqual({ value: { state: "agrees", findings: [] } });
  });
});
