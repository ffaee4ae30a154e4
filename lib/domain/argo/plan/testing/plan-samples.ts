import type { RolloutActionName } from "#lib/domain/acting/action-catalogue.ts";
import { parseRollout, type RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";

export type Json = Record<string, unknown>;
export type PlanState = {
  name: string;
  steps?: Json[] | null;
  /** The strategy's fields other than the active Service; true for none. */
  blueGreen?: boolean | Json;
  /** The canary's fields other than its steps. */
  canary?: Json;
  metadata?: Json;
  paused?: boolean;
  replicas?: number;
  status?: Json;
  deleting?: boolean;
};

/** Expected texts of a plan or a refusal; omitted members are not checked. */
type Words = {
  effect?: string;
  waives?: string | undefined;
  warnings?: string[];
  reason?: string;
  passesPauses?: number[];
};

export type PlanCase = PlanState & {
  /** The patches in order, or the code of the refusal. */
  plans: Partial<Record<RolloutActionName, string>>;
  says?: Partial<Record<RolloutActionName, Words>>;
};

const steps = [
  { setWeight: 20 },
  { pause: {} },
  { analysis: {} },
  { setWeight: 60 },
  { pause: { duration: "10m" } },
  {},
];

/** Builds a rollout at a given point of a strategy with six steps; the third is an analysis. */
export function rolloutAt({
  steps: given = steps,
  blueGreen = false,
  canary = {},
  metadata = {},
  paused = false,
  replicas,
  status = {},
  deleting = false,
}: PlanState): RolloutObject {
  const strategy =
    blueGreen === false
      ? { canary: { ...canary, ...(given === null ? {} : { steps: given }) } }
      : { blueGreen: { activeService: "a", ...(blueGreen === true ? {} : blueGreen) } };
  return rolloutFrom({
    spec: { paused, strategy, ...(replicas === undefined ? {} : { replicas }) },
    status: { currentPodHash: "new", stableRS: "old", ...status },
    metadata: { ...metadata, ...(deleting ? { deletionTimestamp: "2026-11-20T10:00:00Z" } : {}) },
  });
}

export function rolloutFrom({
  metadata,
  ...rest
}: {
  metadata?: Json;
  spec?: unknown;
  status?: unknown;
}): RolloutObject {
  const parsed = parseRollout({
    kind: "Rollout",
    metadata: { name: "checkout", namespace: "payments", uid: "u-1", resourceVersion: "1", ...metadata },
    ...rest,
  });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

export const pause = (...reasons: string[]) => ({
  controllerPause: true,
  pauseConditions: reasons.map((reason) => ({ reason, startTime: "2026-11-20T10:00:00Z" })),
});
export const stepRun = (status: string) => ({ currentStepAnalysisRunStatus: { name: "step-1", status } });
export const background = (status: string) => ({ currentBackgroundAnalysisRunStatus: { name: "bg-1", status } });
export const argoCd = {
  annotations: { "argocd.argoproj.io/tracking-id": "shop:argoproj.io/Rollout:payments/checkout" },
};
export const revertWarning =
  "Argo CD (application shop) owns this rollout and may revert its spec: change it there too.";
/** Returns the warning about runs and experiments that an action ends. */
export function endsWarning(what: string): string {
  return `Ends ${what} early: a terminated run usually shows Successful, which is not a verdict.`;
}
/** Returns the warning about pauses that the controller passes. */
export function passedWarning(where: string): string {
  return `May not wait at ${where}: while only an Inconclusive background run holds the rollout, the controller passes pauses.`;
}
