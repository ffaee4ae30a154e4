import { activityWords, countReleaseSeconds, roundActivities, type Timed } from "#components/releases/course-words.ts";
import { classifyRelease } from "#components/ui/classify-state.ts";
import { shortenImage } from "#lib/client/describe-images.ts";
import { formatSeconds } from "#lib/client/format-duration.ts";
import { nameRelease } from "#lib/client/record-names.ts";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";
import type { Release } from "#lib/contract/rollout.ts";
import { capital } from "#lib/util/words.ts";

type Summarised = Timed & {
  release: Pick<ReleaseCourse["release"], "state" | "waitsFor" | "message">;
};

const ended: Partial<Record<ReleaseCourse["release"]["state"], string>> = {
  promoted: "Promoted in",
  aborted: "Aborted after",
  superseded: "Superseded after",
};

/** Sums up how a release went: "Promoted in 2 h 4 min, including 1 h 18 min waiting for a person." */
export function summariseRelease(course: Summarised): string {
  const { release, to, time } = course;
  const length = formatLengthOf(course);
  const start = to === null ? "Under way for" : (ended[release.state] ?? `${classifyRelease(release).word} after`);
  const people = time.activities.waiting + time.activities.held;
  return `${start} ${length}${people < 1 ? "" : describeWait(course, people)}.`;
}

function describeWait(course: Timed, people: number): string {
  if (course.time.total - people < 1) return ", all waiting for a person";
  const { waiting, held } = roundActivities(course);
  return `, including ${formatSeconds(waiting + held)} waiting for a person`;
}

type Compared = Timed &
  Pick<ReleaseCourse, "isCut"> & {
    release: Pick<ReleaseCourse["release"], "state">;
    moments: readonly Pick<ReleaseCourse["moments"][number], "phase" | "weight">[];
  };

/**
 * Compares two releases in a sentence: "Aborted after 12 min at 40 %; v3.3.0 was promoted in 46 min." Only the times of
 * promoted ones differ by a reason, because others did not run all of their steps: "(+1 h 18 min: waiting)".
 */
export function summariseComparison([own, other]: readonly [Compared, Compared], otherName: string): string {
  const arePromoted = own.release.state === "promoted" && other.release.state === "promoted";
  const difference = arePromoted ? ` (${describeDifference(own, other)})` : "";
  const verb = other.to === null ? "has been" : other.release.state === "unknown" ? "" : "was";
  const before = `${otherName} ${verb} ${describeEnd(other)}`.replace("  ", " ");
  return `${capital(describeEnd(own))}; ${before}${difference}.`;
}

/** Says how a release ended, and at which weight unless it was promoted: "aborted after 12 min at 40 %". */
function describeEnd(course: Compared): string {
  const { release, to } = course;
  const length = formatLengthOf(course);
  if (to === null) return `under way for ${length}`;
  if (release.state === "promoted") return `promoted in ${length}`;
  if (release.state !== "aborted" && release.state !== "superseded") return `ended after ${length}, outcome unknown`;
  const weight = findLastWeight(course);
  return `${release.state} after ${length}${weight === undefined ? "" : ` at ${weight} %`}`;
}

/** Finds the weight before an abort took the traffic away; undefined if none is known. */
function findLastWeight({ moments, isCut }: Compared): number | undefined {
  if (isCut) return undefined;
  return moments.findLast(({ phase, weight }) => phase !== "Degraded" && (weight ?? 0) > 0)?.weight ?? undefined;
}

function formatLengthOf(course: Timed): string {
  return formatSeconds(countReleaseSeconds(course));
}

/** Says how much longer one release took, and the activity that explains at least half of the difference. */
function describeDifference(own: Timed, other: Timed): string {
  const seconds = own.time.total - other.time.total;
  if (formatLengthOf(own) === formatLengthOf(other)) return "the same time";
  const sign = Math.sign(seconds);
  const most = Object.entries(activityWords)
    .map(([activity, { short }]) => {
      const key = activity as keyof typeof activityWords;
      return { short, seconds: sign * (own.time.activities[key] - other.time.activities[key]) };
    })
    .reduce((largest, each) => (each.seconds > largest.seconds ? each : largest));
  const cause = most.seconds >= Math.abs(seconds) / 2 ? `: ${most.short}` : "";
  return `${sign > 0 ? "+" : "\u2212"}${formatSeconds(Math.abs(seconds))}${cause}`;
}

type Named = Pick<Release, "images" | "revision" | "runKey" | "attempt"> & {
  rollout: Pick<Release["rollout"], "id" | "name">;
};

/** Names two releases by their versions; by their revisions if the versions are the same or not known. */
export function nameCompared(own: Named, other: Named): [string, string] {
  const [version, otherVersion] = [own, other].map(({ images }) => images.map(shortenImage).join(", "));
  const areVersions = version !== otherVersion && version !== "" && otherVersion !== "";
  const nameOf = (release: Named, shown = "") => {
    const name = areVersions ? shown : nameRelease(release);
    return own.rollout.id === other.rollout.id ? name : `${release.rollout.name} ${name}`;
  };
  return [nameOf(own, version), nameOf(other, otherVersion)];
}
