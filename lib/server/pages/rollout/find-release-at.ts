import type { TimelineEvent } from "#lib/contract/timeline.ts";

export type TimelineRelease = NonNullable<TimelineEvent["release"]>;

/**
 * Finds the release that was the newest at a time. An event is written in milliseconds, a release in microseconds: one
 * that began within the event's millisecond counts. `releases`: newest first.
 */
export function findReleaseAt(releases: readonly TimelineRelease[], at: string): TimelineRelease | null {
  const ms = Date.parse(at);
  return releases.find(({ startedAt }) => Date.parse(startedAt) <= ms) ?? null;
}
