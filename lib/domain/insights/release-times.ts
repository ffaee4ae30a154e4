import { deriveCourse, spansOf } from "#lib/domain/delivery/derive-course.ts";
import type { DeliveryState, Observation } from "#lib/domain/delivery/observation.ts";

/** A stretch of a release in which it waited for a person. */
export type ReleaseWait = {
  fromMs: number;
  toMs: number;
  /** `held`: a person had paused it in its spec. */
  activity: "waiting" | "held";
  /** Name of the Inconclusive run that it waited because of; null if it waited for another reason. */
  run: string | null;
};

/**
 * Lists the times in which a release waited for people, until `toMs`, from its observations, oldest first. They are the
 * same times as on the release's page. Neighbours with the same reason are one wait.
 */
export function deriveWaits(
  observations: readonly Pick<Observation, "observedAt" | "state">[],
  toMs: number,
): ReleaseWait[] {
  const stateAt = new Map(observations.map(({ observedAt, state }) => [Date.parse(observedAt), state]));
  const waits: ReleaseWait[] = [];
  for (const { fromMs, toMs: endMs, activity } of spansOf(deriveCourse(observations), toMs)) {
    if ((activity !== "waiting" && activity !== "held") || endMs <= fromMs) continue;
    const state = stateAt.get(fromMs);
    const run = activity === "waiting" && state !== undefined ? findCause(state) : null;
    const last = waits.at(-1);
    if (last?.toMs === fromMs && last.activity === activity && last.run === run) last.toMs = endMs;
    else waits.push({ fromMs, toMs: endMs, activity, run });
  }
  return waits;
}

function findCause({ runs }: DeliveryState): string | null {
  return runs.find(({ phase, isHeld }) => phase === "Inconclusive" && isHeld === true)?.name ?? null;
}

/** The annotation with the time of the released commit, in RFC 3339. */
export const commitTimeAnnotation = "gatehouse.dev/commit-time";

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/**
 * Returns the commit time of a release, from the first text that is not null. Undefined if that text is missing, is not
 * a time, or lies after the beginning of the release: a lead time would be a guess.
 */
export function readCommitTime(texts: readonly (string | null)[], startedAt: Date): Date | undefined {
  const text = texts.find((each) => each !== null)?.trim() ?? "";
  if (!rfc3339.test(text)) return undefined;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) || time > startedAt ? undefined : time;
}
