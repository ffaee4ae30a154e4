// Time from one request for 200 rollouts of 20 clusters until the last patch is sent, with every check, live read and
// chained intent of each; then the same with one cluster that does not answer. The clusters are one sandbox API server in
// this process. Compared with a program that reads and patches the rollouts, as many at once.
import { randomUUID } from "node:crypto";
import { actOnMany } from "#lib/server/acting/act/act-on-many.ts";
import { getActionGroup } from "#lib/server/acting/act/action-group.ts";
import { laneWidth } from "#lib/server/acting/act/cluster-lanes.ts";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { ClusterUnreachableError } from "#lib/server/clusters/kubernetes/cluster-errors.ts";
import { actorOf, createActingWorld, type TestRollout } from "#test/acting-world.ts";
import { addClusters, moveToCluster } from "#test/many-clusters.ts";
import { startBenchDatabase } from "./support/bench-database.ts";
import { percentile, printFigure } from "./support/print-figure.ts";

const isFull = process.argv.includes("--full");
const rounds = isFull ? 20 : 3;
const clusterCount = 20;
const members = 200;
const goalMs = 3000;
const deadWaitMs = 1000;

const database = await startBenchDatabase();
const world = await createActingWorld({ database: { ...database, drop: async () => {} } });
try {
  await measure();
} finally {
  await world.close();
  await database.stop();
}

async function measure(): Promise<void> {
  const names = Array.from({ length: clusterCount }, (_, index) => `bench-${index}`);
  const dead: ClusterClient = {
    ...world.client,
    request: async () => {
      await new Promise((resolve) => setTimeout(resolve, deadWaitMs));
      throw new ClusterUnreachableError({ cluster: "bench-dead", sent: false, message: "no route to host" });
    },
  };
  const alive = Object.fromEntries(names.map((name) => [name, world.client]));
  const runtime = await addClusters(world, { ...alive, "bench-dead": dead });
  const [ours, bare, withDead]: [number[], number[], number[]] = [[], [], []];
  const faults: string[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const acted = await act(await addMembers(names));
    const plain = await patchAll(await addMembers(names));
    const partly = await act(await addMembers([...names.slice(1), "bench-dead"]));
    // The first round is warm-up.
    if (round < 0) continue;
    ours.push(acted.lastPatchMs);
    bare.push(plain);
    withDead.push(partly.lastPatchMs);
    if (acted.applied !== members) faults.push(`${acted.applied} of ${members} applied`);
    const expected = members - members / clusterCount;
    if (partly.applied !== expected || partly.unavailable !== members - expected)
      faults.push(`with a dead cluster ${partly.applied} applied and ${partly.unavailable} unavailable`);
  }
  const verdict = await world.verify();
  if (!verdict.ok) faults.push(`the chain does not verify: ${JSON.stringify(verdict)}`);
  for (const fault of faults.slice(0, 5)) process.stderr.write(`act-on-many: ${fault}\n`);
  const size = `${rounds} requests for ${members} rollouts of ${clusterCount} clusters`;
  const baseline = percentile(bare, 95);
  for (const [name, times, also] of [
    ["act-on-many-p95", ours, ""],
    ["act-on-many-dead-p95", withDead, ", one of which does not answer"],
  ] as const) {
    const value = percentile(times, 95);
    printFigure({
      ...{ name, value, unit: "ms", baseline, ratio: value / baseline },
      size: `${size}${also}; baseline: GET, then PATCH, ${laneWidth * clusterCount} at once`,
      goal: `within ${goalMs} ms`,
      ok: value <= goalMs,
    });
  }
  printFigure({
    name: "act-on-many-faults",
    value: faults.length,
    unit: "faults",
    baseline: null,
    ratio: null,
    size: `${size}, and as many with one that does not answer; chain of ${verdict.ok ? verdict.entries : 0} entries`,
    goal: "0",
    ok: faults.length === 0,
  });

  async function act(
    rollouts: readonly TestRollout[],
  ): Promise<{ lastPatchMs: number; applied: number; unavailable: number }> {
    const ctx = { runtime, actor: actorOf("operator"), requestId: randomUUID() };
    const asked = await Promise.all(rollouts.map(async ({ path, look }) => ({ ...path, expect: await look() })));
    const startedAt = performance.now();
    let lastPatchMs = 0;
    world.setIntercept((request, send) => {
      if (request.method === "PATCH") lastPatchMs = performance.now() - startedAt;
      return send();
    });
    const input = { action: "continue" as const, reason: "bench", of: "v2", members: asked };
    const { seq, finished } = await actOnMany({ ctx, input });
    await finished;
    world.setIntercept(undefined);
    const group = await getActionGroup({ ctx, input: { seq } });
    const count = (isOf: (member: (typeof group.members)[number]) => boolean) => group.members.filter(isOf).length;
    return {
      lastPatchMs,
      applied: count(({ state }) => state === "applied"),
      unavailable: count(({ problem }) => problem === "unavailable"),
    };
  }
}

async function addMembers(clusters: readonly string[]): Promise<TestRollout[]> {
  const made: TestRollout[] = [];
  for (let index = 0; index < members; index += 1) {
    const rollout = await world.addRollout();
    made.push(await moveToCluster(world, rollout, clusters[index % clusters.length] ?? ""));
  }
  return made;
}

/** Reads and patches each rollout with no more than that; returns the milliseconds until the last answer. */
async function patchAll(rollouts: readonly TestRollout[]): Promise<number> {
  const startedAt = performance.now();
  const waiting = [...rollouts];
  const work = async () => {
    for (let rollout = waiting.pop(); rollout !== undefined; rollout = waiting.pop()) {
      const path = `/apis/argoproj.io/v1alpha1/namespaces/${rollout.path.namespace}/rollouts/${rollout.path.name}`;
      const as = { mode: "groups", username: "operator-person", groups: ["gatehouse:operators"] } as const;
      await world.client.request({ method: "GET", path, as });
      const body = { status: { pauseConditions: null } };
      const contentType = "application/merge-patch+json";
      await world.client.request({ method: "PATCH", path: `${path}/status`, contentType, body, as });
    }
  };
  await Promise.all(Array.from({ length: laneWidth * clusterCount }, work));
  return performance.now() - startedAt;
}
