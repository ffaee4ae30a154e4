import { Cron } from "croner";
import { matchesAny } from "./match-glob.ts";
import { isInScope, type Scope, type Target } from "./rights.ts";

/** Nothing advances from each start for `durationMinutes`. Protective actions are frozen only where it says so. */
export type FreezeWindow = {
  name: string;
  scope: Scope;
  /** Five fields, as cron: minute, hour, day of month, month, day of week. */
  start: string;
  /** An IANA zone. A start in the hour that spring skips comes at the hour's end (02:30 at 03:00), in autumn the first counts. */
  timeZone: string;
  /** Of real time: where clocks change within it, it ends an hour earlier or later by the clock on the wall. */
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

/** What holds from one time until before another. */
type Answer = { from: number; to: number; freeze: Freeze | undefined };

const lastAnswers = new WeakMap<FreezeWindow, Answer>();

/** A list asks the same window for each of its rows and actions: an answer stands until the window's next change. */
function recallFreeze(window: FreezeWindow, now: Date): Freeze | undefined {
  const last = lastAnswers.get(window);
  const at = now.getTime();
  if (last !== undefined && last.from <= at && at < last.to) return last.freeze;
  const answer = answerAt(window, at);
  lastAnswers.set(window, answer);
  return answer.freeze;
}

/** The window's freeze at a time; where two of its own starts overlap, up to the end of the later one. */
function answerAt({ name, start, timeZone, durationMinutes }: FreezeWindow, now: number): Answer {
  const durationMs = durationMinutes * minuteMs;
  const cron = makeCron({ start, timeZone });
  const startAfter = (time: number) => cron.nextRun(new Date(time))?.getTime() ?? Number.POSITIVE_INFINITY;
  const begun = findLastStart({ startAfter, after: now - durationMs, now });
  const next = startAfter(now);
  if (begun === undefined) return { from: now, to: next, freeze: undefined };
  const end = begun + durationMs;
  return { from: begun, to: Math.min(next, end), freeze: { name, until: new Date(end) } };
}

const minuteMs = 60_000;

/** By halves: a window may start every minute for weeks, too often to go through the starts one by one. */
function findLastStart({
  startAfter,
  after,
  now,
}: {
  startAfter: (time: number) => number;
  after: number;
  now: number;
}): number | undefined {
  let last = startAfter(after);
  if (last > now) return undefined;
  for (let none = now; none - last >= minuteMs; ) {
    const middle = Math.floor((last + none) / 2);
    const start = startAfter(middle);
    if (start <= now) last = start;
    else none = middle;
  }
  return last;
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
