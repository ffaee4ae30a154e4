import { deriveCourse, spansOf } from "#lib/domain/delivery/course/derive-course.ts";
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
