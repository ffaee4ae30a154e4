import { type KnownRevisions, nothingKnown } from "#lib/domain/delivery/attribute-revision.ts";
import { foldRelease, noReleases, type Release } from "#lib/domain/delivery/derive-releases.ts";
import { compareObservations, type TimelineEvent } from "#lib/domain/delivery/derive-timeline.ts";
import type { DeliveryState, Observation } from "#lib/domain/delivery/observation.ts";

/** Derives all releases of a rollout, oldest first, from its observations in order. Pure: the same rows every time. */
export function deriveReleases(observations: readonly Observation[], known: KnownRevisions = nothingKnown): Release[] {
  const releases = new Map<string, Release>();
  let history = noReleases;
  for (const observation of observations) {
    const folded = foldRelease(history, observation, known);
    for (const release of folded.changed) releases.set(`${release.runKey}#${release.attempt}`, release);
    history = folded.history;
  }
  return [...releases.values()];
}

/** Derives everything that happened to a rollout, oldest first, from its observations in order. */
export function deriveTimeline(
  observations: readonly Observation[],
  known: KnownRevisions = nothingKnown,
): TimelineEvent[] {
  let named: DeliveryState | undefined;
  return observations.flatMap((observation, index) => {
    const events = compareObservations(observations[index - 1], observation, { named, known });
    if (observation.state.runKey !== "") named = observation.state;
    return events;
  });
}
