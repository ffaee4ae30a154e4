import type { RolloutPath } from "#lib/contract/rollout.ts";
import type { VersionPods } from "#lib/domain/delivery/provider.ts";
import { findOwnedPods } from "#lib/domain/kube/find-owned-pods.ts";
import type { PodWithContainers } from "#lib/domain/kube/pod-containers.ts";
import { measuringProviderOf, providerOfKind } from "#lib/domain/providers.ts";
import { makeClusterIdentity } from "#lib/server/acting/permission/cluster-identity.ts";
import type { ClusterClient, ClusterIdentity } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { readerOf } from "#lib/server/clusters/object-api.ts";
import { readAllRelatedState } from "#lib/server/clusters/sources/read-related-state.ts";
import { describeReadFailure } from "#lib/server/pages/logs/log-refusal.ts";
import { type FullRolloutRow, findRollout } from "#lib/server/people/permission/find-rollout.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";

/** A rollout whose logs may be requested: the cluster decides whether the person may read them. */
export type LogPlace = {
  row: FullRolloutRow;
  client: ClusterClient;
  /** Always the person: logs are never read with Gatehouse's own rights. */
  as: ClusterIdentity;
  versions: VersionPods[];
};

/** Throws `not_found`, `not_allowed_now` if logs are off for the cluster, and `forbidden` without a name there. */
export async function findLogPlace(
  ctx: ServiceContext,
  path: RolloutPath & { job?: string | undefined },
): Promise<LogPlace> {
  const { runtime, actor } = ctx;
  const row = await findRollout(ctx, path);
  const cluster = runtime.config().config.clusters.find(({ name }) => name === row.cluster);
  const client = runtime.cluster(row.cluster);
  if (cluster === undefined || client === undefined)
    throw new ServiceError("not_allowed_now", `Cluster ${row.cluster} is no longer in the config.`);
  if (!cluster.logs)
    throw new ServiceError(
      "not_allowed_now",
      `Logs are turned off for cluster ${row.cluster} in the config of Gatehouse.`,
    );
  if (cluster.actAs !== "impersonation")
    throw new ServiceError(
      "not_allowed_now",
      `Gatehouse acts on cluster ${row.cluster} with its own account. Logs are only read with the rights of a person.`,
    );
  const as = makeClusterIdentity({ actor, cluster });
  const parsed = providerOfKind(row.kind).parse(row.object);
  if (!parsed.ok)
    throw new ServiceError("internal", `The recorded object of ${row.name} cannot be read: ${parsed.reason}.`);
  const [related, ofExperiments, ofJob] = await Promise.all([
    readAllRelatedState(runtime.pool, { ...row, workloads: parsed.value.workloads }),
    listExperimentPods(runtime.pool, row),
    path.job === undefined ? [] : listJobPods(runtime.pool, { row, job: path.job }),
  ]);
  return { row, client, as, versions: [...parsed.value.listVersionPods(related), ...ofExperiments, ...ofJob] };
}

export type ReadVersion = VersionPods & { pods: PodWithContainers[]; problem: string | null; isRefused: boolean };

/** Reads the pods that each version has now, as the person. */
export async function readVersionPods({ row, client, as, versions }: LogPlace): Promise<ReadVersion[]> {
  const { cluster, namespace } = row;
  const reader = readerOf({ client, as });
  return Promise.all(
    versions.map(async (version) => {
      const read = await findOwnedPods(reader, { namespace, owner: version.owner });
      if (read.kind === "found") return { ...version, pods: read.pods, problem: null, isRefused: false };
      const problem = describeReadFailure({ cluster, namespace, username: as.username }, read);
      return { ...version, pods: [], problem, isRefused: read.kind === "refused" };
    }),
  );
}

/** Throws if no version's pods could be read: that is not the same as having none. */
export function assertSomeRead(versions: readonly ReadVersion[]): void {
  const [first] = versions;
  if (first === undefined || versions.some(({ problem }) => problem === null)) return;
  throw new ServiceError(first.isRefused ? "cluster_refused" : "unavailable", first.problem ?? "");
}

/**
 * Returns the Job by which an analysis run of the rollout measured; empty if no recorded run of it did. Argo Rollouts
 * names a Job after its run's uid, the metric and a number (1.10.2, metricproviders/job/job.go newJobName).
 */
async function listJobPods(
  pool: Connection,
  { row, job }: { row: Pick<FullRolloutRow, "id">; job: string },
): Promise<VersionPods[]> {
  const [uid = ""] = job.split(".", 1);
  const run = await prismaOn(pool).analysisRun.findFirst({
    where: { rolloutId: row.id, uid },
    select: { uid: true, name: true },
  });
  return run === null ? [] : [{ owner: { kind: "Job", name: job }, side: "other", revision: null, images: [], run }];
}

/** Each version costs two requests to the API server. */
const mostExperiments = 3;
const mostVersions = 10;

/**
 * Lists what runs the pods of the Experiments of a rollout's current version: those that have pods, by the record. The
 * newest Experiment first; its versions in their order.
 */
async function listExperimentPods(
  pool: Connection,
  row: Pick<FullRolloutRow, "id" | "revision_key">,
): Promise<VersionPods[]> {
  const experiments = await prismaOn(pool).experiment.findMany({
    where: { rolloutId: row.id, podHash: row.revision_key, presence: "live" },
    orderBy: [{ createdAt: "desc" }, { uid: "asc" }],
    take: mostExperiments,
    select: { uid: true, name: true, object: true, revision: true },
  });
  const sets = await readSets(
    pool,
    experiments.map(({ uid }) => uid),
  );
  const versions = experiments.flatMap(({ uid, name, object, revision }) => {
    const parsed = measuringProviderOf("Experiment").parseExperiment(object);
    if (!parsed.ok) return [];
    return parsed.value.describe().templates.flatMap((template): VersionPods[] => {
      const set = sets.find((each) => each.ownerUid === uid && each.name === template.replicaSet);
      if (set === undefined) return [];
      return [
        {
          owner: { kind: "ReplicaSet", name: set.name },
          side: "other",
          revision,
          images: set.images,
          experiment: { uid, name, template: template.name },
        },
      ];
    });
  });
  return versions.slice(0, mostVersions);
}

async function readSets(pool: Connection, uids: readonly string[]) {
  if (uids.length === 0) return [];
  return prismaOn(pool).replicaSet.findMany({
    where: { ownerUid: { in: [...uids] }, presence: "live", OR: [{ desired: { gt: 0 } }, { replicas: { gt: 0 } }] },
    select: { name: true, ownerUid: true, images: true },
  });
}
