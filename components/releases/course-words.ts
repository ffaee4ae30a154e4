import type { ExperimentLane } from "#components/releases/prepare-course.ts";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { formatExact } from "#components/ui/format-time.ts";
import type { StateHue } from "#components/ui/state-tokens.ts";
import { shortenImage } from "#lib/client/describe-images.ts";
import { countShownSeconds, roundParts } from "#lib/client/format-duration.ts";
import type { CourseMoment, ReleaseCourse, ReleaseExperiment } from "#lib/contract/release-course.ts";
import type { ReleaseRun } from "#lib/contract/rollout.ts";

type Activity = CourseMoment["activity"];

/** Words and colours for the activities that a release spends its time on. */
export const activityWords: Readonly<Record<Activity, { word: string; short: string; hue: StateHue }>> = {
  progressing: { word: "progressing", short: "progressing", hue: "slate" },
  analysing: { word: "analysing", short: "analysing", hue: "blue" },
  pausing: { word: "timed pauses", short: "timed pauses", hue: "grey" },
  waiting: { word: "waiting for a person", short: "waiting", hue: "amber" },
  held: { word: "paused by a person", short: "paused", hue: "orange" },
};

const doing: Readonly<Record<Activity, string>> = {
  progressing: "progressing",
  analysing: "analysing",
  pausing: "in a timed pause",
  waiting: "waiting for a person",
  held: "paused by a person",
};

/** Describes a moment: "at 40 %, step 4 of 6, waiting for a person"; a failed one by its remaining weight. */
export function describeMoment(
  { weight, step, stepCount, activity, phase }: CourseMoment,
  images: readonly string[] = [],
): string {
  const version = images.map(shortenImage).join(", ") || "the new version";
  // The controller goes back to the first step, which is not the step that failed.
  if (phase === "Degraded" && weight === null) return "degraded";
  if (phase === "Degraded") return `${weight === 0 ? "" : "degraded, "}${weight} % on ${version}`;
  const isPast = step !== null && step >= stepCount && stepCount > 0;
  return [
    weight === null ? undefined : `at ${weight} %`,
    step === null || stepCount === 0
      ? undefined
      : isPast
        ? `all ${stepCount} steps done`
        : `step ${step + 1} of ${stepCount}`,
    phase === "Healthy" ? "healthy" : doing[activity],
  ]
    .filter((part) => part !== undefined)
    .join(", ");
}

/** Says by which config the freeze windows of a release count. */
export function describeFreezeConfig({
  from,
  policiesKnownFrom: known,
}: Pick<ReleaseCourse, "from" | "policiesKnownFrom">): string {
  if (known !== null && Date.parse(known) <= Date.parse(from))
    return "Freeze windows count as the config of that time had them.";
  const today = "freeze windows count as the current config has them; those of that time are unknown.";
  return known === null ? `F${today.slice(1)}` : `Until ${formatExact(known)}, ${today}`;
}

export type TimeShare = {
  activity: Activity;
  word: string;
  hue: StateHue;
  seconds: number;
  share: number;
  percent: string;
};

const known: readonly Activity[] = ["progressing", "analysing", "pausing", "waiting", "held"];

export type Timed = Pick<ReleaseCourse, "from" | "to" | "time">;

/** Returns the seconds of a release as the shown times of its ends give them, if they agree with its record. */
export function countReleaseSeconds({ from, to, time: { total } }: Timed): number {
  const shown = to === null ? total : countShownSeconds(from, to);
  return Math.abs(shown - total) < 1 ? shown : total;
}

/** Returns the seconds of each activity, rounded so that they add up to the length of the release as it is shown. */
export function roundActivities(course: Timed): Record<Activity, number> {
  const { activities } = course.time;
  const rounded = roundParts(
    known.map((activity) => activities[activity]),
    countReleaseSeconds(course),
  );
  return Object.fromEntries(known.map((activity, index) => [activity, rounded[index] ?? 0])) as Record<
    Activity,
    number
  >;
}

/** The axis shows the parts of less than a minute well enough, unless a person was waited for. */
export function isWorthSplitting({ to, time: { total, activities } }: Timed): boolean {
  return to === null || total >= 60 || activities.waiting + activities.held > 0;
}

type Split = Timed & { moments: readonly Pick<CourseMoment, "activity">[] };

/** Lists the activities that took time, in the order in which they first occurred; `share` is from 0 to 1. */
export function splitTime(course: Split): TimeShare[] {
  const { total, activities } = course.time;
  const rounded = roundActivities(course);
  const order = new Set([...course.moments.map(({ activity }) => activity), ...known]);
  const shares = [...order].flatMap((activity) => {
    const seconds = activities[activity];
    return seconds > 0 && total > 0
      ? [{ activity, ...activityWords[activity], seconds: rounded[activity], share: seconds / total }]
      : [];
  });
  const percents = roundPercents(shares.map(({ share }) => share));
  return shares.map((each, index) => ({ ...each, percent: formatPercent(each.share, percents[index] ?? 0) }));
}

/**
 * Rounds shares to whole percents whose sum is that of the shares, rounded: those that lose most by rounding down are
 * rounded up.
 */
export function roundPercents(shares: readonly number[]): number[] {
  const exact = shares.map((share) => share * 100);
  const total = Math.round(exact.reduce((sum, each) => sum + each, 0));
  const missing = total - exact.reduce((sum, each) => sum + Math.floor(each), 0);
  const places = exact
    .map((each, index) => ({ index, lost: each - Math.floor(each) }))
    .toSorted((one, other) => other.lost - one.lost);
  const up = new Set(places.slice(0, missing).map(({ index }) => index));
  return exact.map((each, index) => Math.floor(each) + (up.has(index) ? 1 : 0));
}

function formatPercent(share: number, percent: number): string {
  if (share > 0 && share < 0.01) return "under 1 %";
  return share > 0.99 && share < 1 ? "over 99 %" : `${percent} %`;
}

/** Describes an analysis on the axis: "Analysis step 2: Failed, decided the release. errors failed twice". */
export function describeRunLane(
  name: string,
  { phase, message, decided = false }: Pick<ReleaseRun, "phase" | "message"> & { decided?: boolean },
): string {
  const { word } = classifyAnalysis(phase);
  return `Analysis ${name}: ${word}${decided ? ", decided the release" : ""}${message === "" ? "" : `. ${message}`}`;
}

/** Describes an Experiment on the axis, with the versions that it runs. */
export function describeExperimentLane(
  experiment: Pick<ExperimentLane, "name" | "phase" | "message" | "templates">,
): string {
  const { name, phase, message, templates } = experiment;
  const versions = templates.length === 0 ? "" : `. Side by side: ${describeTemplates(templates)}`;
  return `Experiment ${name}: ${classifyAnalysis(phase).word}${message === "" ? "" : `. ${message}`}${versions}`;
}

/** Names an analysis of an Experiment: its run's name without the Experiment's, which it begins with. */
export function nameWithin(experiment: string, { name }: Pick<ReleaseRun, "name">): string {
  return name.startsWith(`${experiment}-`) ? name.slice(experiment.length + 1) : name;
}

/** Lists the versions of an Experiment: "baseline (v1.9.0), candidate (v2.0.0)". */
export function describeTemplates(templates: ReleaseExperiment["templates"]): string {
  return templates
    .map(({ name, images }) => (images.length === 0 ? name : `${name} (${images.map(shortenImage).join(", ")})`))
    .join(", ");
}
