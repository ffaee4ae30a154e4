import { parseRollout, type RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import { type ExpectedEffect, planEffect } from "#lib/domain/argo/plan/action-effect.ts";
import { assessEffect } from "#lib/domain/argo/plan/assess-effect.ts";

export type Json = Record<string, unknown>;
export const at = "2026-11-20T10:00:00Z";
export const later = "2026-11-20T10:05:00Z";
export const pausedAt = (startTime: string, reason = "CanaryPauseStep") => ({
  controllerPause: true,
  pauseConditions: [{ reason, startTime }],
});
export const stepRun = (name: string, status: string) => ({
  canary: { currentStepAnalysisRunStatus: { name, status } },
});
export const background = (name: string, status: string) => ({
  canary: { currentBackgroundAnalysisRunStatus: { name, status } },
});

/** The condition that the controller writes whenever pauses are set or lifted. */
export const written = {
  conditions: [{ type: "Progressing", status: "Unknown", reason: "RolloutResumed", lastUpdateTime: later }],
};

const fourSteps = { canary: { steps: [{ setWeight: 20 }, { pause: {} }, { analysis: {} }, { pause: {} }] } };

/** Builds a canary of four steps at its second, a pause, unless overridden. */
export function rolloutOf(
  status: Json,
  {
    uid = "u-1",
    resourceVersion = "1",
    generation = 1,
    paused = false,
    strategy = fourSteps as Json,
    spec = {} as Json,
  } = {},
): RolloutObject {
  const parsed = parseRollout({
    kind: "Rollout",
    metadata: { name: "checkout", namespace: "payments", uid, resourceVersion, generation },
    spec: { paused, strategy, ...spec },
    status: { currentPodHash: "new", stableRS: "old", currentStepIndex: 1, ...status },
  });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

/** An effect that is planned for a rollout with the status `before`, and judged by the status `now`. */
export type EffectCase = {
  name: string;
  kind: ExpectedEffect["kind"];
  before: Json;
  runs?: string[];
  now: Json;
  strategy?: Json;
  paused?: boolean;
  state: string;
  message?: string;
};

export function assessCase({ kind, before, runs, now, strategy, paused }: EffectCase) {
  const expected = planEffect({ rollout: rolloutOf(before, { strategy }), kind, runs });
  return assessEffect({ expected, rollout: rolloutOf(now, { strategy, paused }) });
}
