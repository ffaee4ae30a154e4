import { createRandom } from "#test/seeded-random.ts";
import { runSpec, timeText } from "./sample-objects.ts";

export type PlannedMeasurement = { seq: number; phase: string; value: string; isFinished: boolean; isError: boolean };
export type PlannedMetric = { name: string; count: number; error: number; list: PlannedMeasurement[] };
export type PlannedStage = { atMs: number; phase: string; metrics: PlannedMetric[] };

/** The expected record of a run at the end. */
export type ExpectedRun = {
  name: string;
  phase: string;
  /** By `metric/seq`, for every finished measurement that the cluster has shown. */
  measurements: Map<string, { phase: string; value: string }>;
  /** `metric/seq` of measurements that were dropped from the list before their result could be seen. */
  lost: Set<string>;
  counters: Map<string, { count: number; error: number }>;
};

export type PlannedRun = { name: string; stages: PlannedStage[]; deleteAtMs: number; expected: ExpectedRun };

const phases = ["Successful", "Successful", "Successful", "Failed", "Inconclusive", "Error"] as const;
const keptMeasurements = 10;
export const longestLifeMs = 190;

/**
 * Plans the life of a short run from its number only, so that driver and check compute the same one. Some steps measure
 * more often than the list holds, so that a few results are certainly lost and must be counted as a gap.
 */
export function planRun(index: number): PlannedRun {
  const random = createRandom(index + 1);
  const upTo = (limit: number): number => Math.floor(random() * limit);
  const name = `short-${index}`;
  const metrics: PlannedMetric[] = Array.from({ length: 1 + upTo(3) }, (_, metric) => ({
    name: `metric-${metric}`,
    count: 0,
    error: 0,
    list: [],
  }));
  const steps = 2 + upTo(3);
  const deleteAtMs = 120 + upTo(longestLifeMs - 120);
  const seen = new Map<string, { phase: string; value: string }>();
  const stages: PlannedStage[] = [];
  for (let step = 0; step < steps; step++) {
    const isLast = step === steps - 1;
    for (const metric of metrics) measure({ metric, times: timesOf(random), isLast, random, step });
    for (const metric of metrics)
      for (const { seq, phase, value, isFinished } of metric.list)
        if (isFinished) seen.set(`${metric.name}/${seq}`, { phase, value });
    stages.push({
      atMs: Math.floor(((step + 1) * deleteAtMs) / (steps + 1)),
      phase: isLast ? (phases[upTo(phases.length)] ?? "Successful") : "Running",
      metrics: metrics.map((metric) => ({ ...metric, list: [...metric.list] })),
    });
  }
  const lost = new Set<string>();
  for (const { name: metric, count, error } of metrics)
    for (let seq = 1; seq <= count + error; seq++) if (!seen.has(`${metric}/${seq}`)) lost.add(`${metric}/${seq}`);
  return {
    name,
    stages,
    deleteAtMs,
    expected: {
      name,
      phase: stages.at(-1)?.phase ?? "Pending",
      measurements: seen,
      lost,
      counters: new Map(metrics.map(({ name: metric, count, error }) => [metric, { count, error }])),
    },
  };
}

function timesOf(random: () => number): number {
  return random() < 0.05 ? 13 : 1 + Math.floor(random() * 4);
}

/** Ends the measurement in flight, takes `times` more, and may leave one in flight. */
function measure(options: {
  metric: PlannedMetric;
  times: number;
  isLast: boolean;
  random: () => number;
  step: number;
}): void {
  const { metric, times, isLast, random, step } = options;
  const running = metric.list.at(-1);
  const done = metric.list.filter((each) => each.isFinished);
  const added = running !== undefined && !running.isFinished ? times - 1 : times;
  if (running !== undefined && !running.isFinished) done.push(finish(metric, random, step));
  for (let taken = 0; taken < added; taken++) done.push(finish(metric, random, step));
  const inFlight = !isLast && random() < 0.3 ? [unfinished(metric)] : [];
  metric.list = [...done.slice(-keptMeasurements), ...inFlight];
}

function finish(metric: PlannedMetric, random: () => number, step: number): PlannedMeasurement {
  const isError = random() < 0.1;
  if (isError) metric.error += 1;
  else metric.count += 1;
  const seq = metric.count + metric.error;
  const phase = isError ? "Error" : random() < 0.8 ? "Successful" : "Failed";
  return {
    seq,
    phase,
    value: isError ? "" : `[${step}.${seq}${Math.floor(random() * 1e6)}]`,
    isFinished: true,
    isError,
  };
}

function unfinished(metric: PlannedMetric): PlannedMeasurement {
  return { seq: metric.count + metric.error + 1, phase: "Running", value: "", isFinished: false, isError: false };
}

export function plannedSpec(run: PlannedRun): Record<string, unknown> {
  return runSpec([...run.expected.counters.keys()]);
}

/** Returns the status as a controller would write it. Everything within one second has the same time. */
export function plannedStatus(stage: PlannedStage, startedAtMs: number): Record<string, unknown> {
  const time = timeText(startedAtMs);
  const isEnded = stage.phase !== "Running";
  return {
    phase: stage.phase,
    message: isEnded && stage.phase !== "Successful" ? `ended ${stage.phase}` : "",
    startedAt: time,
    ...(isEnded ? { completedAt: time } : {}),
    metricResults: stage.metrics.map((metric) => ({
      name: metric.name,
      phase: stage.phase,
      count: metric.count,
      error: metric.error,
      successful: metric.list.filter((each) => each.phase === "Successful").length,
      measurements: metric.list.map(({ phase, value, isFinished, isError }) => ({
        phase,
        ...(isFinished && !isError ? { value } : {}),
        ...(isError ? { message: "the provider did not answer" } : {}),
        startedAt: time,
        ...(isFinished ? { finishedAt: time } : {}),
      })),
    })),
  };
}
