import type { RunPhase } from "#lib/domain/delivery/run-phase.ts";
import type { MessageKind } from "#lib/domain/flagger/events/flagger-message.ts";
import type { RunMessage } from "./run-message.ts";

const failures: readonly MessageKind[] = ["halt-metric", "halt-hook"];
const errors: readonly MessageKind[] = ["halt-no-values", "metric-query-error", "metric-config-error"];

/**
 * Judges how an analysis ended, from the phase of its Canary and the messages of the run in order. Flagger's Failed is
 * - `Successful` if the promotion had begun: the analysis passed, and the promotion failed;
 * - `Error` if nothing could be measured, or a workload did not become ready;
 * - `Inconclusive` if a person's hook asked for the rollback;
 * - `Failed` otherwise.
 * A run that another replaced, or whose Canary was deleted, is `Inconclusive`.
 */
export function judgeRun({
  phase,
  isEnded,
  isPromotionSeen = false,
  messages,
  cause,
}: {
  phase: string;
  isEnded: boolean;
  isPromotionSeen?: boolean | undefined;
  messages: readonly RunMessage[];
  cause: RunMessage | undefined;
}): RunPhase {
  if (!isEnded) return "Running";
  if (phase === "Succeeded") return "Successful";
  if (phase !== "Failed") return "Inconclusive";
  const kinds = messages.map(({ message }) => message.kind);
  const hasPromotion = kinds.includes("promotion-started") || kinds.includes("promotion-failed");
  if (hasPromotion || isPromotionSeen) return "Successful";
  const kind = cause?.message.kind;
  if (kind === "rollback-manual") return "Inconclusive";
  if (kind === "workload-not-ready" || kind === "rollback-deadline") return "Error";
  const hasOnlyErrors = kinds.some((each) => errors.includes(each)) && !kinds.some((each) => failures.includes(each));
  return hasOnlyErrors ? "Error" : "Failed";
}
