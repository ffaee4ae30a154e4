import type { StateHue } from "#components/ui/state-tokens.ts";
import type { CourseMoment, ReleaseCourse } from "#lib/contract/release-course.ts";

type Activity = CourseMoment["activity"];

/** Words and colours for the activities that a release spends its time on. */
export const activityWords: Readonly<Record<Activity, { word: string; hue: StateHue }>> = {
  progressing: { word: "progressing", hue: "slate" },
  analysing: { word: "analysing", hue: "blue" },
  pausing: { word: "timed pauses", hue: "grey" },
  waiting: { word: "waiting for a person", hue: "amber" },
  held: { word: "paused by a person", hue: "orange" },
};

const doing: Readonly<Record<Activity, string>> = {
  progressing: "progressing",
  analysing: "analysing",
  pausing: "in a timed pause",
  waiting: "waiting for a person",
  held: "paused by a person",
};

/** Describes a moment: "at 40 %, step 4 of 6, waiting for a person"; a failed one by its remaining weight. */
export function describeMoment({ weight, step, stepCount, activity, phase }: CourseMoment): string {
  // The controller goes back to the first step, which is not the step that failed.
  if (phase === "Degraded") return weight === null ? "degraded" : `degraded, ${weight} % on the new version`;
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

export type TimeShare = { activity: Activity; word: string; hue: StateHue; seconds: number; share: number };

const order: readonly Activity[] = ["progressing", "analysing", "pausing", "waiting", "held"];

/** Lists the activities that took time, in a fixed order; `share` is from 0 to 1. */
export function splitTime({ total, activities }: ReleaseCourse["time"]): TimeShare[] {
  return order.flatMap((activity) => {
    const seconds = activities[activity];
    return seconds > 0 && total > 0 ? [{ activity, ...activityWords[activity], seconds, share: seconds / total }] : [];
  });
}
