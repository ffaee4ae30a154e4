import { formatList } from "#lib/util/words.ts";

/** Something that the rollout waits for. */
export type Wait = {
  /** Stays the same for as long as the wait lasts. */
  key: string;
  /** For the timeline, such as "Waits for a person at step 2 of 5". */
  text: string;
};

/**
 * The activity of a release. `held`: a person paused it in its spec; `waiting`: the controller waits for a person;
 * `pausing`: a pause with an end; `analysing`: it goes no further until an analysis has ended.
 */
export const activities = ["progressing", "analysing", "pausing", "waiting", "held"] as const;
export type Activity = (typeof activities)[number];

/** An analysis run that counts for the release. */
export type CountedRun = {
  /** Such as "Step analysis". One run per title at a time. */
  title: string;
  name: string;
  phase: string;
  /** The controller waits for a person because of this run. Absent if the provider cannot tell. */
  isHeld?: boolean;
};

/** A plugin's answer to one operation on a step. */
export type PluginStep = {
  /** Index of the step. */
  step: number;
  name: string;
  /** `Run`, or `Terminate` or `Abort` after that. */
  operation: string;
  phase: string;
  message: string;
  /** The controller's config disables the plugin: its steps are passed over. */
  isDisabled: boolean;
};

/** A pause that the controller passed without holding it. */
export type SkippedGate = {
  /** Index of the step. */
  step: number;
  /** ISO 8601, as observed. */
  at: string;
  /** Why the controller did not hold it, such as "background analysis Inconclusive". */
  why: string;
  /** The analysis run that caused this. */
  run: string | null;
};

/** The pauses of a release, and how far it has got through them. */
export type PausePlace = {
  /** Indices of the steps that pause, ascending. The wait before the promotion of a strategy without steps has index 0. */
  steps: readonly number[];
  /** How many of them it has reached, and how many of those it has passed. */
  reached: number;
  passed: number;
  /** It is at a pause that ends by itself. */
  isTimed: boolean;
};

/**
 * A provider's description of a rollout at one moment, in the terms that all providers share. Releases, timeline and
 * attention are derived from it. Invariant: unknown values are undefined or null, never guessed.
 */
export type DeliveryState = {
  /** Key of the revision that is wanted; empty until the controller has seen it. */
  runKey: string;
  /** ISO 8601; since when the wanted revision has waited for its start. Absent if it did not, or is still waiting. */
  waitedSince?: string;
  /** Key of the stable revision; empty before the first promotion. */
  stableKey: string;
  /** Identifies the steps. A change sends an unfinished release back to its first step. Empty if unknown. */
  stepsKey: string;
  /** Key of the revision that a switch of traffic serves; null for strategies without a switch. */
  servedKey?: string | null;
  phase: string;
  message: string;
  strategy: string | null;
  revision: number | null;
  /** Completed steps. */
  step: number | null;
  stepCount: number;
  /** Describes the current step; null past the last one. */
  stepText: string | null;
  /** Percentage of the traffic that the strategy requests; null for strategies without weights. */
  weight: number | null;
  /** Images of the wanted revision. */
  images: string[];
  /**
   * Digest of the recorded pod template of the revision that `runKey` names, if a workload beside the rollout has it.
   * Absent if it is not known, or if the revision has a ReplicaSet of its own.
   */
  templateDigest?: string;
  /** The same for the stable revision: of the workload that runs it, as the controller copied it. */
  stableTemplateDigest?: string;
  isAbortAsked: boolean;
  /** Whether the controller has aborted: a request does not suffice. */
  isAborted: boolean;
  /** ISO 8601; another time means another abort. */
  abortedAt: string | null;
  /** For the timeline, such as "Aborted by the controller: errors failed twice (1 allowed)". */
  abortText: string;
  isFullPromotionAsked: boolean;
  /** A person paused it in its spec. */
  isPausedByPerson: boolean;
  /** The activity of its release, if one is under way. */
  activity: Activity;
  waits: Wait[];
  runs: CountedRun[];
  /** Absent in observations from before these were recorded, and for providers without plugins. */
  plugins?: readonly PluginStep[];
  /** Name of the Experiment in progress. */
  experiment?: string;
  /** Those of this release, oldest first. */
  skippedGates: SkippedGate[];
  /** Of the revision in `runKey`. Absent in observations from before these were recorded, and if the provider has none. */
  pauses?: PausePlace;
  /** How many revisions back a release may skip its steps. */
  rollbackWindow: number | null;
  /** False while the status still describes an older spec. */
  isSpecObserved: boolean;
  isScaledToZero?: boolean;
  /** True in the last observation of an object whose deletion was seen. */
  isDeleted: boolean;
};

/** One state of a rollout, as the recorder saw it. */
export type Observation = {
  /** ISO 8601; when the recorder saw it. */
  observedAt: string;
  resourceVersion: string;
  /** The client that wrote it; null if it was the controller or is unknown. */
  client: string | null;
  state: DeliveryState;
};

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
