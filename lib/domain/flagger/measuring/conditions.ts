import type { Conditions, Threshold, Thresholds } from "#lib/domain/delivery/explaining.ts";
import type { AnalysisMetric } from "./analysis-spec.ts";
import { type Bound, readBounds } from "./draw-range.ts";

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
