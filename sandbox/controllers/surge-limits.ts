import type { Rollout } from "./rollout-types.ts";

const DEFAULT_LIMIT = "25%";

/**
 * Returns how many pods may exist too many, and how many too few (utils/replicaset/replicaset.go MaxSurge,
 * MaxUnavailable and resolveFenceposts of argo-rollouts at 1.10.2). Surge is rounded up, the other down; if both are
 * zero, one too few is allowed.
 */
export function surgeLimits({ spec }: Rollout): { surge: number; unavailable: number } {
  const replicas = spec.replicas ?? 1;
  const { maxSurge = DEFAULT_LIMIT, maxUnavailable = DEFAULT_LIMIT } = spec.strategy.canary ?? {};
  const surge = spec.strategy.canary == null ? 0 : Math.ceil(amount(maxSurge, replicas));
  const unavailable = Math.min(Math.floor(amount(maxUnavailable, replicas)), replicas);
  const isStuck = spec.strategy.canary != null && surge === 0 && unavailable === 0;
  return { surge, unavailable: isStuck ? 1 : unavailable };
}

function amount(limit: number | string, replicas: number): number {
  const text = String(limit);
  return text.endsWith("%") ? (replicas * Number.parseInt(text, 10)) / 100 : Number(text);
}
