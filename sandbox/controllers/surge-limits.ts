import type { Rollout } from "./rollout-types.ts";

const DEFAULT_LIMIT = "25%";

type Limits = { maxSurge?: number | string; maxUnavailable?: number | string };

/** Returns a Rollout's limits; a blue-green one has no surge. */
export function surgeLimits({ spec }: Rollout): { surge: number; unavailable: number } {
  const replicas = spec.replicas ?? 1;
  const { canary } = spec.strategy;
  return canary == null
    ? { surge: 0, unavailable: Math.floor(amount(DEFAULT_LIMIT, replicas)) }
    : resolveLimits(canary, replicas);
}

/**
 * Returns how many pods may exist too many, and how many too few (utils/replicaset/replicaset.go MaxSurge,
 * MaxUnavailable and resolveFenceposts of argo-rollouts at 1.10.2, as in Kubernetes). Surge is rounded up, the other
 * down; if both are zero, one too few is allowed.
 */
export function resolveLimits(limits: Limits, replicas: number): { surge: number; unavailable: number } {
  const { maxSurge = DEFAULT_LIMIT, maxUnavailable = DEFAULT_LIMIT } = limits;
  const surge = Math.ceil(amount(maxSurge, replicas));
  const unavailable = Math.min(Math.floor(amount(maxUnavailable, replicas)), replicas);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

function amount(limit: number | string, replicas: number): number {
  const text = String(limit);
  return text.endsWith("%") ? (replicas * Number.parseInt(text, 10)) / 100 : Number(text);
}
