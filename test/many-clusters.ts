import { randomUUID } from "node:crypto";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { ClusterUnreachableError } from "#lib/server/clusters/kubernetes/cluster-errors.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import type { ActingWorld, TestRollout } from "#test/acting-world.ts";

/** Adds clusters to the world, each answered by its client, and returns the runtime that has them. */
export async function addClusters(
  world: ActingWorld,
  clients: Readonly<Record<string, ClusterClient>>,
): Promise<Runtime> {
  const names = Object.keys(clients);
  await world.owner.query(
    `WITH names AS (SELECT unnest($1::text[]) AS name), known AS (INSERT INTO cluster (name) SELECT name FROM names)
     INSERT INTO source (id, cluster, resource, kind, namespace, state, watch_contact_at, read_contact_at, stale_after_ms)
     SELECT name, name, 'rollouts', 'Rollout', '', 'live', now(), now(), 3600000 FROM names`,
    [names],
  );
  const { config } = world.runtime.config();
  const [first] = config.clusters;
  if (first === undefined) throw new Error("the world has a cluster");
  const clusters = [...config.clusters, ...names.map((name) => ({ ...first, name }))];
  return {
    ...world.runtime,
    config: () => ({ ...world.runtime.config(), config: { ...world.runtime.config().config, clusters } }),
    cluster: (name: string) => clients[name] ?? world.runtime.cluster(name),
  } as Runtime;
}

/** Records a rollout of the world as one of another cluster. */
export async function moveToCluster(world: ActingWorld, rollout: TestRollout, cluster: string): Promise<TestRollout> {
  await world.owner.query("UPDATE rollout SET cluster = $2 WHERE id = $1", [rollout.id, cluster]);
  return { ...rollout, path: { ...rollout.path, cluster } };
}

/** Adds a cluster whose requests fail at `timeOut`, with some recorded rollouts. */
export async function addDeadCluster(
  world: ActingWorld,
  { count, timeOut }: { count: number; timeOut: Promise<void> },
): Promise<{ runtime: Runtime; rollouts: TestRollout[] }> {
  const name = `dead-${randomUUID().slice(0, 8)}`;
  const request = async () => {
    await timeOut;
    throw new ClusterUnreachableError({ cluster: name, sent: false, message: "no route to host" });
  };
  const runtime = await addClusters(world, { [name]: { ...world.client, request } });
  const made = await Promise.all(Array.from({ length: count }, () => world.addRollout()));
  return { runtime, rollouts: await Promise.all(made.map((rollout) => moveToCluster(world, rollout, name))) };
}
