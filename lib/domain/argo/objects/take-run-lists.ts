import type { z } from "zod";
import { isRecord } from "#lib/util/json.ts";
import {
  ArgumentObject,
  DryRunObject,
  MeasurementObject,
  MetricObject,
  MetricResultObject,
  mostCounted,
} from "./analysis-run-parts.ts";

type Shape = Readonly<Record<string, unknown>>;

/** A list as read, or its first element that no schema accepts: `short` is only that one, at `index` of the list. */
type Taken = { values: unknown[] } | { index: number; short: unknown; inner?: number | undefined };

const lists: readonly { part: "spec" | "status"; key: string; take(list: readonly unknown[]): Taken }[] = [
  { part: "spec", key: "metrics", take: (list) => takeList(list, quickMetric, MetricObject) },
  { part: "spec", key: "args", take: (list) => takeList(list, quickArgument, ArgumentObject) },
  { part: "spec", key: "dryRun", take: (list) => takeList(list, quickDryRun, DryRunObject) },
  { part: "status", key: "metricResults", take: takeResults },
];

/**
 * Takes the lists out of a run and reads them by hand, element by element. The schema then sees the run without them,
 * or with the first element that does not fit, and reports why; `placeOf` gives the position in the whole run.
 */
export function takeLists(object: unknown): {
  rest: unknown;
  placeOf(path: readonly PropertyKey[]): readonly PropertyKey[];
  /** Only for runs that the schema accepted. */
  putBack<Value extends object>(value: Value): Value;
} {
  const rest: Record<string, unknown> | undefined = isRecord(object) ? { ...object } : undefined;
  const taken: { part: string; key: string; read: Taken }[] = [];
  for (const { part, key, take } of lists) {
    const own = rest?.[part];
    const list = isRecord(own) ? own[key] : undefined;
    if (rest === undefined || !Array.isArray(list)) continue;
    const read = take(list);
    taken.push({ part, key, read });
    rest[part] = { ...(own as Shape), [key]: "values" in read ? [] : [read.short] };
  }
  return {
    rest: rest ?? object,
    placeOf: (path) => taken.reduce((place, each) => placeIn(place, each), path),
    putBack(value) {
      const whole = { ...value } as Record<string, unknown>;
      for (const { part, key, read } of taken)
        if ("values" in read) whole[part] = { ...(whole[part] as Shape), [key]: read.values };
      return whole as typeof value;
    },
  };
}

function takeList(
  list: readonly unknown[],
  quick: (value: unknown) => unknown,
  schema: z.ZodType,
): Extract<Taken, { values: unknown }> | { index: number; short: unknown } {
  const values: unknown[] = [];
  for (const [index, element] of list.entries()) {
    const value = quick(element) ?? schema.safeParse(element).data;
    if (value === undefined) return { index, short: element };
    values.push(value);
  }
  return { values };
}

function takeResults(list: readonly unknown[]): Taken {
  const values: unknown[] = [];
  for (const [index, element] of list.entries()) {
    const measurements = isRecord(element) ? (element.measurements ?? []) : undefined;
    const read = Array.isArray(measurements) ? takeList(measurements, quickMeasurement, MeasurementObject) : undefined;
    if (read === undefined) return { index, short: element };
    if (!("values" in read))
      return { index, short: { ...(element as Shape), measurements: [read.short] }, inner: read.index };
    const own = read.values as MeasurementObject[];
    const head = { ...(element as Shape), measurements: [] };
    const value = quickMetricResult(head, own) ?? withOwn(MetricResultObject.safeParse(head).data, own);
    if (value === undefined) return { index, short: head };
    values.push(value);
  }
  return { values };
}

function withOwn(result: MetricResultObject | undefined, measurements: MeasurementObject[]): unknown {
  return result === undefined ? undefined : { ...result, measurements };
}

function placeIn(
  path: readonly PropertyKey[],
  { part, key, read }: { part: string; key: string; read: Taken },
): readonly PropertyKey[] {
  if ("values" in read || path[0] !== part || path[1] !== key || path[2] !== 0) return path;
  const place = path.with(2, read.index);
  return read.inner !== undefined && path[3] === "measurements" && path[4] === 0 ? place.with(4, read.inner) : place;
}

// Hand-written equivalents of the schemas of analysis-run-parts.ts: a run may have ten thousand of these, and its spec
// is read repeatedly. Undefined is not a verdict, but means "use the schema": a reader may be stricter than it, never
// laxer.

export function quickMeasurement(value: unknown): MeasurementObject | undefined {
  if (!isPlainShape(value)) return undefined;
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
  if (!isPlainShape(value) || typeof value.name !== "string") return undefined;
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
  if (metric.provider !== undefined && !isPlainShape(metric.provider)) return undefined;
  return metric as MetricObject;
}

const counters = ["count", "successful", "failed", "inconclusive", "error", "consecutiveError", "consecutiveSuccess"];

/** Reads a result; `measurements` are already read. */
function quickMetricResult(value: unknown, measurements: MeasurementObject[]): MetricResultObject | undefined {
  if (!isPlainShape(value) || typeof value.name !== "string" || !isText(value.phase) || !isText(value.message))
    return undefined;
  const result: Record<string, unknown> = {
    ...value,
    phase: value.phase ?? "",
    message: value.message ?? "",
    measurements,
  };
  for (const key of counters) {
    result[key] ??= 0;
    if (!isCount(result[key])) return undefined;
  }
  result.dryRun ??= undefined;
  if (result.dryRun !== undefined && typeof result.dryRun !== "boolean") return undefined;
  result.metadata ??= undefined;
  if (!isTextMap(result.metadata)) return undefined;
  return result as MetricResultObject;
}

/** Reads an argument; leaves one whose value comes from elsewhere to the schema. */
export function quickArgument(value: unknown): ArgumentObject | undefined {
  if (!isPlainShape(value) || typeof value.name !== "string" || !isText(value.value) || value.valueFrom != null)
    return undefined;
  return { ...value, name: value.name, value: value.value ?? undefined, valueFrom: undefined };
}

export function quickDryRun(value: unknown): DryRunObject | undefined {
  return isPlainShape(value) && typeof value.metricName === "string"
    ? { ...value, metricName: value.metricName }
    : undefined;
}

/** Returns whether it is an object without fields that are special to JavaScript itself. */
function isPlainShape(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return !Object.hasOwn(value, "__proto__") && !Object.hasOwn(value, "constructor");
}

function isText(value: unknown): value is string | null | undefined {
  return typeof value === "string" || value === undefined || value === null;
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= mostCounted;
}

function isTextMap(value: unknown): value is Record<string, string> | undefined {
  if (value === undefined) return true;
  return isPlainShape(value) && Object.values(value).every((each) => typeof each === "string");
}
