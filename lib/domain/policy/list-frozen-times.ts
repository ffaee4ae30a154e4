import { type FreezeWindow, findWindowAt } from "./freeze.ts";
import { matchesAny } from "./match-glob.ts";
import { isInScope, type Target } from "./rights.ts";

export type FrozenTime = { name: string; fromMs: number; toMs: number };

/** More changes of a window than this within a release are not looked at: a window may begin every minute for months. */
const mostChanges = 5_000;

/** Lists the times between two moments in which a freeze window blocked an action, oldest first within each window. */
export function listFrozenTimes({
  windows,
  action,
  target,
  fromMs,
  toMs,
}: {
  windows: readonly FreezeWindow[];
  action: string;
  target: Target;
  fromMs: number;
  toMs: number;
}): FrozenTime[] {
  return windows
    .filter(({ scope, actions }) => isInScope(scope, target) && matchesAny(actions, action))
    .flatMap((window) => listTimesOf(window, { fromMs, toMs }));
}

/** Lists the times between two moments in which one window was or will be in force, oldest first; joined if they meet. */
export function listTimesOf(window: FreezeWindow, { fromMs, toMs }: { fromMs: number; toMs: number }): FrozenTime[] {
  const times: FrozenTime[] = [];
  let at = fromMs;
  for (let changes = 0; at < toMs && changes < mostChanges; changes++) {
    const { freeze, to } = findWindowAt(window, at);
    if (freeze !== undefined) {
      const end = Math.min(toMs, to);
      const last = times.at(-1);
      if (last?.toMs === at) last.toMs = end;
      else times.push({ name: window.name, fromMs: at, toMs: end });
    }
    at = to;
  }
  return times;
}
