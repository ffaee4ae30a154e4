import type { RolloutDetail } from "#lib/contract/rollout.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";

export type PodCounts = RolloutDetail["replicaSets"][number]["pods"];

/** Counts the pods that the cluster has of each ReplicaSet of a rollout, by the ReplicaSet's name. */
export async function readPodCounts(runtime: Runtime, rolloutId: string): Promise<Map<string, PodCounts>> {
  const { rows } = await runtime.pool.query<PodCounts & { name: string }>(
    `SELECT s.name, count(*)::int AS total, (count(*) FILTER (WHERE p.ready))::int AS ready,
       COALESCE(sum(p.restarts), 0)::int AS restarts
     FROM replica_set s JOIN pod p ON p.owner_uid = s.uid
     WHERE s.rollout_id = $1 AND s.presence = 'live' AND p.presence = 'live' GROUP BY s.name`,
    [rolloutId],
  );
  return new Map(rows.map(({ name, ...counts }) => [name, counts]));
}

type DeploymentRow = NonNullable<NonNullable<RolloutDetail["workload"]>["recorded"]>;

/** Reads what is recorded of the workload whose template a rollout runs. Only Deployments are recorded. */
export async function readWorkload(
  runtime: Runtime,
  rollout: { cluster: string; namespace: string; workload: { kind: string; name: string } },
): Promise<RolloutDetail["workload"]> {
  const { kind, name } = rollout.workload;
  if (kind !== "Deployment") return { kind, name, recorded: null };
  const { rows } = await runtime.pool.query<DeploymentRow>(
    `SELECT images, desired, replicas, ready, available, presence FROM deployment
     WHERE cluster = $1 AND namespace = $2 AND name = $3 ORDER BY (presence = 'deleted'), created_at DESC LIMIT 1`,
    [rollout.cluster, rollout.namespace, name],
  );
  return { kind, name, recorded: rows[0] ?? null };
}
