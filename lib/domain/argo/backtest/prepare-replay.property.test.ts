import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isCompleted } from "#lib/domain/argo/analysis/phase.ts";
import {
  arbitraryPlan,
  arbitraryRules,
  type Plan,
  playRun,
  playStartedAt,
} from "#lib/domain/argo/analysis/testing/play-run.ts";
import {
  type Proposal,
  proposableFields,
  type ReplayedMeasurement,
  type RunBacktest,
  type RunToReplay,
} from "#lib/domain/delivery/backtest.ts";
import { prepareReplay } from "./prepare-replay.ts";

const name = "m0";

type Replayed = { rules: unknown; run: RunToReplay; measurements: readonly ReplayedMeasurement[] };

function toReplayed(recorded: ReturnType<typeof playRun>): Replayed {
  const { spec, phase, metrics, endedAt } = recorded;
  if (!isCompleted(phase)) throw new Error("the run has not ended");
  const own = metrics.find((metric) => metric.name === name);
  return {
    rules: spec,
    run: {
      phase,
      isTerminated: spec.terminate === true,
      startedAt: playStartedAt,
      endedAt,
      metrics: metrics.map(({ measurements, lost, message, ...counters }) => counters),
    },
    measurements: (own?.measurements ?? []).map(({ phase: each, startedAt, finishedAt, seq, value, message }) => ({
      seq,
      phase: isCompleted(each) ? each : "Error",
      ...(value === undefined ? {} : { value }),
      ...(message === undefined ? {} : { message }),
      startedAt: Date.parse(startedAt ?? ""),
      finishedAt: Date.parse(finishedAt ?? ""),
    })),
  };
}

function backtest({ rules, run, measurements }: Replayed, proposal: Proposal): RunBacktest {
  const replay = prepareReplay({ rules, metric: name, proposal })(run);
  for (const measurement of measurements) replay.add(measurement);
  return replay.finish();
}

type Rules = Plan["metrics"][number] & { interval?: string };

const fields = [...proposableFields];
const proposed = fc.record({
  rules: arbitraryRules,
  interval: fc.constantFrom("60s", "60s", "60s", "121s"),
  changed: fc.subarray(fields, { minLength: 1 }),
});

/** A plan, the same with some rules of its first metric changed, and these as a proposal. */
const changes = fc.tuple(arbitraryPlan, proposed).map(([plan, { rules, interval, changed }]) => {
  const drawn: Rules = { ...rules, interval };
  const proposal: Proposal = Object.fromEntries(changed.map((field) => [field, drawn[field] ?? null]));
  const own = { ...plan.metrics[0], ...Object.fromEntries(changed.map((field) => [field, drawn[field]])) } as Rules;
  return { plan, changed: { ...plan, metrics: [own, ...plan.metrics.slice(1)] }, proposal };
});

describe("a back-test", () => {
  it("gives the recorded verdict if nothing is proposed", () => {
    fc.assert(
      fc.property(arbitraryPlan, (plan) => {
        const recorded = playRun(plan);
        const { replayed, proposed: unchanged, firstDifference } = backtest(toReplayed(recorded), {});
        expect(unchanged).toEqual(replayed);
        expect(unchanged.run).toEqual({ phase: recorded.phase });
        const own = recorded.metrics[0]?.phase;
        if (own !== undefined && isCompleted(own)) expect(unchanged.metric).toMatchObject({ phase: own });
        expect(firstDifference).toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  it("gives the verdict that the controller would have given, or none", () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(changes, ({ plan, changed, proposal }) => {
        const recorded = playRun(plan);
        const { run, metric } = backtest(toReplayed(recorded), proposal).proposed;
        const truth = playRun(changed);
        const kind = "undecided" in run ? run.undecided.code : `${recorded.phase}>${run.phase}`;
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
        if (!("undecided" in run)) expect(run.phase).toBe(truth.phase);
        const own = truth.metrics[0]?.phase;
        if (!("undecided" in metric) && isCompleted(own)) expect(metric.phase).toBe(own);
      }),
      { numRuns: 2000 },
    );
    // The generator must reach several changes of a verdict, or the property would prove little.
    const changed = [...seen.keys()].filter((kind) => /^(\w+)>(?!\1)/.test(kind));
    expect(changed.length, changed.join()).toBeGreaterThan(3);
    const undecided = [...seen].flatMap(([kind, count]) => (kind.includes(">") ? [] : count));
    expect(undecided.length).toBeGreaterThan(2);
    // It must not be undecided because that is easy.
    expect(undecided.reduce((sum, count) => sum + count)).toBeLessThan(1200);
  });

  it("is undecided about what is missing only if that could matter", () => {
    let decided = 0;
    fc.assert(
      fc.property(
        changes,
        fc.integer({ min: 1, max: 12 }),
        fc.boolean(),
        ({ plan, changed, proposal }, lost, isStored) => {
          const recorded = playRun(plan);
          const whole = toReplayed(recorded);
          const measurements = whole.measurements.filter(({ seq }) => seq !== lost);
          const stored = { Successful: 0, Failed: 0, Error: 0, Inconclusive: 0 };
          for (const { phase } of measurements) stored[phase]++;
          const metrics = whole.run.metrics.map((metric) =>
            metric.name === name && isStored ? { ...metric, stored } : metric,
          );
          const { run } = backtest({ ...whole, run: { ...whole.run, metrics }, measurements }, proposal).proposed;
          if ("undecided" in run) return;
          if (measurements.length < whole.measurements.length) decided++;
          expect(run.phase).toBe(playRun(changed).phase);
        },
      ),
      { numRuns: 1500 },
    );
    expect(decided).toBeGreaterThan(100);
  });

  it.each<[string, Proposal]>([
    ["a limit that is ignored", { failureLimit: -1 }],
    ["another condition", { successCondition: "result[0] > 0.5", failureCondition: null }],
    ["a delay that is ignored", { initialDelay: null }],
  ])("would not pass with %s", (_, fault) => {
    const outcome = fc.check(
      fc.property(changes, ({ plan, changed, proposal }) => {
        const { run } = backtest(toReplayed(playRun(plan)), { ...proposal, ...fault }).proposed;
        return "undecided" in run || run.phase === playRun(changed).phase;
      }),
      { numRuns: 1000, seed: 7 },
    );
    expect(outcome.failed).toBe(true);
  });

  it("can be interrupted after any measurement", () => {
    fc.assert(
      fc.property(changes, fc.nat(12), ({ plan, proposal }, cut) => {
        const replayed = toReplayed(playRun(plan));
        const { rules, run, measurements } = replayed;
        const start = prepareReplay({ rules, metric: name, proposal });
        const first = start(run);
        for (const measurement of measurements.slice(0, cut)) first.add(measurement);
        const second = start(run, structuredClone(first.state));
        for (const measurement of measurements.slice(cut)) second.add(measurement);
        expect(second.finish()).toEqual(backtest(replayed, proposal));
      }),
      { numRuns: 300 },
    );
  });
});
