import { Script } from "node:vm";
import { type Attack, buildText } from "./regex-attacks.ts";

/** Fails what takes longer by more than this each time that its text gets twice as long. */
const mostGrowth = 2.5;
/** The attacks that take longest at this part of the greatest length are judged: there quadratic work stands out. */
const screenedPart = 64;
const suspects = 4;
/** Doubled three times, so that one collection of garbage decides nothing. */
const doublings = 3;
/** Nothing that takes less at the greatest length is judged: quadratic work takes more. */
const leastMs = 20;
/** Work at a small length that took more time of this thread is too slow, whatever else the machine does. */
const mostShortMs = 200;
/** Work at the greatest length may take this long, or longer in proportion to a slow small length. */
const mostOwnMs = 600;
/** The unit of a thread's time may be some milliseconds. */
const preciseMs = 60;
/** A shorter time is within the error of the clock. */
const measurableMs = 0.2;
const looks = 3;

export type Work = (text: string) => unknown;
type Case = { work: Work; attack: Attack };

/**
 * Returns by which factor one of several kinds of work takes longer for a text of twice the length, at the worst of the
 * attacks; undefined if all are linear up to the greatest length.
 */
export function findGrowth(works: readonly Work[], attacks: readonly Attack[], greatest: number): string | undefined {
  const cases = works.flatMap((work) => attacks.map((attack) => ({ work, attack })));
  const worst = screen(cases, greatest / screenedPart)
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, suspects);
  for (const one of worst) {
    const growth = judge(one, greatest);
    if (growth > mostGrowth)
      return `takes ${growth.toFixed(1)} times as long at twice of ${JSON.stringify(one.attack)}`;
  }
  return undefined;
}

/** Measures up to three times until planted growth is found: a busy machine may hide it, but cannot cause it. */
export async function findPlanted<Found>(
  find: () => Found | Promise<Found>,
  isFound: (found: Found) => boolean,
): Promise<Found> {
  let found = await find();
  for (let looks = 1; looks < 3 && !isFound(found); looks += 1) found = await find();
  return found;
}

type Timed = Case & { ms: number };

/** Times each case at a small length. One that does not end there is the worst. */
function screen(cases: readonly Case[], length: number): Timed[] {
  const timed: Timed[] = [];
  const ended = endsInOwnTime(mostShortMs, (begin) => {
    for (const one of cases.slice(timed.length)) {
      begin();
      timed.push({ ...one, ms: clockOf(one.work, buildText(one.attack, length)) });
    }
  });
  const slow = cases[timed.length];
  return ended || slow === undefined ? timed : [{ ...slow, ms: mostShortMs }];
}

/** Judges by the clock, and what looks slow by the time of this thread alone: then a busy machine does not matter. */
function judge({ work, attack }: Case, greatest: number): number {
  const [short, long] = [buildText(attack, greatest / 2 ** doublings), buildText(attack, greatest)];
  const allowed = mostGrowth ** doublings;
  const growth = (timeOf: (work: Work, text: string) => number): number => {
    const shortTime = timeWithin(mostShortMs, () => timeOf(work, short));
    if (shortTime === undefined) return Number.POSITIVE_INFINITY;
    // What is too short to be measured counts as long enough to be linear.
    const shortMs = Math.max(shortTime.ms, leastMs / allowed);
    const longTime = timeWithin(Math.max(mostOwnMs, shortTime.ownMs * allowed), () => timeOf(work, long));
    return longTime === undefined ? Number.POSITIVE_INFINITY : (longTime.ms / shortMs) ** (1 / doublings);
  };
  const byClock = growth(clockOf);
  // What did not end took too much time of its own: to look again says nothing more.
  if (byClock <= mostGrowth || byClock === Number.POSITIVE_INFINITY) return byClock;
  return Math.min(...[1, 2, 3, 4].map(() => growth(ownTimeOf)));
}

type Measured = { ms: number /** All that this thread ran for it. */; ownMs: number };

/** Measures; returns undefined if it took more than `mostMs` of this thread. */
function timeWithin(mostMs: number, measure: () => number): Measured | undefined {
  let measured: Measured | undefined;
  const ended = endsInOwnTime(mostMs, (begin) => {
    begin();
    const start = ownMs();
    const ms = measure();
    measured = { ms, ownMs: ownMs() - start };
  });
  return ended ? measured : undefined;
}

/** Takes the shortest of some looks: other processes and collections of garbage only ever add to a time. */
function clockOf(work: Work, text: string): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let look = 0; look < looks && (look === 0 || (shortest > measurableMs && shortest < preciseMs)); look += 1) {
    const start = performance.now();
    work(text);
    shortest = Math.min(shortest, performance.now() - start);
  }
  return shortest;
}

/** Repeats the work until its own time is long enough to be known. */
function ownTimeOf(work: Work, text: string): number {
  const start = ownMs();
  for (let runs = 1; ; runs++) {
    work(text);
    const spent = ownMs() - start;
    if (spent >= preciseMs) return spent / runs;
  }
}

/** Returns the milliseconds that this thread has run. */
function ownMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

declare global {
  var measured: (() => void) | undefined;
}
const script = new Script("measured()");

/**
 * Ends work that takes too long, also within one regular expression. Returns whether it ended by itself. The limit is by
 * the clock: if other processes took that time, the work is done again. It tells where each part begins.
 */
function endsInOwnTime(mostMs: number, work: (begin: () => void) => void): boolean {
  for (let limitMs = Math.ceil(1.2 * mostMs); ; limitMs *= 2) {
    let began = 0;
    globalThis.measured = () =>
      work(() => {
        began = ownMs();
      });
    try {
      script.runInThisContext({ timeout: limitMs });
      return true;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT")) throw error;
      if (ownMs() - began > mostMs) return false;
    } finally {
      globalThis.measured = undefined;
    }
  }
}
