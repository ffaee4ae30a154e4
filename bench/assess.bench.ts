// Time per measurement to compute a run's verdict from its stored measurements (each judged by the conditions, counted,
// assessed), for runs of 10, 1 000 and 100 000. Growth is linear if the time stays the same.

import type { RecordedMeasurement, RecordedRun } from "#lib/domain/argo/analysis/replay-metric.ts";
import type { AnalysisPhase, MetricSpec } from "#lib/domain/argo/analysis/types.ts";
import { checkVerdict } from "#lib/domain/argo/analysis/verdict-check.ts";
import { median, printFigure } from "./support/print-figure.ts";

const isFull = process.argv.includes("--full");
const rounds = isFull ? 15 : 7;
const sizes = [10, 1000, 100_000];
const perRound = 100_000;
const goal = 3;

const metric: MetricSpec = {
  name: "success-rate",
  interval: "30s",
  failureLimit: -1,
  consecutiveSuccessLimit: 1_000_000,
  inconclusiveLimit: 1_000_000,
  successCondition: "result[0] >= 0.95",
  failureCondition: "result[0] < 0.90",
  provider: { prometheus: { query: "sum(rate(requests_total[1m]))" } },
};

/** Creates a run in which three of four measurements succeed. It is terminated while in progress, so they all count. */
function createRun(size: number): RecordedRun {
  const measurements = Array.from({ length: size }, (_, index): RecordedMeasurement => {
    const isGood = index % 4 !== 0;
    const phase: AnalysisPhase = isGood ? "Successful" : "Failed";
    const at = new Date(1_700_000_000_000 + index * 30_000).toISOString();
    return { seq: index + 1, phase, value: isGood ? "[0.9871]" : "[0.8712]", startedAt: at, finishedAt: at };
  });
  const failed = measurements.filter(({ phase }) => phase === "Failed").length;
  const isLastGood = measurements.at(-1)?.phase === "Successful";
  return {
    spec: { metrics: [metric], terminate: true },
    phase: "Successful",
    message: "Run Terminated",
    metrics: [
      {
        name: metric.name,
        phase: "Successful",
        count: size,
        successful: size - failed,
        failed,
        consecutiveSuccess: isLastGood ? (size - 1) % 4 : 0,
        measurements,
        lost: 0,
        isInconsistent: false,
      },
    ],
  };
}

/** Returns microseconds per measurement. */
function measure(run: RecordedRun, size: number): number {
  const repeats = Math.max(1, perRound / size);
  const started = performance.now();
  for (let done = 0; done < repeats; done += 1) {
    const { state, findings } = checkVerdict(run);
    if (state !== "ended-early")
      throw new Error(`the verdict is ${state}: ${findings.map(({ text }) => text).join(" ")}`);
  }
  return ((performance.now() - started) * 1000) / (repeats * size);
}

const runs = sizes.map((size) => ({ size, run: createRun(size), times: [] as number[] }));
for (let round = 0; round <= rounds; round += 1) {
  for (const { size, run, times } of runs) {
    const time = measure(run, size);
    if (round > 0) times.push(time);
  }
}

let least = Number.POSITIVE_INFINITY;
for (const { size, times } of runs) {
  const value = median(times);
  const baseline = Number.isFinite(least) ? least : null;
  const ratio = baseline === null ? null : value / baseline;
  printFigure({
    name: `assess-${size}`,
    value,
    unit: "us per measurement",
    baseline,
    ratio,
    size: `a run of ${size} measurements, ${rounds} rounds of ${perRound}`,
    goal: baseline === null ? "none: the others compare with it" : `at most ${goal} times that of a smaller run`,
    ok: ratio === null || ratio <= goal,
  });
  least = Math.min(least, value);
}
