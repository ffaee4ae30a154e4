import type { VersionPods } from "#lib/domain/delivery/provider.ts";
import { measuringProviderOf } from "#lib/domain/providers.ts";
import type { FullRolloutRow } from "#lib/server/people/permission/find-rollout.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";

/** Each version costs two requests to the API server. */
const mostExperiments = 3;
const mostVersions = 10;

/**
 * Lists what runs the pods of the Experiments of a rollout's current version: those that have pods, by the record. The
 * newest Experiment first; its versions in their order.
 */
export async function listExperimentPods(
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
