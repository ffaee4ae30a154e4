import { type FreezeRule, type FrozenTime, isReleaseWindow, listFrozenTimes } from "#lib/domain/policy/freeze.ts";
import { everywhere, isInScope, type Target } from "#lib/domain/policy/rights.ts";

export type TimedWait = { target: Target; fromMs: number; toMs: number };

/**
 * Returns a function that says for how many milliseconds of a wait a freeze forbade to continue. The times of a freeze,
 * and those of the release windows of one place, are listed once, between the two moments, for all waits.
 */
export function createFrozenCounter(
  windows: readonly FreezeRule[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): (wait: TimedWait) => number {
  const timesOf = new Map<FreezeRule | string, FrozenTime[]>();
  const list = (key: FreezeRule | string, rules: readonly FreezeRule[], target: Target): FrozenTime[] => {
    const known = timesOf.get(key);
    if (known !== undefined) return known;
    const times = listFrozenTimes({
      windows: rules.map((rule) => ({ ...rule, scope: everywhere })),
      action: "continue",
      target,
      fromMs,
      toMs,
    });
    timesOf.set(key, times);
    return times;
  };
  const blocking = windows.filter((rule) => !isReleaseWindow(rule));
  const releaseWindows = windows.filter(isReleaseWindow);
  return ({ target, ...wait }) => {
    const times = blocking
      .filter(({ scope }) => isInScope(scope, target))
      .flatMap((rule) => list(rule, [rule], target));
    const together = releaseWindows.filter(({ scope }) => isInScope(scope, target));
    const key = together.map(({ name }) => name).join("\n");
    return unionMs(together.length === 0 ? times : [...times, ...list(key, together, target)], wait);
  };
}

/** Returns how much of a wait at least one of the times covers. */
function unionMs(times: readonly FrozenTime[], wait: { fromMs: number; toMs: number }): number {
  const cut = times
    .filter((time) => time.fromMs < wait.toMs && time.toMs > wait.fromMs)
    .map((time) => ({ fromMs: Math.max(time.fromMs, wait.fromMs), toMs: Math.min(time.toMs, wait.toMs) }))
    .sort((one, other) => one.fromMs - other.fromMs);
  let sum = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const time of cut) {
    sum += Math.max(0, time.toMs - Math.max(time.fromMs, until));
    until = Math.max(until, time.toMs);
  }
  return sum;
}
