import type { KubeObject, ObjectMeta } from "#sandbox/apiserver/store-types.ts";
import { parseDurationMs } from "#sandbox/controllers/clock.ts";

/** The parts of flagger.app/v1beta1 that the controller reads and writes; names as in upstream's CRD. */
export type Phase =
  | ""
  | "Initializing"
  | "Initialized"
  | "Waiting"
  | "Progressing"
  | "WaitingPromotion"
  | "Promoting"
  | "Finalising"
  | "Succeeded"
  | "Failed";

export type HookType =
  | ""
  | "confirm-rollout"
  | "confirm-traffic-increase"
  | "confirm-promotion"
  | "pre-rollout"
  | "rollout"
  | "post-rollout"
  | "rollback"
  | "event";

export type Webhook = {
  name: string;
  type?: HookType;
  url: string;
  /** A Go duration; 10s if absent. */
  timeout?: string;
  retries?: number;
  metadata?: Record<string, string>;
};

export type Metric = {
  name: string;
  interval?: string;
  threshold?: number;
  thresholdRange?: { min?: number; max?: number };
  query?: string;
  templateRef?: { name: string; namespace?: string };
};

export type Analysis = {
  interval?: string;
  threshold?: number;
  iterations?: number;
  maxWeight?: number;
  stepWeight?: number;
  stepWeights?: number[];
  stepWeightPromotion?: number;
  mirror?: boolean;
  primaryReadyThreshold?: number;
  canaryReadyThreshold?: number;
  match?: { headers?: Record<string, { exact?: string; regex?: string }> }[];
  metrics?: Metric[];
  webhooks?: Webhook[];
};

export type CanarySpec = {
  provider?: string;
  targetRef: { apiVersion?: string; kind: string; name: string };
  autoscalerRef?: { name: string };
  ingressRef?: { name: string };
  service: { name?: string; port: number; portName?: string; targetPort?: number | string };
  progressDeadlineSeconds?: number;
  suspend?: boolean;
  skipAnalysis?: boolean;
  analysis?: Analysis;
  /** The field's name in v1alpha3. */
  canaryAnalysis?: Analysis;
};

export type CanaryCondition = {
  type: "Promoted";
  status: "True" | "False" | "Unknown";
  reason: string;
  message: string;
  lastUpdateTime: string;
  lastTransitionTime: string;
};

export type CanaryStatus = {
  phase: Phase;
  canaryWeight: number;
  iterations: number;
  failedChecks: number;
  lastAppliedSpec?: string;
  lastPromotedSpec?: string;
  lastTransitionTime?: string;
  trackedConfigs?: Record<string, string>;
  conditions?: CanaryCondition[];
};

export type Canary = { metadata: ObjectMeta & { namespace: string }; spec: CanarySpec; status: CanaryStatus };

const DEFAULT_INTERVAL_MS = 60_000;
const SHORTEST_INTERVAL_MS = 10_000;
const DEFAULT_PROGRESS_DEADLINE_SECONDS = 600;

/** Views a stored object as a Canary; undefined if it names no target. Absent counts of its status are zero. */
export function viewCanary(object: KubeObject): Canary | undefined {
  const spec = object.spec as Partial<CanarySpec> | undefined;
  const { targetRef } = spec ?? {};
  if (spec === undefined || typeof targetRef?.name !== "string") {
    return undefined;
  }
  const status = (object.status ?? {}) as Partial<CanaryStatus>;
  return {
    metadata: { ...object.metadata, namespace: object.metadata.namespace ?? "" },
    spec: { ...spec, targetRef, service: spec.service ?? { port: 80 } },
    status: {
      ...status,
      phase: status.phase ?? "",
      canaryWeight: status.canaryWeight ?? 0,
      iterations: status.iterations ?? 0,
      failedChecks: status.failedChecks ?? 0,
    },
  };
}

export function analysisOf({ spec }: Canary): Analysis {
  return spec.analysis ?? spec.canaryAnalysis ?? {};
}

/** Returns the time between two passes: 60 s if absent or unreadable, never less than 10 s. */
export function intervalMsOf(canary: Canary): number {
  const intervalMs = parseDurationMs(analysisOf(canary).interval) ?? DEFAULT_INTERVAL_MS;
  return Math.max(SHORTEST_INTERVAL_MS, intervalMs);
}

/** Returns how many failed checks end a run; at least one. */
export function thresholdOf(canary: Canary): number {
  const { threshold = 0 } = analysisOf(canary);
  return threshold > 0 ? threshold : 1;
}

export function progressDeadlineSecondsOf({ spec }: Canary): number {
  return spec.progressDeadlineSeconds ?? DEFAULT_PROGRESS_DEADLINE_SECONDS;
}

/** Returns whether the analysis is skipped; also true if the spec has no analysis. */
export function skipsAnalysis({ spec }: Canary): boolean {
  return (spec.analysis === undefined && spec.canaryAnalysis === undefined) || spec.skipAnalysis === true;
}

export type Strategy = "canary" | "ab-testing" | "blue-green";

export function strategyOf(analysis: Analysis): Strategy {
  const { iterations = 0, match = [] } = analysis;
  if (iterations <= 0) {
    return "canary";
  }
  return match.length > 0 ? "ab-testing" : "blue-green";
}

export function serviceNamesOf({ spec }: Canary): { apex: string; primary: string; canary: string } {
  const apex = spec.service.name ?? spec.targetRef.name;
  return { apex, primary: `${apex}-primary`, canary: `${apex}-canary` };
}

export function primaryNameOf({ spec }: Canary): string {
  return `${spec.targetRef.name}-primary`;
}

/** The release of Flagger that manages a Canary, as some behaviour differs between releases; 1.44.0 by default. */
export const FLAGGER_VERSION_ANNOTATION = "sandbox.gatehouse/flagger-version";

/** Returns whether the Canary's Flagger is older than 1.44.0. */
export function isBefore144({ metadata }: Canary): boolean {
  const [major = 1, minor = 44] = (metadata.annotations?.[FLAGGER_VERSION_ANNOTATION] ?? "1.44.0")
    .split(".")
    .map(Number);
  return major === 1 && minor < 44;
}

/** Returns "name.namespace", as messages name the Canary. */
export function canaryLabel({ metadata }: Canary): string {
  return `${metadata.name}.${metadata.namespace}`;
}

/** Returns "target.namespace", as messages name the target. */
export function targetLabel({ metadata, spec }: Canary): string {
  return `${spec.targetRef.name}.${metadata.namespace}`;
}
