export type AttentionReason = "inconclusive" | "pause" | "blueGreenPromotion" | "gate" | "degraded" | "finding";

/** The reason that a rollout waits for a person. */
export type Attention = {
  reason: AttentionReason;
  /** When the wait began, in ISO 8601. */
  since: string;
  severity: "info" | "warning" | "critical";
};
