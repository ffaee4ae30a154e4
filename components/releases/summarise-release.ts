import { findMainCause } from "#components/releases/summarise-comparison.ts";
import { classifyRelease } from "#components/ui/classify-state.ts";
import { formatSeconds } from "#lib/client/format-duration.ts";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";

type Summarised = Pick<ReleaseCourse, "to" | "time"> & {
  release: Pick<ReleaseCourse["release"], "state" | "waitsFor" | "message">;
};

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

/** Says how much longer a release took than the one before it, and why: "1 h 18 min longer, mostly waiting for a person". */
export function compareTimes(own: ReleaseCourse["time"], previous: ReleaseCourse["time"]): string {
  const seconds = own.total - previous.total;
  if (Math.abs(seconds) < 1) return "about as long";
  const [longer, shorter] = seconds > 0 ? [own, previous] : [previous, own];
  const most = findMainCause(longer, shorter);
  const mostly = most === undefined ? "" : `, mostly ${most.word}`;
  return `${formatSeconds(Math.abs(seconds))} ${seconds > 0 ? "longer" : "shorter"}${mostly}`;
}
