import { Cron } from "croner";
import { matchesAny } from "./match-glob.ts";
import { isInScope, type Scope, type Target } from "./rights.ts";

/** Nothing advances from each start for `durationMinutes`. Protective actions are frozen only where it says so. */
export type FreezeWindow = {
  name: string;
  scope: Scope;
  /** Five fields, as cron: minute, hour, day of month, month, day of week. */
  start: string;
  /** An IANA zone; in the hour that is skipped in spring a start moves on by an hour, in autumn the first one counts. */
  timeZone: string;
  durationMinutes: number;
  /** Patterns of action names. */
  actions: readonly string[];
  includeProtective: boolean;
};

export type Freeze = { name: string; until: Date };

/** The freeze that holds an action back now: of several the one that ends last. */
export function findFreeze({
  windows,
  action,
  target,
  now,
}: {
  windows: readonly FreezeWindow[];
  action: { name: string; protective: boolean };
  target: Target;
  now: Date;
}): Freeze | undefined {
  return windows
    .filter(
      ({ scope, actions, includeProtective }) =>
        isInScope(scope, target) && matchesAny(actions, action.name) && (includeProtective || !action.protective),
    )
    .map((window) => recallFreeze(window, now))
    .filter((freeze) => freeze !== undefined)
    .toSorted((left, right) => right.until.getTime() - left.until.getTime())[0];
}

const lastAsked = new WeakMap<FreezeWindow, { at: number; freeze: Freeze | undefined }>();

/** A list asks the same window at the same time for each of its rows and actions. */
function recallFreeze(window: FreezeWindow, now: Date): Freeze | undefined {
  const last = lastAsked.get(window);
  if (last?.at === now.getTime()) return last.freeze;
  const freeze = frozenBy(window, now);
  lastAsked.set(window, { at: now.getTime(), freeze });
  return freeze;
}

/** The window's freeze at a time; where two of its own starts overlap, up to the end of the later one. */
function frozenBy({ name, start, timeZone, durationMinutes }: FreezeWindow, now: Date): Freeze | undefined {
  const durationMs = durationMinutes * 60_000;
  const cron = makeCron({ start, timeZone });
  let begun = cron.nextRun(new Date(now.getTime() - durationMs));
  if (begun === null || begun > now) return undefined;
  for (;;) {
    const next = cron.nextRun(begun);
    if (next === null || next > now) return { name, until: new Date(begun.getTime() + durationMs) };
    begun = next;
  }
}

/** Undefined for a start that can be used, otherwise what is wrong with it. */
export function explainBadStart(window: Pick<FreezeWindow, "start" | "timeZone">): string | undefined {
  try {
    return makeCron(window).nextRun(new Date(0)) === null ? `"${window.start}" never comes` : undefined;
  } catch {
    return isTimeZone(window.timeZone)
      ? `"${window.start}" is no cron expression of five fields (minute hour day month weekday)`
      : `"${window.timeZone}" is no time zone, such as Europe/Berlin`;
  }
}

function makeCron({ start, timeZone }: Pick<FreezeWindow, "start" | "timeZone">): Cron {
  return new Cron(start, { timezone: timeZone, paused: true, mode: "5-part" });
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
