import { pino } from "pino";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { actOnRollout } from "#lib/server/acting/act/act-on-rollout.ts";
import { getRollout } from "#lib/server/pages/rollout/get-rollout.ts";
import { listRollouts } from "#lib/server/pages/rollout/list-rollouts.ts";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { createLoopMonitor } from "#lib/server/platform/telemetry/loop-monitor.ts";
import { recordClusters } from "#lib/server/recording/session/record-clusters.ts";
import { createRecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";
import { actingTools } from "#test/acting-tools.ts";
import { type ActingWorld, actorOf, clusterName, createActingWorld } from "#test/acting-world.ts";
import { waitFor } from "#test/recorder-world.ts";
import { sharedEvaluations } from "#test/shared-evaluations.ts";

vi.mock(import("#lib/domain/provider-list.ts"), async (importOriginal) => {
  const list = await importOriginal();
  const { tinyProvider } = await import("./tiny-provider.ts");
  // In place of the other provider of its kind.
  const others = list.providers.filter(({ kind }) => kind !== tinyProvider.kind);
  return { ...list, providers: [...others, tinyProvider] };
});

let world: ActingWorld;
const stop = new AbortController();
let recording: Promise<void>;
const { follow, stateOf } = actingTools(() => world);

const path = { cluster: clusterName, namespace: "shop", kind: "Canary", name: "checkout" } as const;
const manager = { manager: "test" };

beforeAll(async () => {
  world = await createActingWorld();
  const { store, url } = world.sandbox;
  store.create("namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: path.namespace } }, manager);
  const canary = {
    apiVersion: "flagger.app/v1beta1",
    kind: "Canary",
    metadata: { name: path.name, namespace: "shop" },
  };
  store.create("canaries", { ...canary, spec: { image: "shop/app:2", suspend: false } }, manager);
  controllerSays(false);
  recording = recordClusters(
    {
      clusters: [ClusterConfig.parse({ name: clusterName, server: url, tokenFile: "/none", access: "act" })],
      clientOf: () => world.client,
      pool: world.recorder,
      log: pino({ level: "silent" }),
      metrics: createRecorderMetrics(),
      monitor: createLoopMonitor({ now: () => performance.now(), onTurn: () => {} }),
      evaluations: sharedEvaluations(),
      acquireEveryMs: 100,
      renewEveryMs: 500,
      holder: "tiny",
    },
    stop.signal,
  );
});
afterAll(async () => {
  stop.abort();
  await recording;
  await world.close();
});

/** Writes the status as the controller would. */
function controllerSays(suspended: boolean): void {
  const { store } = world.sandbox;
  const object = store.get("canaries", path.namespace, path.name);
  if (object === undefined) throw new Error("no canary");
  store.update(
    "canaries",
    { ...object, status: { phase: "Progressing", suspended } },
    { ...manager, subresource: "status" },
  );
}

const ctx = () => world.contextOf(actorOf("operator"));
const readPhase = async (): Promise<string | undefined> => {
  const { items } = await listRollouts({ ctx: ctx(), input: { kind: "Canary", limit: 10 } });
  return items.find(({ name }) => name === path.name)?.phase;
};

it("a provider that nobody knows but the registry is recorded, listed, acted on, followed and audited", async () => {
  await waitFor("the canary recorded and its source live", async () => {
    if ((await readPhase()) !== "Progressing") return false;
    return (await getRollout({ ctx: ctx(), input: path })).source.fresh;
  });
  const seen = await getRollout({ ctx: ctx(), input: path });
  const offered = (action: string) => seen.allowedActions.find((each) => each.action === action);
  expect(offered("pause")).toMatchObject({ allowed: true, effect: "Pauses it." });
  expect(offered("abort")).toBeUndefined();

  const expected = { viewDigest: seen.viewDigest, uid: seen.uid, revisionKey: seen.revisionKey };
  const input = { ...path, action: "pause", reason: "look first", expect: expected } as const;
  const accepted = await actOnRollout({ ctx: ctx(), input });
  expect(accepted.state).toBe("applied");
  expect(world.sandbox.store.get("canaries", "shop", "checkout")?.spec).toMatchObject({ suspend: true });
  await follow();
  expect(await stateOf(accepted.id)).toBe("applied");
  controllerSays(true);
  await waitFor("the effect", async () => {
    await follow();
    return (await stateOf(accepted.id)) === "effective";
  });

  await waitFor("the pause recorded", async () => (await readPhase()) === "Paused");
  const paused = await getRollout({ ctx: ctx(), input: path });
  expect(paused).toMatchObject({ paused: true, attention: { reason: "pause" } });
  const late = actOnRollout({ ctx: ctx(), input: { ...input, action: "unpause" } });
  await expect(late).rejects.toMatchObject({ code: "stale_view" });
  const { rows } = await world.owner.query(
    "SELECT code, outcome, entry::text AS entry FROM audit_entry WHERE name = $1 ORDER BY seq",
    [path.name],
  );
  expect(rows.map(({ code, outcome }) => `${code} ${outcome}`)).toEqual([
    "action.pause intent",
    "action.pause applied",
    "action.unpause refused",
  ]);
  for (const { entry } of rows) expect(entry).toContain("prod-eu/shop/Canary/checkout");
  expect((await world.verify()).ok).toBe(true);
});

it("its states are stored with its name, and read back in the terms that all share", async () => {
  const { rows } = await world.owner.query(
    `SELECT o.provider, o.run_key <> '' AS keyed FROM observation o JOIN rollout r ON r.id = o.rollout_id
     WHERE r.kind = 'Canary' ORDER BY o.id`,
  );
  expect(rows.length).toBeGreaterThanOrEqual(2);
  expect(new Set(rows.map(({ provider, keyed }) => `${provider} ${keyed}`))).toEqual(new Set(["tiny true"]));
});
