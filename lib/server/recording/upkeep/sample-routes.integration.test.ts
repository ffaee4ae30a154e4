import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { ClusterUnreachableError } from "#lib/server/clusters/kubernetes/cluster-errors.ts";
import { createClusterClient } from "#lib/server/clusters/kubernetes/create-cluster-client.ts";
import { readRelatedState } from "#lib/server/clusters/sources/read-related-state.ts";
import { createRecorderPool } from "#lib/server/recording/store/recorder-pool.ts";
import { createRecorderWorld, type RecorderWorld, waitFor } from "#test/recorder-world.ts";
import { sampleRoutes } from "./sample-routes.ts";

let world: RecorderWorld;
let pool: ReturnType<typeof createRecorderPool>;
let client: ClusterClient;
beforeAll(async () => {
  world = await createRecorderWorld();
  pool = createRecorderPool({ url: world.database.recorderUrl, onError: () => {} });
  client = createClusterClient(world.config);
  await world.start();
});
afterAll(async () => {
  await client.close();
  await pool.end();
  await world.close();
});

const manager = { manager: "flagger" };
const prefix = "nginx.ingress.kubernetes.io";

async function addCanary(name: string): Promise<string> {
  const { store } = world.sandbox;
  const created = store.create(
    "canaries",
    {
      ...{ apiVersion: "flagger.app/v1beta1", kind: "Canary", metadata: { namespace: "shop", name } },
      spec: {
        provider: "nginx",
        targetRef: { apiVersion: "apps/v1", kind: "Deployment", name },
        ingressRef: { name },
        analysis: { interval: "10s", threshold: 3, maxWeight: 50, stepWeight: 10 },
      },
    },
    manager,
  );
  const status = { phase: "WaitingPromotion", canaryWeight: 0, lastAppliedSpec: "B", lastPromotedSpec: "A" };
  store.update("canaries", { ...created, status }, { ...manager, subresource: "status" });
  const [row] = await waitFor("the canary", async () => {
    const rows = await world.query<{ id: string }>(
      "SELECT id FROM rollout WHERE uid = $1 AND phase <> 'Healthy' AND object -> 'status' ->> 'phase' = 'WaitingPromotion'",
      [created.metadata.uid],
    );
    return rows.length > 0 ? rows : undefined;
  });
  return row?.id ?? "";
}

function route(name: string, weight: number): void {
  const { store } = world.sandbox;
  const annotations = { [`${prefix}/canary`]: "true", [`${prefix}/canary-weight`]: String(weight) };
  const metadata = { namespace: "shop", name: `${name}-canary`, annotations };
  const known = store.get("ingresses", "shop", metadata.name);
  if (known === undefined)
    store.create("ingresses", { apiVersion: "networking.k8s.io/v1", kind: "Ingress", metadata, spec: {} }, manager);
  else store.update("ingresses", { ...known, metadata: { ...known.metadata, annotations } }, manager);
}

/** Samples as it were so many seconds from now: a weight counts only some time after the controller's last step. */
async function sample(secondsOn: number, as = client): Promise<{ count: number; refused: string[]; errors: string[] }> {
  const refused: string[] = [];
  const errors: string[] = [];
  const count = await sampleRoutes({
    pool,
    clusters: [{ name: world.cluster }, { name: "unknown" }],
    clusterFor: (cluster) => (cluster === world.cluster ? as : undefined),
    now: () => new Date(Date.now() + secondsOn * 1000),
    signal: AbortSignal.timeout(120_000),
    onRefused: ({ resource }) => refused.push(resource),
    onError: (error) => errors.push(String(error)),
  });
  return { count, refused, errors };
}

async function weightsOf(id: string): Promise<unknown> {
  const stored = await world.query("SELECT value FROM rollout_sample WHERE rollout_id = $1 ORDER BY at", [id]);
  const [shown] = await world.query("SELECT weight_actual AS weight FROM rollout WHERE id = $1", [id]);
  return { stored: stored.map(({ value }) => value), shown: shown?.weight };
}

describe("the route of a rollout", () => {
  it("says where the traffic is while the status does not, as often as it changes", async () => {
    const id = await addCanary("routed");
    expect(await sample(10)).toEqual({ count: 0, refused: [], errors: [] });
    route("routed", 50);
    await sample(10);
    expect(await weightsOf(id)).toEqual({ stored: [50], shown: 50 });
    await sample(20);
    expect(await weightsOf(id)).toEqual({ stored: [50], shown: 50 });
    route("routed", 30);
    await sample(30);
    expect(await weightsOf(id)).toEqual({ stored: [50, 30], shown: 30 });
    const related = await readRelatedState(pool, [
      { id, cluster: world.cluster, namespace: "shop", kind: "Canary", workloads: [] },
    ]);
    expect(related.get(id)).toMatchObject({ routeWeight: { value: 30 }, sampledWeight: undefined });
  });

  it("does not count if it was read before the controller's last step had settled", async () => {
    const id = await addCanary("early");
    route("early", 40);
    // A minute before the step, whatever the machine's load.
    await sample(-60);
    expect(await weightsOf(id)).toEqual({ stored: [40], shown: null });
  });

  it("is told if it may not be read, and leaves the weight unknown", async () => {
    const id = await addCanary("refused");
    route("refused", 40);
    const answer = { status: 403, text: "", json: { message: "no" }, date: undefined, sentWith: "x" };
    const refusing = { ...client, request: async () => answer } as unknown as ClusterClient;
    const { count, refused } = await sample(10, refusing);
    expect([count, new Set(refused)]).toEqual([0, new Set(["ingresses.networking.k8s.io"])]);
    expect(await weightsOf(id)).toEqual({ stored: [], shown: null });
  });

  it("is not read further if the cluster does not answer", async () => {
    const id = await addCanary("silent");
    route("silent", 40);
    let asked = 0;
    const request = async () => {
      asked += 1;
      throw new ClusterUnreachableError({ cluster: "test", sent: true, message: "no answer" });
    };
    const { errors } = await sample(10, { ...client, request } as unknown as ClusterClient);
    expect([errors.length, asked <= 8]).toEqual([1, true]);
    expect(await weightsOf(id)).toEqual({ stored: [], shown: null });
  });
});
