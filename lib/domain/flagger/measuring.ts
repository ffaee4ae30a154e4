import { z } from "zod";
import type {
  Conditions,
  CountedMetric,
  DescribedMetric,
  DescribedRun,
  ExplainingProvider,
  MetricRules,
  RunRules as ShownRules,
  StoredMeasurements,
  StoredRun,
  Threshold,
  Thresholds,
} from "#lib/domain/delivery/explaining.ts";
import type { MeasuredValue, MeasuringProvider } from "#lib/domain/delivery/measuring.ts";
import {
  type AnalysisMetric,
  isBuiltin,
  labelMetrics,
  parseMetricTemplate,
  type RunRules,
  readRunRules,
} from "./measuring/analysis-spec.ts";
import { type Bound, readBounds, unitOf } from "./measuring/draw-range.ts";

export const flaggerExplaining: ExplainingProvider = {
  describeRun,
  explainMeasurements,
  readConditions: (rules) => new Map([...labelled(rules)].map(([label, metric]) => [label, writeConditions(metric)])),
  drawConditions,
  readSpec,
  readTemplate: readSpec,
  // Failed checks are counted for all metrics and hooks of a run together: none has a limit of its own.
  defaultLimits: { failure: "-1", inconclusive: "-1", consecutiveError: "-1", consecutiveSuccess: "0" },
};

function labelled(rules: unknown): ReadonlyMap<string, AnalysisMetric> {
  const metrics = readRunRules(rules)?.metrics ?? [];
  return new Map(labelMetrics(metrics).map(({ label, metric }) => [label, metric]));
}

function describeRun({ rules: stored, metrics, phase }: StoredRun): DescribedRun {
  const byLabel = labelled(stored);
  return {
    metrics: new Map(
      metrics.map((counted): [string, DescribedMetric] => {
        const metric = byLabel.get(counted.name);
        const drawn = drawConditions(metric === undefined ? {} : writeConditions(metric));
        return [counted.name, { drawn, explanation: explainMetric(counted) }];
      }),
    ),
    explanation: explainRun(phase, readRunRules(stored)),
    start: undefined,
  };
}

/** Says how many rounds failed: the messages tell nothing of the others but that they passed. */
function explainMetric({ count = 0, failed = 0, error = 0 }: CountedMetric): string {
  const taken = count + error;
  if (taken === 0) return "Its checks are not known.";
  const bad = [...(failed > 0 ? [`${failed} failed`] : []), ...(error > 0 ? [`${error} gave no value`] : [])];
  const checks = taken === 1 ? "1 known check" : `${taken} known checks`;
  return bad.length === 0
    ? `${checks}, passed. Flagger's messages tell values only of checks that failed.`
    : `${checks}: ${bad.join(", ")}. Flagger's messages tell values only of checks that failed.`;
}

function explainRun(phase: StoredRun["phase"], rules: RunRules | undefined): string | undefined {
  switch (phase) {
    case "Successful":
      return "Flagger's checks let the version pass.";
    case "Failed":
      return rules?.threshold === undefined
        ? "Its failed checks reached Flagger's threshold."
        : `Its failed checks reached the threshold of ${rules.threshold}.`;
    case "Error":
      return "Flagger could not measure it, or its pods did not become ready.";
    case "Inconclusive":
      return "It ended without a verdict: a person or another version ended it.";
    default:
      return undefined;
  }
}

function explainMeasurements({ rules, measurements }: StoredMeasurements): readonly (string | undefined)[] {
  const byLabel = labelled(rules);
  return measurements.map(({ metric, phase, value }) => {
    const own = byLabel.get(metric);
    if (own === undefined || value === undefined) return undefined;
    if (phase === "Successful")
      return `The check passed; ${formatValue(own, Number(value))} was sampled from Flagger's own metrics.`;
    return phase === "Failed" ? explainFailure(own, Number(value)) : undefined;
  });
}

function explainFailure(metric: AnalysisMetric, value: number): string | undefined {
  const broken = readBounds(metric).find((bound) => (bound.side === "min" ? value < bound.value : value > bound.value));
  if (broken === undefined) return undefined;
  const side = broken.side === "min" ? "below the minimum" : "above the maximum";
  return `${formatValue(metric, value)} is ${side} of ${broken.text}.`;
}

function formatValue(metric: AnalysisMetric, value: number): string {
  switch (unitOf(metric)) {
    case "percent":
      return `${value}%`;
    case "seconds":
      return `${Math.round(value * 1e6) / 1000}ms`;
    default:
      return String(value);
  }
}

/** The part of a MetricTemplate's spec that pages show. */
const TemplateSpec = z.looseObject({ provider: z.looseObject({ type: z.string() }) });

function readSpec(rules: unknown): ShownRules {
  const template = TemplateSpec.safeParse(rules);
  if (template.success) return { metrics: new Map([["query", showQuery(template.data.provider.type)]]), args: [] };
  const interval = readRunRules(rules)?.interval ?? null;
  return {
    metrics: new Map([...labelled(rules)].map(([label, metric]) => [label, showRules(label, metric, interval)])),
    args: [],
  };
}

/** A template is one query; its limits are those of the canaries that name it. */
function showQuery(type: string): MetricRules {
  return { ...noRules, name: "query", provider: type };
}

const noRules = {
  provider: null,
  count: null,
  interval: null,
  initialDelay: null,
  failureLimit: null,
  inconclusiveLimit: null,
  consecutiveErrorLimit: null,
  consecutiveSuccessLimit: null,
  successCondition: null,
  failureCondition: null,
  unit: null,
} satisfies Omit<MetricRules, "name">;

function showUnit(metric: AnalysisMetric): string | null {
  const unit = isBuiltin(metric) ? unitOf(metric) : undefined;
  return unit === undefined ? null : { percent: "%", seconds: "s" }[unit];
}

/** A metric's own interval is the range of its query: it is checked at the interval of the analysis. */
function showRules(name: string, metric: AnalysisMetric, interval: string | null): MetricRules {
  const isPrometheus = isBuiltin(metric) || metric.query !== undefined;
  return {
    ...noRules,
    ...{ name, interval },
    provider: isPrometheus ? "prometheus" : null,
    unit: showUnit(metric),
    successCondition: writeConditions(metric).successCondition ?? null,
  };
}

/** The name of the value in a condition; charts draw limits on it. */
const accessor = "result";
const part = /^result (?<operator>>=|<=) (?<number>-?[\d.]+(?:e[+-]?\d+)?)(?<unit>%|ms)?$/;

/** Writes the bounds of a metric as a condition, such as `result >= 99% and result <= 100%`; none without bounds. */
export function writeConditions(metric: AnalysisMetric): Conditions {
  const bounds = readBounds(metric);
  return bounds.length === 0 ? {} : { successCondition: bounds.map(writeBound).join(" and ") };
}

function writeBound({ side, text }: Bound): string {
  return `${accessor} ${side === "min" ? ">=" : "<="} ${text}`;
}

/** Finds the limits in a condition from `writeConditions`, in the unit of the values: seconds for durations. */
export function drawConditions({ successCondition }: Conditions): Thresholds {
  if (successCondition === undefined) return { thresholds: [], isComplete: true };
  const parts = successCondition.split(" and ").map(drawPart);
  return { thresholds: parts.flatMap((drawn) => drawn ?? []), isComplete: parts.every((drawn) => drawn !== undefined) };
}

function drawPart(text: string): Threshold | undefined {
  const { operator, number = "", unit = "" } = part.exec(text)?.groups ?? {};
  const value = Number(number);
  if ((operator !== ">=" && operator !== "<=") || number === "" || Number.isNaN(value)) return undefined;
  return {
    condition: "success",
    accessor,
    operator,
    value: unit === "ms" ? value / 1000 : value,
    text: `${number}${unit}`,
    inclusive: true,
    region: operator === ">=" ? "above" : "below",
  };
}

const noObject = { ok: false, reason: "Flagger keeps no such object." } as const;

/** Flagger's runs are derived from its messages (`reporting.ts`): of its objects only templates are parsed. */
export const flaggerMeasuring: MeasuringProvider = {
  kinds: ["Canary", "MetricTemplate"],
  parseRun: () => noObject,
  parseExperiment: () => noObject,
  parseTemplate: parseMetricTemplate,
  parseValue,
  judgeTermination: () => ({ by: "unclear" }),
  readRules: readRunRules,
  checkVerdict: () => ({ state: "undecided", findings: [{ kind: "undecided", rule: "provider", text: unchecked }] }),
  explaining: flaggerExplaining,
};

const unchecked =
  "Flagger decides by itself and reports values only of failed checks, so there is nothing to judge again.";

/** Reads a value as `deriveRun` writes it. */
function parseValue(text: string | undefined): MeasuredValue {
  if (text === undefined || text === "") return { kind: "empty" };
  const number = Number(text);
  if (Number.isNaN(number)) return { kind: text === "NaN" ? "nan" : "unparsable" };
  if (Number.isFinite(number)) return { kind: "number", number };
  return { kind: number > 0 ? "+inf" : "-inf" };
}
