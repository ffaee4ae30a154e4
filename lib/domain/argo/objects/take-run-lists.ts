import type { z } from "zod";
import {
  ArgumentObject,
  DryRunObject,
  MeasurementObject,
  MetricObject,
  MetricResultObject,
} from "./analysis-run-parts.ts";
import { quickArgument, quickDryRun, quickMeasurement, quickMetric, quickMetricResult } from "./quick-run-parts.ts";

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
  const rest: Record<string, unknown> | undefined = isShape(object) ? { ...object } : undefined;
  const taken: { part: string; key: string; read: Taken }[] = [];
  for (const { part, key, take } of lists) {
    const own = rest?.[part];
    const list = isShape(own) ? own[key] : undefined;
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
    const measurements = isShape(element) ? (element.measurements ?? []) : undefined;
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

function isShape(value: unknown): value is Shape {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
