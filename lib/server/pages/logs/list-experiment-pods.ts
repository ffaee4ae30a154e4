import type { VersionPods } from "#lib/domain/delivery/version-pods.ts";
import { measuringProviderOf } from "#lib/domain/providers.ts";
import type { FullRolloutRow } from "#lib/server/people/permission/find-rollout.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

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
  const experiments = await readRows(
    pool,
    tables
      .selectFrom("experiment")
      .select(["uid", "name", "object", "revision"])
      .where("rollout_id", "=", row.id)
      .where("pod_hash", "=", row.revision_key)
      .where("presence", "=", "live")
      .orderBy("created_at", "desc")
      .orderBy("uid")
      .limit(mostExperiments),
  );
  const sets = await readSets(
    pool,
    experiments.map(({ uid }) => uid),
  );
  const versions = experiments.flatMap(({ uid, name, object, revision }) => {
    const parsed = measuringProviderOf("Experiment").parseExperiment(object);
    if (!parsed.ok) return [];
    return parsed.value.describe().templates.flatMap((template): VersionPods[] => {
      const set = sets.find((each) => each.owner_uid === uid && each.name === template.replicaSet);
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
  return readRows(
    pool,
    tables
      .selectFrom("replica_set")
      .select(["name", "owner_uid", "images"])
      .where(({ ref }) => isOneOf(ref("owner_uid"), uids))
      .where("presence", "=", "live")
      .where((eb) => eb.or([eb("desired", ">", 0), eb("replicas", ">", 0)])),
  );
}
