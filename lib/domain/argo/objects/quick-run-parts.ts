import type {
  ArgumentObject,
  DryRunObject,
  MeasurementObject,
  MetricObject,
  MetricResultObject,
} from "./analysis-run-parts.ts";

// Hand-written equivalents of the schemas of analysis-run-parts.ts: a run may have ten thousand of these, and its spec
// is read repeatedly. Undefined is not a verdict, but means "use the schema": a reader may be stricter than it, never
// laxer.

export function quickMeasurement(value: unknown): MeasurementObject | undefined {
  if (!isShape(value)) return undefined;
  const { phase, message, value: text, startedAt, finishedAt } = value;
  const metadata = value.metadata ?? undefined;
  if (!isText(phase) || !isText(message) || !isText(text) || !isText(startedAt) || !isText(finishedAt))
    return undefined;
  if (!isTextMap(metadata)) return undefined;
  return {
    ...value,
    phase: phase ?? "",
    message: message ?? "",
    value: text ?? undefined,
    startedAt: startedAt ?? undefined,
    finishedAt: finishedAt ?? undefined,
    metadata,
  };
}

const metricTexts = ["interval", "initialDelay", "successCondition", "failureCondition"];
const metricLimits = ["count", "failureLimit", "inconclusiveLimit", "consecutiveErrorLimit", "consecutiveSuccessLimit"];

export function quickMetric(value: unknown): MetricObject | undefined {
  if (!isShape(value) || typeof value.name !== "string") return undefined;
  const metric: Record<string, unknown> = { ...value };
  for (const key of metricTexts) {
    if (!isText(metric[key])) return undefined;
    metric[key] ??= undefined;
  }
  for (const key of metricLimits) {
    if (!isText(metric[key]) && !isNumber(metric[key])) return undefined;
    metric[key] ??= undefined;
  }
  metric.provider ??= undefined;
  if (metric.provider !== undefined && !isShape(metric.provider)) return undefined;
  return metric as MetricObject;
}

const counters = ["count", "successful", "failed", "inconclusive", "error", "consecutiveError", "consecutiveSuccess"];

/** Reads a result; `measurements` are already read. */
export function quickMetricResult(value: unknown, measurements: MeasurementObject[]): MetricResultObject | undefined {
  if (!isShape(value) || typeof value.name !== "string" || !isText(value.phase) || !isText(value.message))
    return undefined;
  const result: Record<string, unknown> = {
    ...value,
    phase: value.phase ?? "",
    message: value.message ?? "",
    measurements,
  };
  for (const key of counters) {
    result[key] ??= 0;
    if (!isNumber(result[key])) return undefined;
  }
  result.dryRun ??= undefined;
  if (result.dryRun !== undefined && typeof result.dryRun !== "boolean") return undefined;
  result.metadata ??= undefined;
  if (!isTextMap(result.metadata)) return undefined;
  return result as MetricResultObject;
}

/** Reads an argument; leaves one whose value comes from elsewhere to the schema. */
export function quickArgument(value: unknown): ArgumentObject | undefined {
  if (!isShape(value) || typeof value.name !== "string" || !isText(value.value) || value.valueFrom != null)
    return undefined;
  return { ...value, name: value.name, value: value.value ?? undefined, valueFrom: undefined };
}

export function quickDryRun(value: unknown): DryRunObject | undefined {
  return isShape(value) && typeof value.metricName === "string"
    ? { ...value, metricName: value.metricName }
    : undefined;
}

/** Returns whether it is an object without fields that are special to JavaScript itself. */
function isShape(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return !Object.hasOwn(value, "__proto__") && !Object.hasOwn(value, "constructor");
}

function isText(value: unknown): value is string | null | undefined {
  return typeof value === "string" || value === undefined || value === null;
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function isTextMap(value: unknown): value is Record<string, string> | undefined {
  if (value === undefined) return true;
  return isShape(value) && Object.values(value).every((each) => typeof each === "string");
}
