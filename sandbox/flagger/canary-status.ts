import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { formatTime } from "#sandbox/controllers/clock.ts";
import {
  analysisOf,
  type Canary,
  type CanaryCondition,
  type CanaryStatus,
  type Phase,
  viewCanary,
} from "./canary-types.ts";
import type { FlaggerContext } from "./flagger-context.ts";
import { FLAGGER_MANAGER } from "./flagger-context.ts";
import { computeTargetHash, computeTrackedConfigs } from "./target-workload.ts";

/** Returns the Canary as it is now; undefined if it is gone. */
export function readCanary({ store }: FlaggerContext, namespace: string, name: string): Canary | undefined {
  const object = store.get("canaries", namespace, name);
  return object === undefined ? undefined : viewCanary(object);
}

/**
 * Sets phase and counts together, and takes over the hash of the target (pkg/canary/status.go syncCanaryStatus of
 * flagger 1.44.0). Counts that are not given become zero. `status.phase` of the Canary decides about the condition.
 */
export function syncStatus(
  context: FlaggerContext,
  canary: Canary,
  wanted: Pick<CanaryStatus, "phase"> & Partial<CanaryStatus>,
): void {
  const { phase, canaryWeight = 0, failedChecks = 0, iterations = 0 } = wanted;
  const hash = computeTargetHash(context, canary);
  const trackedConfigs = computeTrackedConfigs(context, canary);
  writeStatus(context, canary, phase, (status) => ({
    ...status,
    ...{ phase, canaryWeight, failedChecks, iterations, trackedConfigs, lastAppliedSpec: hash },
    ...(phase === "Initialized" ? { lastPromotedSpec: hash } : {}),
  }));
}

/**
 * Sets the phase (pkg/canary/status.go setStatusPhase). Weight and iterations are kept only for Progressing, Waiting
 * and Promoting; WaitingPromotion has one iteration less than the analysis, so -1 without any.
 */
export function setPhase(context: FlaggerContext, canary: Canary, phase: Phase): void {
  const isKept = phase === "Progressing" || phase === "Waiting" || phase === "Promoting";
  const iterations = phase === "WaitingPromotion" ? (analysisOf(canary).iterations ?? 0) - 1 : 0;
  const isPromoted = phase === "Initialized" || phase === "Succeeded";
  writeStatus(context, canary, phase, (status) => ({
    ...status,
    phase,
    ...(isKept ? {} : { canaryWeight: 0, iterations }),
    ...(isPromoted && status.lastAppliedSpec !== undefined ? { lastPromotedSpec: status.lastAppliedSpec } : {}),
  }));
}

/** Sets one count. */
export function setCount(
  context: FlaggerContext,
  canary: Canary,
  change: Partial<Pick<CanaryStatus, "canaryWeight" | "iterations" | "failedChecks">>,
): void {
  writeStatus(context, canary, undefined, (status) => ({ ...status, ...change }));
}

/** Sets only the condition and the phase of a Canary that is new (pkg/controller/scheduler.go setPhaseInitializing). */
export function setInitializing(context: FlaggerContext, canary: Canary): void {
  writeStatus(context, canary, "Initializing", (status) => ({ ...status, phase: "Initializing" }));
}

/** Each write changes the newest status, as upstream's retry after a conflict does, and moves lastTransitionTime. */
function writeStatus(
  { store, clock }: FlaggerContext,
  canary: Canary,
  phase: Phase | undefined,
  change: (status: CanaryStatus) => CanaryStatus,
): void {
  const { namespace, name } = canary.metadata;
  const latest = store.get("canaries", namespace, name);
  const view = latest === undefined ? undefined : viewCanary(latest);
  if (latest === undefined || view === undefined) {
    return;
  }
  const now = formatTime(clock.now());
  const status: CanaryStatus = { ...change(view.status), lastTransitionTime: now };
  if (phase !== undefined) {
    status.conditions = [makeCondition(canary, view.status.conditions?.[0], { phase, now })];
  }
  const next: KubeObject = { ...latest, status };
  store.update("canaries", next, { manager: FLAGGER_MANAGER, subresource: "status" });
}

function makeCondition(
  { spec }: Canary,
  current: CanaryCondition | undefined,
  { phase, now }: { phase: Phase; now: string },
): CanaryCondition {
  const status = statusOf(phase);
  if (current?.status === status && current.reason === phase) {
    return current;
  }
  const lastTransitionTime = current?.status === status ? current.lastTransitionTime : now;
  const message = messageOf(phase, spec.targetRef.kind);
  return { type: "Promoted", status, reason: phase, message, lastUpdateTime: now, lastTransitionTime };
}

function statusOf(phase: Phase): CanaryCondition["status"] {
  switch (phase) {
    case "Initialized":
    case "Succeeded":
      return "True";
    case "Failed":
      return "False";
    default:
      return "Unknown";
  }
}

function messageOf(phase: Phase, kind: string): string {
  switch (phase) {
    case "":
    case "Initializing":
      return `New ${kind} detected, starting initialization.`;
    case "Initialized":
      return `${kind} initialization completed.`;
    case "Waiting":
    case "WaitingPromotion":
      return "Waiting for approval.";
    case "Progressing":
      return "New revision detected, progressing canary analysis.";
    case "Promoting":
      return "Canary analysis completed, starting primary rolling update.";
    case "Finalising":
      return "Canary analysis completed, routing all traffic to primary.";
    case "Succeeded":
      return "Canary analysis completed successfully, promotion finished.";
    case "Failed":
      return `Canary analysis failed, ${kind} scaled to zero.`;
  }
}
