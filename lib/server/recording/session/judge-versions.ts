import { compareResourceVersions } from "#lib/domain/kube/resource-version.ts";
import { backwardsMessage } from "#lib/server/clusters/sources/source-freshness.ts";
import type { Session } from "./session-types.ts";
import type { SourceEvent } from "./source-state.ts";

/**
 * Returns an event if the generation went back. Invariant: an object's generation never decreases. If it did, it was
 * restored from a backup or is another cluster's.
 */
export function judgeGeneration(
  { live }: Pick<Session, "live">,
  { uid, generation }: { uid: string; generation: number | undefined },
): SourceEvent | undefined {
  const known = live.get(uid);
  if (known === undefined || generation === undefined || generation >= known) return undefined;
  const message = `${backwardsMessage}: the generation of object ${uid} went from ${known} to ${generation}`;
  return { type: "other-cluster", code: "versions-backwards", message };
}

/**
 * Returns an event if the version went back. Invariant: a quorum read or a line of a watch is never behind what the
 * same cluster said before.
 */
export function judgeVersion(version: string, reached: string | undefined): SourceEvent | undefined {
  if (reached === undefined || compareResourceVersions(version, reached) !== -1) return undefined;
  const message = `${backwardsMessage}: the resourceVersion went from ${reached} to ${version}`;
  return { type: "other-cluster", code: "versions-backwards", message };
}
