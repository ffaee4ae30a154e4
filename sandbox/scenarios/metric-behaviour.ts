import type { AnalysisPhase } from "#lib/domain/argo/analysis/types.ts";
import { fnv1a } from "#lib/util/fnv1a.ts";
import type { MetricAnswer, MetricQuestion, RunIdentity } from "#sandbox/controllers/metric-provider.ts";
import type { Behaviour, MeasuredScenario, Series } from "./scenario-types.ts";

const UNKNOWN_METRIC: Series = { center: 1, spread: 0 };
const BY_NAME: [RegExp, Series][] = [
  [/error|fail/i, { center: 0.002, spread: 0.001 }],
  [/latency|duration|p9\d/i, { center: 210, spread: 40 }],
  [/success|availability|rate/i, { center: 0.995, spread: 0.003 }],
];

/** Answers a question: always the same for the same seed, regardless of when and how often it is asked. */
export function answerFor(
  question: MetricQuestion,
  options: { seed: number; scenarios: readonly MeasuredScenario[] },
): MetricAnswer {
  const series = findSeries(question, options.scenarios);
  const exception = series.at?.[question.sequence];
  if (exception === "unreachable") {
    return { failure: "prometheus.monitoring.svc:9090: connection refused" };
  }
  if (exception === "no-data") {
    return { noData: true };
  }
  if (exception !== undefined) {
    return { value: exception };
  }
  const { namespace, rollout, version, runType, attempt, metric, sequence } = question;
  const key = [options.seed, namespace, rollout, version, runType, attempt, metric, sequence].join("/");
  const offset = (computeMulberry32(fnv1a(key)) * 2 - 1) * series.spread;
  return { value: Number((series.center + offset).toPrecision(6)) };
}

/** Returns the verdict that the scenario's defective controller gives to the run; undefined if it has none. */
export function forcedVerdictOf(run: RunIdentity, scenarios: readonly MeasuredScenario[]): AnalysisPhase | undefined {
  return findBehaviour(run, scenarios).behaviour?.forcedVerdict;
}

function findBehaviour(
  { namespace, rollout, version, attempt }: RunIdentity,
  scenarios: readonly MeasuredScenario[],
): { scenario?: MeasuredScenario; behaviour?: Behaviour } {
  const scenario = scenarios.find((candidate) => candidate.namespace === namespace && candidate.name === rollout);
  const behaviour = scenario?.behaviours.find(
    (candidate) => candidate.version === version && (candidate.attempt ?? attempt) === attempt,
  );
  return { scenario, behaviour };
}

function findSeries(question: MetricQuestion, scenarios: readonly MeasuredScenario[]): Series {
  const { metric } = question;
  const { scenario, behaviour } = findBehaviour(question, scenarios);
  const known = behaviour?.metrics[metric] ?? scenario?.baseline[metric];
  return known ?? BY_NAME.find(([pattern]) => pattern.test(metric))?.[1] ?? UNKNOWN_METRIC;
}

/** Returns the first number in [0, 1) of the mulberry32 generator. */
function computeMulberry32(seed: number): number {
  let state = (seed + 0x6d2b79f5) | 0;
  state = Math.imul(state ^ (state >>> 15), state | 1);
  state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
  return ((state ^ (state >>> 14)) >>> 0) / 4294967296;
}
