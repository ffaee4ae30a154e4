import type { TemplateSpec } from "#lib/domain/argo/analysis/merge-templates.ts";
import type { AnalysisPhase } from "#lib/domain/argo/analysis/types.ts";
import type {
  BlueGreenStrategy,
  CanaryStrategy,
  PauseReason,
  RolloutPhase,
  WorkloadRef,
} from "#sandbox/controllers/rollout-types.ts";

/** What a measurement of one metric answers: around `center`, with exact exceptions by sequence number from 0. */
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
  /** What a defective controller records as the verdict, whatever is measured. */
  forcedVerdict?: AnalysisPhase;
};

/** When a script goes on: the Rollout as it must look. */
export type Moment = "healthy" | "aborted" | "inconclusive-step" | "at-manual-pause" | "progressing";

export type ScriptStep = {
  when: Moment;
  /** A new image tag from the delivery tool or set by hand, or what a person does. */
  act: { release: string } | { setImage: string } | "retry" | "accept-step" | "continue" | "pause";
};

/** Arguments are added: all templates take the same two. */
export type Template = Omit<TemplateSpec, "args"> & { name: string; isClusterScoped?: boolean };

/** The state that a scenario must reach, as data for the test. Absent fields are not looked at. */
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
  /** Runs that the cluster still holds, by phase. */
  runsLeft?: Partial<Record<AnalysisPhase, number>>;
};

export type Scenario = {
  /** The name in demo.json; ordinary rollouts have none. */
  key?: string;
  namespace: string;
  name: string;
  image: string;
  version: string;
  replicas: number;
  /** The canary strategy; with `blueGreen` there is none. */
  strategy?: CanaryStrategy;
  blueGreen?: BlueGreenStrategy;
  /** The pod template stands in a Deployment of the same name. */
  workload?: { scaleDown: NonNullable<WorkloadRef["scaleDown"]> };
  /** Argo CD holds the Rollout to what stands in Git. */
  isGitOps?: boolean;
  templates: Template[];
  analysisLimits?: { successfulRunHistoryLimit?: number; unsuccessfulRunHistoryLimit?: number };
  revisionHistoryLimit?: number;
  /** Usual values per metric; a behaviour overrides them for its version. */
  baseline: Record<string, Series>;
  behaviours: Behaviour[];
  script: ScriptStep[];
  /** After the script: a new patch version so long after the last release became healthy, for ever. */
  releaseEverySeconds?: number;
  /** Absent where the Rollout never comes to rest. */
  expected?: ExpectedState;
};
