import type { ReleaseState } from "#lib/domain/delivery/derive-releases.ts";
import type { Attention } from "#lib/domain/delivery/detail.ts";
import type { RunType } from "#lib/domain/delivery/measuring.ts";
import type { Observation } from "#lib/domain/delivery/observation.ts";
import type { VerdictCheck } from "#lib/domain/delivery/verdict-check.ts";
import type { OversightLimits } from "./limits.ts";
import type { ChangeAction, Trouble, UnaskedChange } from "./provider-reports.ts";

/** An observation, with the changes since the one before that were not the controller's. */
export type FactObservation = Observation & { changes: readonly UnaskedChange[] };

/** Times in ISO 8601, by our clock. */
export type FactRelease = {
  runKey: string;
  attempt: number;
  revision: number | null;
  state: ReleaseState;
  images: readonly string[];
  startedAt: string;
  endedAt: string | null;
};

export type FactMetric = {
  name: string;
  dryRun: boolean;
  /** Changes between good and bad among the newest measurements. */
  flips: number;
  /** How many measurements `flips` is about. */
  looked: number;
  /** Measurements that are known to be missing, and those that the controller took again. */
  lost: number;
  takenAgain: number;
  /** Whether a gap has no known end. */
  isLossOpen: boolean;
};

/** Times in ISO 8601; `createdAt` and `completedAt` by the cluster's clock. */
export type FactRun = {
  uid: string;
  name: string;
  type: RunType;
  /** Counted from 0. */
  stepIndex: number | null;
  runKey: string | null;
  phase: string;
  createdAt: string;
  completedAt: string | null;
  /** Null until it was checked. */
  verdict: VerdictCheck | null;
  metrics: readonly FactMetric[];
  /** Metrics that cannot fail by their rules, each with the reason. */
  harmless: readonly { metric: string; why: string }[];
};

export type FactExperiment = {
  uid: string;
  name: string;
  runKey: string | null;
  phase: string;
  completedAt: string | null;
};

/** An action that was requested from Gatehouse and sent. */
export type FactAction = {
  id: string;
  action: string;
  label: string;
  state: string;
  /** Why it had no effect: awaited, superseded or given-up. */
  effectWhy: string | null;
  requestedAt: string;
  actor: string;
  /** Sequence number of its newest audit entry; null without one. */
  auditSeq: string | null;
};

/** A change that was made in the cluster without Gatehouse. */
export type FactAct = {
  action: ChangeAction;
  client: string | null;
  at: string;
  auditSeq: string;
};

/** A pause that Gatehouse placed, or tried to place, by itself. */
export type FactHold = {
  runKey: string;
  step: number;
  /** Name of the Inconclusive run. */
  run: string;
  at: string;
  /** Null until the cluster has answered. */
  outcome: "placed" | "refused" | null;
  message: string | null;
};

/** All that the rules about a rollout may look at. */
export type RolloutFacts = {
  /** ISO 8601; by the database's clock. */
  now: string;
  limits: OversightLimits;
  controllerName: string;
  /** Undefined if it is not known. */
  controllerVersion: string | undefined;
  /** Undefined if the rollout waits for no one, or if its wait was answered. */
  wait: Attention | undefined;
  /** Percent on the new version; null if it is not known. */
  weight: number | null;
  /** Where `weight` comes from. */
  weightFrom: "route" | "status";
  /** When the route's weight was read; null if `weight` is from the status, which is current. */
  weightAt: string | null;
  troubles: readonly Trouble[];
  /** Of the releases below, oldest first. */
  observations: readonly FactObservation[];
  /** The newest ones, oldest first. */
  releases: readonly FactRelease[];
  /** Of those releases, oldest first. */
  runs: readonly FactRun[];
  experiments: readonly FactExperiment[];
  actions: readonly FactAction[];
  acts: readonly FactAct[];
  holds: readonly FactHold[];
};
