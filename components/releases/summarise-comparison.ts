import { pairRuns } from "#components/releases/compare-runs.tsx";
import { activityWords } from "#components/releases/course-words.ts";
import { classifyRelease } from "#components/ui/classify-state.ts";
import { nameRunPlace } from "#components/ui/run-type-words.ts";
import { formatSeconds } from "#lib/client/format-duration.ts";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";

type Pair<T> = readonly [T, T];

/**
 * Sums up how the first of two releases differs from the other: outcome, time with the activity that differs most, and
 * analyses with another verdict. One sentence each.
 */
export function summariseComparison(courses: Pair<ReleaseCourse>, names: Pair<string>): string {
  return [describeOutcomes(courses, names), describeTimes(courses, names), ...describeRuns(courses, names)].join(" ");
}

function describeOutcomes([one, other]: Pair<ReleaseCourse>, [first, second]: Pair<string>): string {
  const [ended, before] = [one, other].map(({ release }) => classifyRelease(release).word) as [string, string];
  return ended === before ? `${first} and ${second}: both ${ended}.` : `${first}: ${ended}. ${second}: ${before}.`;
}

function describeTimes([one, other]: Pair<ReleaseCourse>, [first, second]: Pair<string>): string {
  const seconds = one.time.total - other.time.total;
  const soFar = one.to === null || other.to === null ? " so far" : "";
  if (Math.abs(seconds) < 1) return `Both took ${formatSeconds(one.time.total)}${soFar}.`;
  const [longer, shorter] = seconds > 0 ? [one, other] : [other, one];
  const most = findMainCause(longer.time, shorter.time);
  const mostly = most === undefined ? "" : `, ${formatSeconds(most.seconds)} more ${most.word}`;
  const name = longer === one ? first : second;
  return `${name} took ${formatSeconds(Math.abs(seconds))} longer${soFar}${mostly}.`;
}

type Time = Pick<ReleaseCourse["time"], "total" | "activities">;

/** Finds the activity that explains at least half of the time that one release took longer than another. */
export function findMainCause(
  longer: Time,
  shorter: Time,
): { activity: keyof typeof activityWords; word: string; seconds: number } | undefined {
  const most = Object.entries(activityWords)
    .map(([activity, { word }]) => {
      const key = activity as keyof typeof activityWords;
      return { activity: key, word, seconds: longer.activities[key] - shorter.activities[key] };
    })
    .reduce((largest, each) => (each.seconds > largest.seconds ? each : largest));
  return most.seconds >= (longer.total - shorter.total) / 2 ? most : undefined;
}

function describeRuns([one, other]: Pair<ReleaseCourse>, [first, second]: Pair<string>): string[] {
  return pairRuns(one.runs, other.runs).flatMap((pair) => {
    const run = pair.one ?? pair.other;
    if (run === undefined || pair.one?.phase === pair.other?.phase) return [];
    const [here, there] = [pair.one?.phase ?? "not run", pair.other?.phase ?? "not run"];
    return [`Analysis (${nameRunPlace(run)}): ${here} in ${first}, ${there} in ${second}.`];
  });
}
