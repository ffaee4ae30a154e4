import { isNotReady, isUsable } from "#lib/domain/flagger/view/primary-readiness.ts";
import type { CanaryFacts } from "./canary-facts.ts";
import { type CanaryState, findActiveState } from "./find-state.ts";

/** `attention`: a person should look. `warning`: something goes wrong. `critical`: users are or will be affected. */
export type Severity = "ok" | "info" | "attention" | "warning" | "critical";

const order: readonly Severity[] = ["ok", "info", "attention", "warning", "critical"];

export function assessSeverity(facts: CanaryFacts, state: CanaryState): Severity {
  if (state === "suspended") return highestOf("attention", assessSeverity(facts, findActiveState(facts)));
  switch (state) {
    case "unknown":
      return "warning";
    case "terminating":
      return "info";
    case "promotion-at-risk":
      return isWithoutPods(facts) || (isDestructive(facts) && !isOrdinaryUpdate(facts)) ? "critical" : "warning";
    case "promotion-stuck":
      return isWithoutPods(facts) ? "critical" : "warning";
    case "promotion-failed-canary-serving":
      return isUsable(facts.primary) ? "warning" : "critical";
    case "promotion-failed-outage":
      return "critical";
    case "failed-rolled-back":
    case "failed-revision-not-picked-up":
      return isNotReady(facts.primary) && isWithoutPods(facts) ? "critical" : "warning";
    default:
      return highestOf(baseOf(state), troubleOf(facts, state));
  }
}

/**
 * Returns whether the next check after the deadline sends users to the primary although it is not ready. skipAnalysis
 * leaves out the check of the primary in every version.
 */
export function isDestructive({ mode, skipsAnalysis }: Pick<CanaryFacts, "mode" | "skipsAnalysis">): boolean {
  return mode === "outage" || skipsAnalysis;
}

/** Returns whether the primary has no pod that serves, as far as is known. */
export function isWithoutPods({ primary }: Pick<CanaryFacts, "primary">): boolean {
  return primary.available === 0;
}

/** A DaemonSet's ordinary update is at risk from its beginning: it has no condition that tells more. */
function isOrdinaryUpdate({ canary, primary }: CanaryFacts): boolean {
  return canary.spec.targetRef.kind === "DaemonSet" && primary.kind === "at-risk";
}

function baseOf(state: CanaryState): Severity {
  if (state === "idle" || state === "succeeded" || state === "failed-reverted") return "ok";
  return state.startsWith("awaiting-") ? "attention" : "info";
}

function troubleOf(facts: CanaryFacts, state: CanaryState): Severity {
  const { primary, target, traffic, failedChecks } = facts;
  const isRunning = state === "analyzing" || state === "awaiting-step" || state === "awaiting-promotion";
  if (state !== "initializing" && (primary.kind === "at-risk" || primary.kind === "failed")) return "warning";
  if (state === "awaiting-start" && (traffic.statusPercent ?? 0) > 0) return "warning";
  if (isRunning && (facts.isNearRollback || target.kind === "failed")) return "warning";
  return facts.skipsAnalysis || (isRunning && failedChecks > 0) ? "attention" : "ok";
}

function highestOf(one: Severity, other: Severity): Severity {
  return order.indexOf(one) >= order.indexOf(other) ? one : other;
}
