import type { Activity, DeliveryState, Observation } from "#lib/domain/delivery/observation.ts";

/** A release from one moment until the next one, during which the fields shown on its page stayed the same. */
export type CourseMoment = Pick<
  DeliveryState,
  "phase" | "message" | "step" | "stepCount" | "stepText" | "weight" | "activity"
> & {
  /** ISO 8601, as observed. */
  at: string;
  /** The reasons why it waits, in sentences. */
  waits: string[];
};

/** Derives the course of a release from its observations, oldest first. */
export function deriveCourse(observations: readonly Pick<Observation, "observedAt" | "state">[]): CourseMoment[] {
  const moments: CourseMoment[] = [];
  for (const { observedAt, state } of observations) {
    const moment = toMoment(observedAt, state);
    const last = moments.at(-1);
    if (last === undefined || !isSame(last, moment)) moments.push(moment);
  }
  return moments;
}

function toMoment(at: string, state: DeliveryState): CourseMoment {
  const { phase, message, step, stepCount, stepText, weight, activity, waits } = state;
  return { at, phase, message, step, stepCount, stepText, weight, activity, waits: waits.map(({ text }) => text) };
}

function isSame({ at: _, ...one }: CourseMoment, { at: __, ...other }: CourseMoment): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export type Span = { fromMs: number; toMs: number };

/** Returns the milliseconds that the release spent on each activity, until `toMs`. Their sum is its whole time. */
export function sumActivities(moments: readonly CourseMoment[], toMs: number): Record<Activity, number> {
  const sums: Record<Activity, number> = { progressing: 0, analysing: 0, pausing: 0, waiting: 0, held: 0 };
  for (const { activity, fromMs, toMs: endMs } of spansOf(moments, toMs)) sums[activity] += endMs - fromMs;
  return sums;
}

/** Lists the times of the course, one after the other. */
export function spansOf(moments: readonly CourseMoment[], toMs: number): (Span & { activity: Activity })[] {
  return moments.map(({ at, activity }, index) => {
    const fromMs = Date.parse(at);
    const next = moments[index + 1];
    return { activity, fromMs, toMs: Math.max(fromMs, next === undefined ? toMs : Date.parse(next.at)) };
  });
}
