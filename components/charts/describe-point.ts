import type { ChartPoint } from "#components/charts/prepare-metric-chart.ts";
import { formatExact } from "#components/ui/format-time.ts";

/** Describes a measurement in a sentence, exactly as recorded: for the readout and for screen readers. */
export function describePoint({ seq, measurement, word }: ChartPoint): string {
  const { value, phase, finishedAt, startedAt, message, explanation } = measurement;
  const shown = value === null || value === "" ? (word ?? "no value") : value;
  const parts = [`No. ${seq}: ${shown}`, phase, formatExact(finishedAt ?? startedAt)];
  if (message !== "") parts.push(message);
  // The explanation of an error ends with its message.
  const isExplained = explanation !== undefined && !(message !== "" && explanation.endsWith(message));
  return isExplained ? `${parts.join(", ")}. ${explanation}` : parts.join(", ");
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
