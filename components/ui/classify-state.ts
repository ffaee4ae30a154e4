import type { StateKey } from "#components/ui/state-tokens.ts";
import type { ActionState } from "#lib/contract/action.ts";
import type { AuditOutcome } from "#lib/contract/audit.ts";
import type { RolloutPod } from "#lib/contract/cluster-objects.ts";
import type { AnalysisPhase } from "#lib/contract/common.ts";
import type { Attention, Release, RolloutSummary } from "#lib/contract/rollout.ts";
import type { SourceState } from "#lib/contract/system.ts";

/** What a badge shows: one of the eight states, and the word that fits the thing. */
export type ShownState = { state: StateKey; word: string };

const analysisStates: Record<AnalysisPhase, StateKey> = {
  Pending: "unknown",
  Running: "running",
  Successful: "successful",
  Failed: "failed",
  Error: "error",
  Inconclusive: "inconclusive",
  Unknown: "unknown",
};

export function classifyAnalysis(phase: AnalysisPhase): ShownState {
  return { state: analysisStates[phase] ?? "unknown", word: phase };
}

/** A ReplicaSet of an Experiment, by the words of its controller (utils/experiment, TemplateStatusCode). */
export function classifyExperimentTemplate(status: string): ShownState {
  if (status === "") return { state: "unknown", word: "Not begun" };
  return {
    state: analysisStates[status as AnalysisPhase] ?? (status === "Progressing" ? "running" : "unknown"),
    word: status,
  };
}

/** A pod: one that is not well is told by its reason, which says more than its phase. */
export function classifyPod({
  phase,
  reason,
  ready,
  presence,
}: Pick<RolloutPod, "phase" | "reason" | "ready" | "presence">): ShownState {
  if (presence === "deleted") return { state: "unknown", word: "Gone" };
  if (ready) return { state: "successful", word: "Ready" };
  if (phase === "Failed") return { state: "failed", word: reason ?? phase };
  if (phase === "Succeeded") return { state: "successful", word: reason ?? phase };
  if (reason !== null) return { state: startingReasons.has(reason) ? "running" : "error", word: reason };
  if (phase === "Running") return { state: "running", word: "Not ready" };
  return { state: phase === "Pending" ? "running" : "unknown", word: phase === "" ? "Unknown" : phase };
}

const startingReasons = new Set(["ContainerCreating", "PodInitializing"]);

/** A phase that comes as free text (timeline, evidence): an analysis phase, a rollout phase, or neither. */
export function classifyPhaseText(phase: string): ShownState {
  if (phase in analysisStates) return classifyAnalysis(phase as AnalysisPhase);
  const rolloutPhases: Record<string, StateKey> = {
    Healthy: "successful",
    Progressing: "running",
    Paused: "timed",
    Degraded: "failed",
  };
  return { state: rolloutPhases[phase] ?? "unknown", word: phase };
}

const attentionWords: Record<Attention["reason"], ShownState> = {
  inconclusive: { state: "inconclusive", word: "Inconclusive" },
  pause: { state: "waiting", word: "Waits for you" },
  blueGreenPromotion: { state: "waiting", word: "Waits for promotion" },
  gate: { state: "waiting", word: "Gate waits" },
  degraded: { state: "failed", word: "Degraded" },
  finding: { state: "unknown", word: "Finding" },
};

/** An inconclusive analysis outranks the phase: upstream calls such a rollout merely Paused. */
export function classifyRollout(rollout: Pick<RolloutSummary, "phase" | "attention" | "presence">): ShownState {
  if (rollout.presence !== "live") {
    return { state: "unknown", word: rollout.presence === "deleted" ? "Deleted" : "Not in the cluster" };
  }
  const reason = rollout.attention?.reason;
  if (reason !== undefined && reason !== "finding") return attentionWords[reason];
  return classifyPhaseText(rollout.phase);
}

const releaseStates: Record<Release["state"], ShownState> = {
  progressing: { state: "running", word: "Progressing" },
  paused: { state: "timed", word: "Paused" },
  promoted: { state: "successful", word: "Promoted" },
  aborted: { state: "failed", word: "Aborted" },
  superseded: { state: "unknown", word: "Superseded" },
  unknown: { state: "unknown", word: "Unknown" },
};

export function classifyRelease(state: Release["state"]): ShownState {
  return releaseStates[state] ?? releaseStates.unknown;
}

const sourceStates: Record<SourceState, ShownState> = {
  live: { state: "successful", word: "Live" },
  syncing: { state: "running", word: "Syncing" },
  stale: { state: "unknown", word: "Stale" },
  denied: { state: "failed", word: "Denied" },
  absent: { state: "unknown", word: "Absent" },
  suspect: { state: "error", word: "Suspect" },
  error: { state: "error", word: "Error" },
};

export function classifySource(state: string): ShownState {
  return sourceStates[state as SourceState] ?? { state: "unknown", word: state };
}

const outcomeStates: Record<Exclude<AuditOutcome, "intent">, ShownState> = {
  applied: { state: "successful", word: "Applied" },
  refused: { state: "failed", word: "Refused" },
  partial: { state: "error", word: "Half done" },
  unknown: { state: "unknown", word: "Outcome unknown" },
};

/** An intent has no outcome of its own: what came of it stands in the entry after it. */
export function classifyOutcome(outcome: AuditOutcome | undefined): ShownState | undefined {
  return outcome === undefined || outcome === "intent" ? undefined : (outcomeStates[outcome] ?? outcomeStates.unknown);
}

const actionStates: Record<ActionState, ShownState> = {
  requested: { state: "running", word: "Requested" },
  refused: { state: "failed", word: "Refused" },
  applied: { state: "running", word: "Applied, effect awaited" },
  effective: { state: "successful", word: "In effect" },
  "not-effective": { state: "error", word: "Without effect" },
  partial: { state: "error", word: "Half done" },
  unknown: { state: "unknown", word: "Outcome unknown" },
};

export function classifyAction(state: ActionState): ShownState {
  return actionStates[state] ?? actionStates.unknown;
}
