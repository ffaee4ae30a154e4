import { formatList } from "#lib/util/format-list.ts";
import type { DeliveryState, SkippedGate } from "./observation.ts";

/** Returns those that `next` remembers and `previous` does not. */
export function newlySkippedGates(
  previous: Pick<DeliveryState, "skippedGates">,
  next: Pick<DeliveryState, "skippedGates">,
): SkippedGate[] {
  const before = previous.skippedGates.map(({ step, at }) => `${step} ${at}`);
  return next.skippedGates.filter(({ step, at }) => !before.includes(`${step} ${at}`));
}

/** Formats "Gate at step 3 skipped by the controller: background analysis Inconclusive". */
export function formatSkippedGates(gates: readonly Pick<SkippedGate, "step" | "why">[]): string {
  const why = [...new Set(gates.map((gate) => gate.why))].join(", ");
  return `${nameGates(gates.map(({ step }) => step))} skipped by the controller: ${why}`;
}

/** Formats "Gate at step 3", "Gates at steps 3 and 5": counted from 1. */
export function nameGates(steps: readonly number[]): string {
  const numbers = steps.map((step) => String(step + 1));
  return `Gate${numbers.length === 1 ? "" : "s"} at ${numbers.length === 1 ? "step" : "steps"} ${formatList(numbers)}`;
}
