import { parseTime } from "./clock.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import { desiredReplicas } from "./replica-counts.ts";
import type { ReplicaSet, Rollout, RolloutParts } from "./rollout-types.ts";
import { surgeLimits } from "./surge-limits.ts";
import { isReady, listPods } from "./sync-pods.ts";

const RETRY_MS = 30_000;

export type RestartOutcome = {
  /** With `restartedAt` set in the status once no pod is older than the requested time. */
  parts: RolloutParts;
  /** How many pods this pass has deleted: their replacements are not counted yet. */
  restarted: number;
  wakeMs?: number;
};

/**
 * Replaces the pods that are older than `spec.restartAt`, never more at a time than may be unavailable; writes
 * `restartedAt` only once all old pods are gone. If new pods never become ready, it stays unchanged (rollout/restart.go
 * RolloutPodRestarter.Reconcile of argo-rollouts at 1.10.2).
 */
export function restartPods(context: ReconcileContext, parts: RolloutParts): RestartOutcome {
  const { rollout, all } = parts;
  const askedMs = pendingRestartMs(rollout);
  if (askedMs === undefined) {
    return { parts, restarted: 0 };
  }
  if (context.nowMs <= askedMs) {
    return { parts, restarted: 0, wakeMs: askedMs - context.nowMs + 1 };
  }
  const pods = byPriority(parts).flatMap((set) => listPods(context, set));
  const old = pods.filter(({ metadata }) => (parseTime(metadata.creationTimestamp) ?? askedMs) < askedMs);
  if (old.length === 0) {
    const status = { ...rollout.status, restartedAt: rollout.spec.restartAt };
    return { parts: { ...parts, rollout: { ...rollout, status } }, restarted: 0 };
  }
  const total = all.reduce((sum, set) => sum + set.spec.replicas, 0);
  const uncounted = Math.max(0, total - pods.length);
  const available = pods.filter(isReady).length + uncounted;
  const least = Math.max(desiredReplicas(rollout), total) - Math.max(surgeLimits(rollout).unavailable, 1);
  const due = old.slice(0, Math.max(0, available - least));
  for (const { metadata } of due) {
    context.store.delete("pods", metadata.namespace, metadata.name);
  }
  return { parts, restarted: due.length, wakeMs: RETRY_MS / context.speed };
}

function pendingRestartMs({ spec, status }: Rollout): number | undefined {
  return spec.restartAt === status.restartedAt ? undefined : parseTime(spec.restartAt);
}

/**
 * Orders the stable version first, then the new one, then the others (rollout/restart.go SortReplicaSetsByPriority).
 */
function byPriority({ stable, newSet, others }: RolloutParts): ReplicaSet[] {
  return [...new Set([stable, newSet, ...others].filter((set) => set !== undefined))];
}
