import { z } from "zod";
import { sharedUser } from "#lib/domain/acting/own-identity.ts";
import type { ClusterClient, ClusterIdentity } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";

type Entry = { until: number; flight: Promise<string | undefined> };

const keepForMs = 10 * 60_000;
const keepUnknownForMs = 10_000;
const names = new WeakMap<ClusterClient, Entry>();

const Review = z.looseObject({
  status: z.looseObject({ userInfo: z.looseObject({ username: z.string().min(1) }) }),
});

/**
 * Reads the name of Gatehouse's own account at a cluster. Returns undefined if the cluster does not answer within
 * `waitMs`. Never throws.
 */
export async function readOwnName({
  client,
  waitMs,
}: {
  client: ClusterClient;
  waitMs: number;
}): Promise<string | undefined> {
  const known = names.get(client);
  const entry = known !== undefined && performance.now() < known.until ? known : ask(client);
  names.set(client, entry);
  const late = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), waitMs).unref();
  });
  return Promise.race([entry.flight, late]);
}

/** Whom the cluster's own log names as the author of a change, as an intent says it. */
type Author = {
  actAs: ClusterIdentity["mode"];
  /** The user; null if it is the service account and its name is unknown. */
  clusterUser: string | null;
  /** The person, if the log has the name as an extra of that user. */
  clusterPerson?: string;
};

export async function describeAuthor({ client, as }: { client: ClusterClient; as: ClusterIdentity }): Promise<Author> {
  const { mode: actAs, username } = as;
  if (actAs === "user") return { actAs, clusterUser: username };
  if (actAs === "groups") return { actAs, clusterUser: sharedUser, clusterPerson: username };
  return { actAs, clusterUser: (await readOwnName({ client, waitMs: 1000 })) ?? null };
}

function ask(client: ClusterClient): Entry {
  const flight = client
    .request({
      method: "POST",
      path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
      timeoutMs: 5000,
    })
    .then(({ json }) => Review.safeParse(json).data?.status.userInfo.username)
    .catch(() => undefined);
  const entry: Entry = { until: performance.now() + keepUnknownForMs, flight };
  void flight.then((name) => {
    entry.until = performance.now() + (name === undefined ? keepUnknownForMs : keepForMs);
  });
  return entry;
}
