import type { ChartPoint } from "#components/charts/prepare-metric-chart.ts";
import { formatExact } from "#components/ui/format-time.ts";
import { isNoValue, shownUnit, toShown } from "#lib/domain/units/show-value.ts";

/** Describes a measurement in a sentence, with all digits: for screen readers. */
export function describePoint(
  { seq, measurement, value: number, word }: ChartPoint,
  unit: string | null = null,
): string {
  const { value, phase, finishedAt, startedAt, message, explanation } = measurement;
  const recorded = value === null || isNoValue(value) ? (word ?? "no value") : value;
  const shown = number === undefined || shownUnit(unit) === unit ? recorded : toShown(number, unit);
  const inUnit = unit === null || word !== undefined ? recorded : `${shown} ${shownUnit(unit)}`;
  const parts = [`No. ${seq}: ${inUnit}`, phase, formatExact(finishedAt ?? startedAt)];
  if (message !== "") parts.push(message);
  return isExplained(measurement) ? `${parts.join(", ")}. ${explanation}` : parts.join(", ");
}

/** Returns why a measurement has its phase: the explanation, else the message; undefined if neither is known. */
export function explanationOf(measurement: ChartPoint["measurement"]): string | undefined {
  const { message, explanation } = measurement;
  if (isExplained(measurement)) return message === "" ? explanation : `${message}. ${explanation}`;
  return message === "" ? undefined : message;
}

/** The explanation of an error ends with its message. */
function isExplained({ message, explanation }: ChartPoint["measurement"]): boolean {
  return explanation !== undefined && !(message !== "" && explanation.endsWith(message));
}

/** Returns the index that a key moves to from `index`; undefined if the chart does not use the key. */
export function moveIndex(key: string, index: number, count: number): number | undefined {
  const last = count - 1;
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return Math.min(last, index + 1);
    case "ArrowLeft":
    case "ArrowDown":
      return Math.max(0, index - 1);
    case "Home":
      return 0;
    case "End":
      return last;
    case "PageUp":
      return Math.min(last, index + 10);
    case "PageDown":
      return Math.max(0, index - 10);
    default:
      return undefined;
  }
}
