import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { previewRetention } from "#lib/server/recording/retention/run-retention.ts";
import { waitFor } from "#test/recorder-world.ts";
import { configOf, type FollowedConfig, followConfig } from "./follow-config.ts";
import { createFailClosedWorld, type FailClosedWorld } from "./world.ts";

let world: FailClosedWorld;
let config: FollowedConfig;
beforeEach(async () => {
  world = await createFailClosedWorld();
  config = await followConfig(world, configOf(world));
});
afterEach(async () => {
  await config.close();
  await world.close();
});

const start = () => world.start({ mayMarkAbsent: () => config.store.status().state !== "error" });
const presenceOf = async (name: string): Promise<unknown> =>
  (await world.query("SELECT presence FROM rollout WHERE name = $1", [name]))[0]?.presence;
const configCodes = async (): Promise<unknown[]> =>
  (await world.query("SELECT code FROM audit_entry WHERE code LIKE 'config.%' ORDER BY seq")).map(({ code }) => code);

describe("FC-02 config invalid on reload", () => {
  const faults = [
    { name: "text that is not YAML", spoil: () => config.put("clusters: ["), fault: "invalid" },
    { name: "an unknown key", spoil: () => config.put(configOf(world, { colour: "red" })), fault: "invalid" },
    { name: "a file that is gone", spoil: () => config.remove(), fault: "missing" },
  ];

  it.each(faults)(
    "$name: the last good config stays in force, advancing actions are off, protective ones on",
    async ({ spoil, fault }) => {
      const recorder = await start();
      world.addRollout("checkout");
      world.addRollout("basket");
      await waitFor("the rollouts", async () => (await presenceOf("basket")) === "live");
      const failures = await world.metricDelta("gatehouse_config_reload_failures_total");
      const success = await world.metricDelta("gatehouse_config_last_success_timestamp_seconds");
      const rows = await world.rows();
      await spoil();
      await config.store.check();

      expect(await world.act({ name: "checkout", action: "continue" })).toMatchObject({
        status: 409,
        body: { code: "config_error" },
      });
      expect(await world.rows()).toEqual(rows);
      const seen = await world.call("GET", `/api/v1/rollouts/${world.cluster}/shop/Rollout/checkout`, {
        as: "operator",
      });
      expect(seen.body.allowedActions).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ action: "continue", allowed: false, reasonCode: "config_error" }),
          expect.objectContaining({ action: "abort", allowed: true }),
        ]),
      );
      const asViewer = await world.call("GET", `/api/v1/rollouts/${world.cluster}/shop/Rollout/checkout`, {
        as: "viewer",
      });
      expect(asViewer).toMatchObject({ body: { advanceRefused: { reasonCode: "config_error" } } });
      expect((await world.act({ name: "basket", action: "abort" })).status).toBe(202);

      const probes = await world.probes();
      for (const probe of [probes.web, probes.recorder])
        expect(probe).toMatchObject({
          livez: 200,
          readyz: 200,
          status: { ready: true, config: { state: "error", fault, error: expect.stringContaining(config.file) } },
        });
      expect((await world.call("GET", "/api/v1/config", { as: "viewer" })).body).toMatchObject({
        state: "error",
        fault,
      });
      expect([await failures(), await success()]).toEqual([1, 0]);

      // Watching and recording continue.
      world.addRollout("later");
      await waitFor("a rollout recorded meanwhile", async () => (await presenceOf("later")) === "live");
      const { obstacles } = await previewRetention({
        pool: recorder.pool,
        config: config.store.current().config,
        configTrouble: config.store.status().trouble?.error,
      });
      expect(obstacles.map(({ code }) => code)).toEqual(["config"]);

      await config.put(configOf(world));
      expect((await world.act({ name: "checkout", action: "continue" })).status).toBe(202);
      await waitFor("the audit entries", async () => (await configCodes()).length === 3);
      expect(await configCodes()).toEqual(["config.loaded", "config.refused", "config.loaded"]);
    },
  );

  it("nothing is marked absent until a good config is loaded", async () => {
    const first = await start();
    world.addRollout("checkout");
    await waitFor("the rollout", async () => (await presenceOf("checkout")) === "live");
    await first.stop();
    await config.put("clusters: [");
    // Deleted while nobody watches and the server forgets the deletion: only a list can tell.
    world.sandbox.store.delete("rollouts", "shop", "checkout");
    world.sandbox.store.forgetHistory();
    const marked = await world.metricDelta("gatehouse_objects_marked_absent_total", { kind: "Rollout" });
    await world.start({ mayMarkAbsent: () => config.store.status().state !== "error", waitUntilLive: false });
    const readings = await world.query("SELECT read_contact_at FROM source WHERE resource = 'rollouts'");
    await waitFor("a few more reads of the cluster", async () => {
      const [row] = await world.query(
        "SELECT read_contact_at > $1::timestamptz + interval '2 seconds' AS later FROM source WHERE resource = 'rollouts'",
        [readings[0]?.read_contact_at],
      );
      return row?.later === true;
    });
    expect([await presenceOf("checkout"), await marked()]).toEqual(["live", 0]);
    await config.put(configOf(world));
    await waitFor("the absence", async () => (await presenceOf("checkout")) === "absent");
  });
});
