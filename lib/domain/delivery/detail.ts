import type { GateName } from "#lib/domain/delivery/gate-decision.ts";

/** The status of a plugin's operation on a step. Times are ISO 8601; invalid ones are null. */
export type StepPluginStatus = {
  name: string;
  /** `Run`, or `Terminate` or `Abort` after that, as the controller writes it. */
  operation: string;
  /** `Running`, `Successful`, `Failed` or `Error`, as the controller writes it. */
  phase: string;
  message: string;
  /** How often the operation was executed; null if it is not in the status. */
  executions: number | null;
  /** How long the controller waits before it executes the operation again, such as `30s`; null if it does not. */
  backoff: string | null;
  /** The controller's config disables the plugin: its steps are passed over. */
  disabled: boolean;
  startedAt: string | null;
  updatedAt: string | null;
  finishedAt: string | null;
};

export type RolloutStep = {
  index: number;
  kind:
    | "setWeight"
    | "pause"
    | "analysis"
    | "experiment"
    | "setCanaryScale"
    | "setHeaderRoute"
    | "setMirrorRoute"
    | "plugin"
    | "unknown";
  text: string;
  state: "done" | "current" | "pending";
  /** When the currently running timed pause ends. */
  endsAt: string | null;
  /** In the order of the status; empty for other kinds, and before the plugin was called. */
  pluginStatuses: StepPluginStatus[];
};

export type FollowingPart = {
  kind: "weight" | "pause" | "gate" | "analysis" | "experiment" | "other" | "promotion" | "switch" | "scaleDown";
  text: string;
  /** Counted from 1; null if it is not a step. */
  step: number | null;
};

/** The rest of the plan after a step. */
export type Follows = {
  /** Such as `Then 70 % → wait 10 s → 100 %, no further analysis.` */
  text: string;
  /** All parts in order; the last one of a canary is full promotion. */
  parts: FollowingPart[];
};

/**
 * The fields that the page of one rollout shows in addition to its summary. Times are ISO 8601; invalid ones are null.
 */
export type DeliveryDetail = {
  steps: RolloutStep[];
  /** Null if no update is in progress. */
  follows: Follows | null;
  pauseConditions: { reason: string; startTime: string | null }[];
  /** The controller itself has paused it. */
  controllerPause: boolean;
  /** A person has paused it. */
  paused: boolean;
  aborted: boolean;
  /** Full promotion was requested and is in progress. */
  promoteFull: boolean;
  /** Null until there is a stable revision. */
  stableRevisionKey: string | null;
  replicas: { desired: number; current: number; updated: number; ready: number; available: number };
  conditions: { type: string; status: string; reason: string; message: string; at: string | null }[];
  /** The analysis runs that its status names; `phase` as the controller writes it, empty until it has. */
  currentRuns: {
    role: "step" | "background" | "prePromotion" | "postPromotion";
    name: string;
    phase: string;
    message: string;
  }[];
  /** Name of the Experiment that the current step runs. */
  currentExperiment: string | null;
  /** Null for other strategies. */
  blueGreen: BlueGreenDetail | null;
  /** The workload whose pod template it runs; null if it has its own template. */
  workload: { kind: string; name: string } | null;
  /** Notices for a person to see now, most urgent first. */
  notices: Notice[];
  /** Its gates that have hooks; null if its controller has no gates. */
  gates: GateWiring[] | null;
};

export type Notice = {
  severity: "info" | "attention" | "warning" | "critical";
  text: string;
  /** When the controller acts by itself, in ISO 8601; null if nothing is due. */
  deadline: string | null;
};

/** Who answers one of the gates. A hook's URL may contain a secret, so only its host is shown. */
export type GateWiring = {
  gate: GateName;
  hooks: { name: string; isOurs: boolean; host: string }[];
};

export type BlueGreenDetail = {
  activeService: string | null;
  previewService: string | null;
  /** How the preview becomes the active version. */
  promotion: "immediate" | "timed" | "person";
  /** When the running timed promotion is due. */
  promotesAt: string | null;
  /** Null if no time is set, or if it has no effect. */
  autoPromotionSeconds: number | null;
  scaleDownDelaySeconds: number;
};

export type AttentionReason = "inconclusive" | "pause" | "blueGreenPromotion" | "gate" | "degraded" | "finding";

/** The reason that a rollout waits for a person. */
export type Attention = {
  reason: AttentionReason;
  /** When the wait began, in ISO 8601. */
  since: string;
  severity: "info" | "warning" | "critical";
};
