import { parseRollout, type RolloutObject } from "#lib/domain/argo/rollout-object.ts";

export type Json = Record<string, unknown>;
export type PlanState = {
  name: string;
  steps?: Json[] | null;
  blueGreen?: boolean;
  paused?: boolean;
  status?: Json;
  deleting?: boolean;
};

const steps = [
  { setWeight: 20 },
  { pause: {} },
  { analysis: {} },
  { setWeight: 60 },
  { pause: { duration: "10m" } },
  {},
];

/** A rollout at a given point of a strategy with six steps; the third is an analysis. */
export function rolloutAt({
  steps: given = steps,
  blueGreen = false,
  paused = false,
  status = {},
  deleting = false,
}: PlanState): RolloutObject {
  const canary = given === null ? {} : { steps: given };
  return rolloutFrom({
    spec: { paused, strategy: blueGreen ? { blueGreen: { activeService: "a" } } : { canary } },
    status: { currentPodHash: "new", stableRS: "old", ...status },
    metadata: deleting ? { deletionTimestamp: "2026-11-20T10:00:00Z" } : {},
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
