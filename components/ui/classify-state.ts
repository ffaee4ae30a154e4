import { type Judged, measuredPhaseOf } from "#components/ui/order-metrics.ts";
import type { StateKey } from "#components/ui/state-tokens.ts";
import type { Action, ActionState } from "#lib/contract/action.ts";
import type { AuditOutcome } from "#lib/contract/audit.ts";
import type { RolloutPod } from "#lib/contract/cluster-objects.ts";
import type { AnalysisPhase } from "#lib/contract/common.ts";
import type { Attention, Release, RolloutSummary } from "#lib/contract/rollout.ts";
import type { Source, SourceState } from "#lib/contract/system.ts";

/** The content of a badge: one of the eight states, and a word that suits the object. */
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

/** A verdict that contradicts the recorded measurements. */
export const verdictMismatch: ShownState = { state: "failed", word: "Verdict mismatch" };

/** Classifies a metric by what its measurements give. */
export function classifyMetric(metric: Judged): ShownState {
  const shown = classifyAnalysis(measuredPhaseOf(metric));
  return (metric.replayedPhase ?? null) === null ? shown : { ...shown, word: `${shown.word} by its measurements` };
}

/** Classifies a ReplicaSet of an Experiment by its controller's terms (utils/experiment, TemplateStatusCode). */
export function classifyExperimentTemplate(status: string): ShownState {
  if (status === "") return { state: "unknown", word: "Not started" };
  return {
    state: analysisStates[status as AnalysisPhase] ?? (status === "Progressing" ? "running" : "unknown"),
    word: status,
  };
}

/** Classifies a pod; an unhealthy one by its reason, which is more specific than its phase. */
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

/** Classifies an analysis phase given as free text, from an old entry or another version. */
export function classifyPhaseText(phase: string): ShownState {
  return phase in analysisStates ? classifyAnalysis(phase as AnalysisPhase) : { state: "unknown", word: phase };
}

const rolloutPhases: Record<string, StateKey> = {
  Healthy: "successful",
  Progressing: "running",
  Paused: "timed",
  Degraded: "failed",
};

/** A finding is shown beside the state, not as one. */
const attentionWords: Record<Exclude<Attention["reason"], "finding">, ShownState> = {
  inconclusive: { state: "inconclusive", word: "Inconclusive" },
  // Not "for you": the reader may have no right to act, and a record is about the past.
  pause: { state: "waiting", word: "Waiting for a person" },
  blueGreenPromotion: { state: "waiting", word: "Waiting for promotion" },
  gate: { state: "waiting", word: "Waiting at a gate" },
  degraded: { state: "failed", word: "Degraded" },
};

export type Moment = {
  phase: string;
  /** Why it waits for a person; undefined if not recorded. */
  attention?: Attention["reason"] | null | undefined;
  /** The controller's reasons for holding it, or the status message that names one. */
  holds?: readonly string[] | undefined;
};

/**
 * Classifies a rollout at one moment, now or in a record: the only place that applies the table of states to a rollout.
 * Upstream calls everything that does not move Paused; the reason for waiting outranks that word. A record without that
 * reason still names its pauses.
 */
export function classifyMoment({ phase, attention, holds = [] }: Moment): ShownState {
  if (attention !== undefined && attention !== null && attention !== "finding") return attentionWords[attention];
  if (phase !== "Paused") return { state: rolloutPhases[phase] ?? "unknown", word: phase };
  if (holds.some((hold) => hold.startsWith("Inconclusive"))) return attentionWords.inconclusive;
  if (holds.includes("manually paused")) return attentionWords.pause;
  if (attention === undefined && holds.includes("BlueGreenPause")) return attentionWords.blueGreenPromotion;
  return { state: "timed", word: phase };
}

/**
 * An aborted Rollout has the word of its release: Argo Rollouts calls it Degraded, as it does a broken one. A Canary is
 * Degraded: Flagger's failures leave traffic in several places.
 */
export function classifyRollout({
  phase,
  attention,
  presence,
  kind,
  abortPoint = null,
}: Pick<RolloutSummary, "phase" | "presence"> &
  Partial<Pick<RolloutSummary, "kind" | "abortPoint">> & { attention: Pick<Attention, "reason"> | null }): ShownState {
  if (presence !== "live") return { state: "unknown", word: presence === "deleted" ? "Deleted" : "Not in the cluster" };
  if (kind === "Rollout" && phase === "Degraded" && abortPoint !== null) return { state: "failed", word: "Aborted" };
  return classifyMoment({ phase, attention: attention?.reason ?? null });
}

const releaseStates: Record<Release["state"], ShownState> = {
  progressing: { state: "running", word: "Progressing" },
  paused: { state: "timed", word: "Paused" },
  promoted: { state: "successful", word: "Promoted" },
  aborted: { state: "failed", word: "Aborted" },
  superseded: { state: "unknown", word: "Superseded" },
  unknown: { state: "unknown", word: "Unknown" },
};

/** Classifies a release: by its rollout's state while in progress, by its result once over. */
export function classifyRelease({
  state,
  waitsFor,
  message,
}: Pick<Release, "state" | "waitsFor" | "message">): ShownState {
  if (state === "progressing" && waitsFor === null) return releaseStates.progressing;
  if (state === "progressing" || state === "paused")
    return classifyMoment({ phase: "Paused", attention: waitsFor, holds: [message] });
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
  partial: { state: "error", word: "Partially applied" },
  unknown: { state: "unknown", word: "Outcome unknown" },
};

/** Classifies an outcome. An intent has none of its own; its result is in the entry that follows it. */
export function classifyOutcome(outcome: AuditOutcome | undefined): ShownState | undefined {
  return outcome === undefined || outcome === "intent" ? undefined : (outcomeStates[outcome] ?? outcomeStates.unknown);
}

const actionStates: Record<ActionState, ShownState> = {
  requested: { state: "running", word: "Requested" },
  refused: { state: "failed", word: "Refused" },
  applied: { state: "running", word: "Applied, effect awaited" },
  effective: { state: "successful", word: "In effect" },
  "not-effective": { state: "error", word: "No effect" },
  partial: { state: "error", word: "Partially applied" },
  unknown: { state: "unknown", word: "Outcome unknown" },
};

export function classifyAction({ state, final }: Pick<Action, "state" | "final">): ShownState {
  if (state === "not-effective" && !final) return { state: "inconclusive", word: "No effect yet" };
  return actionStates[state] ?? actionStates.unknown;
}

/**
 * Returns whether another cluster, or an older state of the same one, answers under a source's name (FC-19). In that
 * case no action runs there, not even an abort. The contract has no code for this case, only the recorder's words.
 */
export function isForeign({ state, lastError }: Pick<Source, "state" | "lastError">): boolean {
  if (state !== "error" || lastError === null) return false;
  return lastError.includes("another cluster answers") || lastError.includes("versions went backwards");
}
