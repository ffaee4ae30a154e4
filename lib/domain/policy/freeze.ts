import { Cron } from "croner";
import { matchesAny } from "./match-glob.ts";
import { isInScope, type Scope, type Target } from "./rights.ts";

/** How far into the future a freeze of a person may reach, in days. What is longer belongs into the config. */
export const longestFreezeDays = 31;

type FreezeFields = {
  name: string;
  scope: Scope;
  /** Patterns of action names. */
  actions: readonly string[];
  /** Protective actions are frozen too. */
  includeProtective: boolean;
};

/** Blocks actions once, from a time until just before another. */
export type FreezePeriod = FreezeFields & { id: string; from: Date; until: Date };

/** Blocks actions for `durationMinutes` from each start. */
export type FreezeWindow = FreezeFields & {
  /** Five fields, as cron: minute, hour, day of month, month, day of week. */
  start: string;
  /**
   * An IANA zone. A start in the hour that spring skips moves to the end of that hour (02:30 to 03:00); in autumn the
   * first of the two counts.
   */
  timeZone: string;
  /** In elapsed time: if the clocks change within it, it ends an hour earlier or later by the wall clock. */
  durationMinutes: number;
  /**
   * A release window: blocks actions outside of these times instead. Windows that apply to the same action on the same
   * rollout count together: it is blocked while none of them is open.
   */
  outside?: boolean;
};

export type FreezeRule = FreezeWindow | FreezePeriod;

/**
 * `id`: of a freeze that a person made. `outside`: a release window that is closed; `until` is then when the next of
 * those that apply opens, or `never`.
 */
export type Freeze = { id?: string; name: string; until: Date; outside?: true };

/** The end of a freeze that does not end. */
export const never = new Date("9999-12-31T23:59:59Z");

/** Returns the freezes that block an action now, the one that ends last first. */
export function findFreezes({
  windows,
  action,
  target,
  now,
}: {
  windows: readonly FreezeRule[];
  action: { name: string; protective: boolean };
  target: Target;
  now: Date;
}): Freeze[] {
  const applying = windows.filter(
    ({ scope, actions, includeProtective }) =>
      isInScope(scope, target) && matchesAny(actions, action.name) && (includeProtective || !action.protective),
  );
  const inForce = applying
    .filter((rule) => !isReleaseWindow(rule))
    .map((rule) => recallAnswer(rule, now).freeze)
    .filter((freeze) => freeze !== undefined);
  return [...inForce, ...findClosed(applying.filter(isReleaseWindow), now)].toSorted(
    (left, right) => right.until.getTime() - left.until.getTime(),
  );
}

/** Returns whether the rule says when actions are allowed, rather than when they are blocked. */
export function isReleaseWindow(rule: FreezeRule): boolean {
  return "outside" in rule && rule.outside === true;
}

/** Returns the windows as freezes until the next of them opens; none while one of them is open. */
function findClosed(windows: readonly FreezeRule[], now: Date): Freeze[] {
  const answers = windows.map((window) => recallAnswer(window, now));
  if (answers.some(({ freeze }) => freeze !== undefined)) return [];
  const until = new Date(Math.min(never.getTime(), ...answers.map(({ to }) => to)));
  return windows.map(({ name }) => ({ name, until, outside: true }));
}

/** The freeze, if any, that applies from one time until just before another. */
type Answer = { from: number; to: number; freeze: Freeze | undefined };

const lastAnswers = new WeakMap<FreezeRule, Answer>();

/** Caches the answer until the window's next change: a list asks about the same window for each row and action. */
function recallAnswer(window: FreezeRule, now: Date): Answer {
  const last = lastAnswers.get(window);
  const at = now.getTime();
  if (last !== undefined && last.from <= at && at < last.to) return last;
  const answer = findWindowAt(window, at);
  lastAnswers.set(window, answer);
  return answer;
}

/**
 * Returns the window's freeze at a time (milliseconds), and until when the answer holds; if two starts of the window
 * overlap, the freeze lasts to the end of the later one.
 */
export function findWindowAt(rule: FreezeRule, now: number): Answer {
  if ("until" in rule) return findPeriodAt(rule, now);
  const { name, start, timeZone, durationMinutes } = rule;
  const durationMs = durationMinutes * minuteMs;
  const cron = makeCron({ start, timeZone });
  const startAfter = (time: number) => cron.nextRun(new Date(time))?.getTime() ?? Number.POSITIVE_INFINITY;
  const begun = findLastStart({ startAfter, after: now - durationMs, now });
  const next = startAfter(now);
  if (begun === undefined) return { from: now, to: next, freeze: undefined };
  const end = begun + durationMs;
  return { from: begun, to: Math.min(next, end), freeze: { name, until: new Date(end) } };
}

function findPeriodAt({ id, name, from, until }: FreezePeriod, now: number): Answer {
  const [start, end] = [from.getTime(), until.getTime()];
  if (now < start) return { from: now, to: start, freeze: undefined };
  if (now >= end) return { from: now, to: Number.POSITIVE_INFINITY, freeze: undefined };
  return { from: start, to: end, freeze: { id, name, until } };
}

const minuteMs = 60_000;

/** Finds the last start by bisection: a window may start every minute for weeks, too many starts to walk through. */
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

/** Returns the reason why a start is unusable, or undefined if it is usable. */
export function explainBadStart(window: Pick<FreezeWindow, "start" | "timeZone">): string | undefined {
  try {
    return makeCron(window).nextRun(new Date(0)) === null ? `"${window.start}" never occurs` : undefined;
  } catch {
    return isTimeZone(window.timeZone)
      ? `"${window.start}" is not a cron expression of five fields (minute hour day month weekday)`
      : `"${window.timeZone}" is not a time zone such as Europe/Berlin`;
  }
}

function makeCron({ start, timeZone }: Pick<FreezeWindow, "start" | "timeZone">): Cron {
  return new Cron(start, { timezone: timeZone, paused: true, mode: "5-part" });
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export type FrozenTime = { name: string; fromMs: number; toMs: number };

/** More changes of a window than this within a release are not looked at: a window may begin every minute for months. */
const mostChanges = 5_000;

/**
 * Lists the times between two moments in which freezes blocked an action that advances, oldest first within each freeze.
 * The times in which no release window was open follow, under the names of all that apply.
 */
export function listFrozenTimes({
  windows,
  action,
  target,
  fromMs,
  toMs,
}: {
  windows: readonly FreezeRule[];
  action: string;
  target: Target;
  fromMs: number;
  toMs: number;
}): FrozenTime[] {
  const applying = windows.filter(({ scope, actions }) => isInScope(scope, target) && matchesAny(actions, action));
  return [
    ...applying.filter((rule) => !isReleaseWindow(rule)).flatMap((rule) => listTimesOf(rule, { fromMs, toMs })),
    ...listClosedTimes(applying.filter(isReleaseWindow), { fromMs, toMs }),
  ];
}

/** Lists the times in which none of the windows was open. */
function listClosedTimes(
  windows: readonly FreezeRule[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): FrozenTime[] {
  if (windows.length === 0) return [];
  const walked = windows.map((window) => walkTimes(window, { fromMs, toMs }));
  const end = Math.min(toMs, ...walked.map(({ walkedToMs }) => walkedToMs));
  const open = walked.flatMap(({ times }) => times).toSorted((one, other) => one.fromMs - other.fromMs);
  const name = windows.map((window) => window.name).join(", ");
  const closed: FrozenTime[] = [];
  let at = fromMs;
  for (const time of [...open, { fromMs: end, toMs: end }]) {
    const until = Math.min(time.fromMs, end);
    if (until > at) closed.push({ name, fromMs: at, toMs: until });
    at = Math.max(at, time.toMs);
  }
  return closed;
}

/** Lists the times between two moments in which one window was or will be in force, oldest first; joined if they meet. */
export function listTimesOf(window: FreezeRule, between: { fromMs: number; toMs: number }): FrozenTime[] {
  return walkTimes(window, between).times;
}

/** The same, with the moment to which they are complete: a window may change too often to list all. */
function walkTimes(
  window: FreezeRule,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): { times: FrozenTime[]; walkedToMs: number } {
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
  return { times, walkedToMs: at };
}
