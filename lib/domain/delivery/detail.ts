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
  /** For the timed pause that runs now: when it ends. */
  endsAt: string | null;
};

export type FollowingPart = {
  kind: "weight" | "pause" | "gate" | "analysis" | "experiment" | "other" | "promotion" | "switch" | "scaleDown";
  text: string;
  /** Counted from 1; null for what is no step. */
  step: number | null;
};

/** What is left of the plan after a step. */
export type Follows = {
  /** Such as `Then 70 % → 10 s pause → 100 %, no further analysis.` */
  text: string;
  /** All of them in order, the last one full promotion. */
  parts: FollowingPart[];
};

/** What the page of one rollout shows beside its summary. Times are ISO 8601; those that are no time are null. */
export type DeliveryDetail = {
  steps: RolloutStep[];
  /** Null if no update is under way. */
  follows: Follows | null;
  pauseConditions: { reason: string; startTime: string | null }[];
  /** The controller itself has paused it. */
  controllerPause: boolean;
  /** A person has paused it. */
  paused: boolean;
  aborted: boolean;
  /** Full promotion was asked for and is under way. */
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
  /** The workload whose pod template it runs; null if it has a template of its own. */
  workload: { kind: string; name: string } | null;
};

export type BlueGreenDetail = {
  activeService: string | null;
  previewService: string | null;
  /** What makes the preview the active version. */
  promotion: "immediate" | "timed" | "person";
  /** When a timed promotion that runs is due. */
  promotesAt: string | null;
  /** Null if no time is set, or if it has no effect. */
  autoPromotionSeconds: number | null;
  scaleDownDelaySeconds: number;
};
