import type { TemplateSpec } from "#lib/domain/argo/analysis/merge-templates.ts";
import type { AnalysisPhase } from "#lib/domain/argo/analysis/types.ts";
import type {
  BlueGreenStrategy,
  CanaryStrategy,
  PauseReason,
  RolloutPhase,
  WorkloadRef,
} from "#sandbox/controllers/rollout-types.ts";

/** The values of one metric: around `center`, with exact exceptions by sequence number from 0. */
export type Series = {
  center: number;
  spread: number;
  at?: Record<number, number | "no-data" | "unreachable">;
};

/** How one version behaves while it is measured; without `attempt`, in every run. */
export type Behaviour = {
  version: string;
  attempt?: number;
  metrics: Record<string, Series>;
  /** The verdict that a defective controller records, regardless of the measurements. */
  forcedVerdict?: AnalysisPhase;
};

/** When a script continues: the state that the Rollout must be in. */
export type Moment = "healthy" | "aborted" | "inconclusive-step" | "at-manual-pause" | "progressing";

export type ScriptStep = {
  when: Moment;
  /** A new image tag, from the delivery tool or set by hand, or a person's action. */
  act: { release: string } | { setImage: string } | "retry" | "accept-step" | "continue" | "pause";
};

/** Arguments are added: all templates take the same two. */
export type Template = Omit<TemplateSpec, "args"> & { name: string; isClusterScoped?: boolean };

/** The state that a scenario must reach, as data for the test. Absent fields are not checked. */
export type ExpectedState = {
  phase: RolloutPhase;
  message?: string;
  stepIndex: number;
  pauseReasons?: PauseReason[];
  isPromoted: boolean;
  canaryWeight?: number;
  revision: number;
  /** The newest run, with the verdict of each metric. */
  run?: { type: string; phase: AnalysisPhase; metrics: Record<string, AnalysisPhase> };
  /** The experiments in order of creation, with the phase of each analysis. */
  experiments?: { phase: AnalysisPhase; analyses: Record<string, AnalysisPhase> }[];
  /** Runs that remain in the cluster, by phase. */
  runsLeft?: Partial<Record<AnalysisPhase, number>>;
};

/** The name of a measured object, and the values of its metrics. */
export type MeasuredScenario = {
  namespace: string;
  name: string;
  /** Usual values per metric; a behaviour overrides them for its version. */
  baseline: Record<string, Series>;
  behaviours: Behaviour[];
};

export type Scenario = MeasuredScenario & {
  /** The key in demo.json; ordinary rollouts have none. */
  key?: string;
  image: string;
  version: string;
  replicas: number;
  /** The canary strategy; absent with `blueGreen`. */
  strategy?: CanaryStrategy;
  blueGreen?: BlueGreenStrategy;
  /** The pod template is in a Deployment of the same name. */
  workload?: { scaleDown: NonNullable<WorkloadRef["scaleDown"]> };
  /** Its pods have an init container and a sidecar too, and the first one of each version has restarted once. */
  hasSidecar?: boolean;
  /** Labels of its own, beside those of all. */
  labels?: Record<string, string>;
  /** Links that its team wrote on it, by name. */
  links?: Record<string, string>;
  /** Argo CD syncs the Rollout from Git. */
  isGitOps?: boolean;
  templates: Template[];
  analysisLimits?: { successfulRunHistoryLimit?: number; unsuccessfulRunHistoryLimit?: number };
  revisionHistoryLimit?: number;
  script: ScriptStep[];
  /** After the script: releases a new patch version this long after the last release became healthy, forever. */
  releaseEverySeconds?: number;
  /** Absent if the Rollout never comes to rest. */
  expected?: ExpectedState;
};
