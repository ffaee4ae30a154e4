import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";

export type BlueGreenFacts = {
  activeService: string | null;
  previewService: string | null;
  /** How the preview becomes the active version. */
  promotion: "immediate" | "timed" | "person";
  /** Due time of a running timed promotion, in milliseconds. */
  promotesAtMs: number | null;
  autoPromotionSeconds: number | null;
  scaleDownDelaySeconds: number;
};

/** The controller's default if the spec has none (utils/defaults, DefaultScaleDownDelaySeconds). */
const defaultScaleDownDelaySeconds = 30;

/**
 * Describes how a blue-green rollout promotes. autoPromotionEnabled: false outranks autoPromotionSeconds, and the time
 * counts from the pause (rollout/pause.go CompletedBlueGreenPause of argo-rollouts at 9f8d111). Null for other
 * strategies.
 */
export function describeBlueGreen({ spec, status }: RolloutObject): BlueGreenFacts | null {
  const { blueGreen } = spec.strategy;
  if (blueGreen === undefined) return null;
  const seconds = blueGreen.autoPromotionSeconds ?? 0;
  const promotion = blueGreen.autoPromotionEnabled === false ? "person" : seconds > 0 ? "timed" : "immediate";
  const pause = (status.pauseConditions ?? []).find(({ reason }) => reason === "BlueGreenPause");
  const dueMs = new Date(Date.parse(pause?.startTime ?? "") + seconds * 1000).getTime();
  return {
    activeService: blueGreen.activeService ?? null,
    previewService: blueGreen.previewService ?? null,
    promotion,
    promotesAtMs: promotion === "timed" && !Number.isNaN(dueMs) ? dueMs : null,
    autoPromotionSeconds: promotion === "timed" ? seconds : null,
    scaleDownDelaySeconds: blueGreen.scaleDownDelaySeconds ?? defaultScaleDownDelaySeconds,
  };
}
