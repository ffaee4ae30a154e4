import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { waitFor } from "#test/recorder-world.ts";
import { configOf, type FollowedConfig, followConfig } from "./follow-config.ts";
import { createFailClosedWorld, type FailClosedWorld } from "./world.ts";

let world: FailClosedWorld;
let config: FollowedConfig;
const roles = [{ role: "viewer", groups: ["developers", "support", "on-call"] }];
beforeEach(async () => {
  world = await createFailClosedWorld();
  config = await followConfig(world, configOf(world, { auth: { roles } }));
  await world.start();
});
afterEach(async () => {
  await config.close();
  await world.close();
});

const otherCluster = { name: "other", server: "http://127.0.0.1:1" };
const clusterNames = (): string[] => config.store.current().config.clusters.map(({ name }) => name);
const configEntries = async (): Promise<Record<string, unknown>[]> =>
  (await world.query<{ entry: string }>("SELECT entry FROM audit_entry WHERE code LIKE 'config.%' ORDER BY seq")).map(
    ({ entry }) => JSON.parse(entry),
  );
const confirm = (body: unknown, as: "viewer" | "operator" | "admin" = "admin") =>
  world.call("POST", "/api/v1/config/confirm", { as, body });

describe("FC-03 a reload that drops all or more than half of the clusters or role bindings", () => {
  const losses = [
    {
      name: "every cluster",
      content: () => configOf(world, { auth: { roles }, clusters: [otherCluster] }),
      removes: () => ({ clusters: [world.cluster], bindings: [] }),
    },
    {
      name: "most role bindings",
      content: () => configOf(world, { auth: { roles: [{ role: "viewer", groups: ["support"] }] } }),
      removes: () => ({ clusters: [], bindings: ["group developers", "group on-call"] }),
    },
  ];

  it.each(losses)(
    "$name: held, the old config stays in force until an admin confirms",
    async ({ content, removes }) => {
      world.addRollout("checkout");
      await waitFor("the rollout", async () => (await world.query("SELECT FROM rollout")).length === 1);
      const held = await world.metricDelta("gatehouse_config_reload_held_total");
      const failures = await world.metricDelta("gatehouse_config_reload_failures_total");
      const rows = await world.rows();
      const before = config.store.current();
      await config.put(content());
      for (let check = 0; check < 5; check++) await config.store.check();

      expect(config.store.current()).toBe(before);
      expect(await world.rows()).toEqual(rows);
      expect([await held(), await failures()]).toEqual([1, 0]);
      const probes = await world.probes();
      for (const probe of [probes.web, probes.recorder])
        expect(probe).toMatchObject({
          livez: 200,
          readyz: 200,
          status: {
            config: { state: "held", held: removes(), error: expect.stringContaining("until an admin confirms") },
          },
        });
      // By the old config, which is valid.
      expect((await world.act({ name: "checkout", action: "continue" })).status).toBe(202);

      const status = await world.call("GET", "/api/v1/config", { as: "viewer" });
      const seen = status.body.held as { digest: string };
      expect((await confirm({ reason: "" })).status).toBe(400);
      expect((await confirm({ reason: "r" }, "operator")).status).toBe(403);
      expect((await confirm({ reason: "r", digest: "0".repeat(64) })).body).toMatchObject({ code: "conflict" });
      expect(config.store.current()).toBe(before);
      expect(await confirm({ reason: "moved away", digest: seen.digest })).toMatchObject({
        status: 200,
        body: { state: "ok", digest: seen.digest },
      });
      expect(config.store.current()).not.toBe(before);
      expect((await confirm({ reason: "again" })).body).toMatchObject({ status: 409, code: "conflict" });
      await waitFor("the audit entries", async () => (await configEntries()).length === 5);
      expect(await configEntries()).toMatchObject([
        { code: "config.loaded", source: "system" },
        { code: "config.held", source: "system", detail: { ...removes(), digest: seen.digest } },
        { code: "config.confirmed", outcome: "refused", reason: "r", detail: { problem: "forbidden" } },
        { code: "config.confirmed", source: "gatehouse", reason: "moved away", detail: { digest: seen.digest } },
        { code: "config.loaded", source: "system", detail: { digest: seen.digest } },
      ]);
    },
  );

  it("a sign-off in the file counts once the file has stayed the same for three checks", async () => {
    await config.put(configOf(world, { auth: { roles }, clusters: [otherCluster], acceptRemovals: true }));
    expect(clusterNames()).toEqual([world.cluster]);
    await config.store.check();
    await config.store.check();
    expect(clusterNames()).toEqual(["other"]);
  });

  it("what is left of a cluster that the config names no more stays visible, and is marked", async () => {
    world.addRollout("checkout");
    await waitFor("the rollout", async () => (await world.query("SELECT FROM rollout")).length === 1);
    await config.put(configOf(world, { auth: { roles }, clusters: [otherCluster] }));
    await confirm({ reason: "moved away" });
    const clusters = await world.call("GET", "/api/v1/clusters", { as: "viewer" });
    expect(clusters.body.items).toMatchObject([
      { name: "other", configured: true },
      { name: world.cluster, configured: false, access: "read", rollouts: 1 },
    ]);
    const sources = await world.call("GET", "/api/v1/sources", { as: "viewer" });
    expect(new Set((sources.body.items as { configured: boolean }[]).map(({ configured }) => configured))).toEqual(
      new Set([false]),
    );
    const rollout = await world.call("GET", `/api/v1/rollouts/${world.cluster}/shop/Rollout/checkout`, {
      as: "operator",
    });
    expect(rollout.status).toBe(200);
    expect(await world.act({ name: "checkout", action: "continue" })).toMatchObject({
      status: 409,
      body: { code: "read_only", detail: expect.stringContaining("no longer in the config") },
    });
  });
});
