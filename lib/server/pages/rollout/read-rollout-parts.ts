import type { RolloutDetail } from "#lib/contract/rollout.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows, sumOf } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";

export type PodCounts = RolloutDetail["replicaSets"][number]["pods"];

const selectPodCounts = tables
  .selectFrom("replica_set as s")
  .innerJoin("pod as p", "p.owner_uid", "s.uid")
  .select(({ ref }) => [
    "s.name",
    countRows().as("total"),
    countRows(ref("p.ready")).as("ready"),
    sumOf(ref("p.restarts")).as("restarts"),
  ])
  .where("s.presence", "=", "live")
  .where("p.presence", "=", "live")
  .groupBy("s.name");

/** Counts the pods that the cluster has of each ReplicaSet of a rollout, by the ReplicaSet's name. */
export async function readPodCounts(runtime: Runtime, rolloutId: string): Promise<Map<string, PodCounts>> {
  const rows = await readRows(runtime.pool, selectPodCounts.where("s.rollout_id", "=", rolloutId));
  return new Map(rows.map(({ name, ...counts }) => [name, counts]));
}

/** Reads what is recorded of the workload whose template a rollout runs. Only Deployments are recorded. */
export async function readWorkload(
  runtime: Runtime,
  rollout: { cluster: string; namespace: string; workload: { kind: string; name: string } },
): Promise<RolloutDetail["workload"]> {
  const { kind, name } = rollout.workload;
  if (kind !== "Deployment") return { kind, name, recorded: null };
  const { cluster, namespace } = rollout;
  const recorded = await prismaOn(runtime.pool).deployment.findFirst({
    where: { cluster, namespace, name },
    // Live ones before deleted ones.
    orderBy: [{ presence: "desc" }, { createdAt: "desc" }],
    select: { images: true, desired: true, replicas: true, ready: true, available: true, presence: true },
  });
  return { kind, name, recorded };
}
