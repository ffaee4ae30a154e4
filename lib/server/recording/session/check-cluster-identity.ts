import { compareResourceVersions } from "#lib/domain/kube/resource-version.ts";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { ClusterUnreachableError, isClusterUnreachableError } from "#lib/server/clusters/kubernetes/cluster-errors.ts";
import { backwardsMessage, otherClusterMessage } from "#lib/server/clusters/sources/source-freshness.ts";
import { claimClusterIdentity } from "#lib/server/recording/store/source-row.ts";
import { joinNext } from "#lib/util/join-next.ts";
import type { Session } from "./session-types.ts";
import type { SourceEvent } from "./source-state.ts";

/**
 * Checks that this is still the same cluster: the uid of its kube-system namespace never changes. Returns undefined if
 * it is, or if we may not read it; returns an event if it is another cluster or does not answer.
 */
export async function checkClusterIdentity(session: Session): Promise<SourceEvent | undefined> {
  const { client, source, pool, signal } = session;
  try {
    const uid = await readUid(client, signal);
    if (uid === undefined || uid === session.confirmedUid) return undefined;
    if (await claimClusterIdentity(pool, { cluster: source.cluster, uid })) {
      session.confirmedUid = uid;
      return undefined;
    }
    return { type: "other-cluster", code: "other-cluster", message: otherClusterMessage };
  } catch (error) {
    if (isClusterUnreachableError(error)) return { type: "unreachable", message: error.message };
    throw error;
  }
}

/** Requests that are sent or waited for, by client: the sources of a cluster reopen their watches at the same times. */
const reading = new WeakMap<ClusterClient, (run: () => Promise<string | undefined>) => Promise<string | undefined>>();

/** Returns the uid of the kube-system namespace, read after this call; undefined if it may not be read. */
async function readUid(client: ClusterClient, signal: AbortSignal): Promise<string | undefined> {
  const join = reading.get(client) ?? joinNext<string | undefined>();
  reading.set(client, join);
  const shared = join(async () => {
    const { status, json } = await client.request({
      method: "GET",
      path: "/api/v1/namespaces/kube-system",
      timeoutMs: 15_000,
    });
    return status === 200 ? uidOf(json) : undefined;
  });
  const ended = Promise.withResolvers<never>();
  const end = (): void => {
    const message = "the source ended before the cluster answered";
    ended.reject(new ClusterUnreachableError({ cluster: client.name, sent: true, message }));
  };
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  try {
    return await Promise.race([shared, ended.promise]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

function uidOf(json: unknown): string | undefined {
  if (json === null || typeof json !== "object" || !("metadata" in json)) return undefined;
  const { metadata } = json;
  if (metadata === null || typeof metadata !== "object" || !("uid" in metadata)) return undefined;
  return typeof metadata.uid === "string" ? metadata.uid : undefined;
}

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
