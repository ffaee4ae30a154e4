import { findMainCause } from "#components/releases/summarise-comparison.ts";
import { classifyRelease } from "#components/ui/classify-state.ts";
import { formatSeconds } from "#lib/client/format-duration.ts";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";

type Summarised = Pick<ReleaseCourse, "to" | "time"> & {
  release: Pick<ReleaseCourse["release"], "state" | "waitsFor" | "message">;
};

type Compared = Pick<ReleaseCourse, "time"> & { release: Pick<ReleaseCourse["release"], "state"> };

const ended: Partial<Record<ReleaseCourse["release"]["state"], string>> = {
  promoted: "Promoted in",
  aborted: "Aborted after",
  superseded: "Superseded after",
};

/** Sums up how a release went: "Promoted in 2 h 4 min, 1 h 18 min of it waiting for a person." */
export function summariseRelease({ release, to, time }: Summarised): string {
  const length = formatSeconds(time.total);
  const start = to === null ? "Under way for" : (ended[release.state] ?? `${classifyRelease(release).word} after`);
  const people = time.activities.waiting + time.activities.held;
  return `${start} ${length}${people < 1 ? "" : describeWait(people, time.total)}.`;
}

function describeWait(people: number, total: number): string {
  return total - people < 1
    ? ", all of it waiting for a person"
    : `, ${formatSeconds(people)} of it waiting for a person`;
}

/** Says how long the release before took: "v1.9.0 took 46 min"; of one that was not promoted, how it ended. */
export function describePrevious(version: string, { release, time }: Compared): string {
  const verb = release.state === "aborted" || release.state === "superseded" ? `was ${release.state} after` : "took";
  return `${version} ${verb} ${formatSeconds(time.total)}`;
}

/**
 * Compares the time of a release with the one before: "1 h 18 min longer, mostly waiting for a person". Undefined unless
 * both were promoted, because others did not run all of their steps.
 */
export function compareTimes(own: Compared, previous: Compared): string | undefined {
  if (own.release.state !== "promoted" || previous.release.state !== "promoted") return undefined;
  const seconds = own.time.total - previous.time.total;
  if (Math.abs(seconds) < 1) return "about as long";
  const isLonger = seconds > 0;
  const most = isLonger ? findMainCause(own.time, previous.time) : findMainCause(previous.time, own.time);
  const mostly = most === undefined ? "" : `, mostly ${isLonger ? most.word : less[most.activity]}`;
  return `${formatSeconds(Math.abs(seconds))} ${isLonger ? "longer" : "shorter"}${mostly}`;
}

const less: Readonly<Record<keyof ReleaseCourse["time"]["activities"], string>> = {
  progressing: "less time progressing",
  analysing: "less time analysing",
  pausing: "less time in timed pauses",
  waiting: "less waiting for a person",
  held: "less time paused by a person",
};
