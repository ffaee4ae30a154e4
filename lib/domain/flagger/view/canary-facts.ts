import type { CanaryHistory } from "#lib/domain/flagger/history/run-memory.ts";
import type { CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import {
  type CanaryStrategy,
  hasNoRouter,
  type IsOurHook,
  skipsAnalysis,
  strategyOf,
  thresholdOf,
} from "#lib/domain/flagger/objects/canary-spec.ts";
import { type FailureMode, knowsSuspend, readFailureMode } from "#lib/domain/flagger/view/controller-version.ts";
import { assessReadiness, type Readiness } from "#lib/domain/flagger/view/primary-readiness.ts";
import { findTraffic, type Traffic } from "#lib/domain/flagger/view/traffic.ts";
import type { WorkloadState } from "#lib/domain/kube/workload-object.ts";

/** The input of an assessment of a Canary. */
export type AssessInput = {
  canary: CanaryObject;
  /** Flagger's version; undefined or null if unknown. */
  version: string | null | undefined;
  /** The controller's default router, from `flagger_info`; undefined if unknown. */
  meshProvider?: string | undefined;
  /** Undefined if nothing is recorded, as for the workloads of other kinds. */
  primary: WorkloadState | undefined;
  target: WorkloadState | undefined;
  previous?: CanaryHistory | undefined;
  isOurHook: IsOurHook;
  /** ISO 8601; without it a deadline counts as not reached. */
  now?: string | undefined;
};

/** The facts that the parts of an assessment share. */
export type CanaryFacts = {
  canary: CanaryObject;
  history: CanaryHistory;
  isOurHook: IsOurHook;
  phase: string;
  strategy: CanaryStrategy;
  /** Flagger's reaction to a failed promotion. */
  mode: FailureMode;
  knowsSuspend: boolean;
  /** Whether Flagger can move all users to the canary: not without a router, and not in an A/B test. */
  canMoveAllTraffic: boolean;
  skipsAnalysis: boolean;
  traffic: Traffic;
  primary: Readiness;
  target: Readiness;
  /** Pods that the target should have; null if unknown. */
  targetDesired: number | null;
  /** Whether primary and target run the same images; null if unknown. */
  hasSameImages: boolean | null;
  failedChecks: number;
  threshold: number;
  /** After at most one more failed check, Flagger rolls back. */
  isNearRollback: boolean;
};

export function readCanaryFacts(input: AssessInput): CanaryFacts {
  const { canary, meshProvider, previous: history = {}, now } = input;
  const strategy = strategyOf(canary, meshProvider);
  const threshold = thresholdOf(canary);
  const failedChecks = canary.status.failedChecks ?? 0;
  const version = input.version ?? undefined;
  return {
    canary,
    history,
    isOurHook: input.isOurHook,
    phase: canary.status.phase,
    strategy,
    mode: readFailureMode(version),
    knowsSuspend: knowsSuspend(version),
    canMoveAllTraffic: !hasNoRouter(canary, meshProvider) && strategy !== "ABTesting",
    skipsAnalysis: skipsAnalysis(canary),
    traffic: findTraffic({ canary, meshProvider, history }),
    primary: assessReadiness({ canary, workload: input.primary, role: "primary", now }),
    target: assessReadiness({ canary, workload: input.target, role: "target", now }),
    targetDesired: input.target?.desired ?? null,
    hasSameImages: compareImages(input.primary, input.target),
    failedChecks,
    threshold,
    isNearRollback: failedChecks > 0 && failedChecks >= threshold - 1,
  };
}

function compareImages(primary: WorkloadState | undefined, target: WorkloadState | undefined): boolean | null {
  if (primary === undefined || target === undefined) return null;
  if (primary.images.length === 0 || target.images.length === 0) return null;
  return primary.images.toSorted().join("\n") === target.images.toSorted().join("\n");
}
