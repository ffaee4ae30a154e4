import { parseTime } from "./clock.ts";
import type { RolloutParts } from "./rollout-types.ts";
import { hashOf, SCALE_DOWN_DEADLINE_ANNOTATION } from "./rollout-types.ts";

/**
 * Returns whether the wanted version is an old one that awaits its scale-down (rollout/context.go newRSWithinDelay).
 */
export function isWithinScaleDownDelay({ newSet }: RolloutParts, nowMs: number): boolean {
  const deadlineMs = parseTime(newSet?.metadata.annotations?.[SCALE_DOWN_DEADLINE_ANNOTATION]);
  return deadlineMs !== undefined && deadlineMs > nowMs;
}

/**
 * Returns whether the release goes back to the stable version, to a blue-green one that still runs, or to one within
 * the rollback window. Steps, pauses and analysis are then skipped (rollout/sync.go isFastRollback at 9f8d111).
 */
export function isFastRollback(parts: RolloutParts, isWithinDelay: boolean): boolean {
  const { rollout, newSet, stable } = parts;
  if (newSet === undefined || stable === undefined) {
    return false;
  }
  if (rollout.status.stableRS === hashOf(newSet)) {
    return true;
  }
  const isBlueGreen = rollout.spec.strategy.blueGreen != null;
  const isBackwards = createdMs(newSet) < createdMs(stable);
  return isBackwards && ((isWithinDelay && isBlueGreen) || isRollbackWithinWindow(parts));
}

/**
 * Returns whether the wanted version is older than the stable one, with few enough in between (isRollbackWithinWindow).
 */
export function isRollbackWithinWindow({ rollout, newSet, stable, all }: RolloutParts): boolean {
  const revisions = rollout.spec.rollbackWindow?.revisions ?? 0;
  if (newSet === undefined || stable === undefined || createdMs(newSet) >= createdMs(stable)) {
    return false;
  }
  const between = all.filter((set) => createdMs(set) < createdMs(stable) && createdMs(newSet) < createdMs(set));
  return between.length < revisions;
}

function createdMs(set: { metadata: { creationTimestamp: string } }): number {
  return parseTime(set.metadata.creationTimestamp) ?? 0;
}
