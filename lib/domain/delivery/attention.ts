export type AttentionReason = "inconclusive" | "pause" | "blueGreenPromotion" | "gate" | "degraded" | "finding";

/** Why a rollout waits for a person. */
export type Attention = {
  reason: AttentionReason;
  /** ISO 8601; since when it waits. */
  since: string;
  severity: "info" | "warning" | "critical";
};
