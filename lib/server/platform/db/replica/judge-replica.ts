import { hasReached, type ReplayState, type WalPosition } from "./wal-position.ts";

/** The primary's position, with the time on this process's own clock just before the primary was asked. */
export type PrimarySample = { atMs: number; position: WalPosition };

export type ReplicaState =
  /** `lagMs`: undefined before the first look at it, and if it is further behind than this process remembers. */
  | { state: "in-use" | "behind" | "starting"; lagMs: number | undefined }
  | { state: "other-timeline" | "not-a-standby"; lagMs: undefined }
  | { state: "down"; lagMs: undefined; reason: string };

/** How many samples are kept, one a second: a replica further behind than that is "more than a minute". */
const keptSamples = 60;

export function keepSample(samples: readonly PrimarySample[], sample: PrimarySample): PrimarySample[] {
  return [...samples, sample].slice(-keptSamples);
}

/**
 * Computes how old the replica's data may be: the time since the last sample of the primary that the replica has
 * reached. No server's clock is involved, and an idle primary makes no lag, since its samples are all the same place.
 */
export function computeLag(
  samples: readonly PrimarySample[],
  { replayed, nowMs }: { replayed: WalPosition; nowMs: number },
): number | undefined {
  const reached = samples.findLast(({ position }) => hasReached(replayed, position));
  return reached === undefined ? undefined : Math.max(0, nowMs - reached.atMs);
}

/** Judges whether reads may be tried on the replica. Each read checks its own server again. */
export function judgeReplica(
  { isStandby, position }: ReplayState,
  { samples, nowMs, maxLagMs }: { samples: readonly PrimarySample[]; nowMs: number; maxLagMs: number },
): ReplicaState {
  if (!isStandby) return { state: "not-a-standby", lagMs: undefined };
  const newest = samples.at(-1);
  if (position === undefined || newest === undefined) return { state: "starting", lagMs: undefined };
  if (position.timeline !== newest.position.timeline) return { state: "other-timeline", lagMs: undefined };
  const lagMs = computeLag(samples, { replayed: position, nowMs });
  return { state: lagMs !== undefined && lagMs <= maxLagMs ? "in-use" : "behind", lagMs };
}
