import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import { type RecorderProcess, startRecorderProcess } from "#test/recorder-process.ts";
import { waitFor } from "#test/recorder-world.ts";
import { loseDatabase } from "./lose-database.ts";
import { createFailClosedWorld, type FailClosedWorld } from "./world.ts";

let world: FailClosedWorld;
let restore: (() => Promise<void>) | undefined;
let recorder: RecorderProcess | undefined;
beforeAll(async () => {
  world = await createFailClosedWorld();
});
afterEach(async () => {
  await restore?.();
  restore = undefined;
  await recorder?.kill();
});
afterAll(() => world.close());

describe("FC-04 the database is down at start", () => {
  it("is alive but not ready, asks again with back-off and counts, and records once the database is there", async () => {
    world.addRollout("checkout");
    const before = await world.rows();
    const webErrors = await world.metricDelta("gatehouse_db_errors_total");
    ({ restore } = await loseDatabase(world.database));
    const started = await startRecorderProcess({
      cluster: world.cluster,
      clusterUrl: world.sandbox.url,
      clusterToken: world.sandbox.token,
      databaseUrl: world.database.recorderUrl,
    });
    recorder = started;
    const errors = async (): Promise<number> => (await started.metric("gatehouse_db_errors_total")) ?? 0;
    await waitFor("liveness", async () => (await started.probe("/livez")) === 200);
    expect(await started.probe("/readyz")).toBe(503);
    await waitFor("that it asks again", async () => (await errors()) >= 3);
    expect([await started.probe("/livez"), await started.probe("/readyz")]).toEqual([200, 503]);
    // One line for the problem, not one per attempt.
    expect(
      started
        .stdout()
        .split("\n")
        .filter((line) => line.includes("waiting for the database")),
    ).toHaveLength(1);

    const answers = await Promise.all([
      world.call("GET", "/livez"),
      world.call("GET", "/readyz"),
      world.call("GET", "/api/v1/rollouts", { as: "viewer" }),
      world.act({ name: "checkout", action: "abort", expect: { viewDigest: "0".repeat(64) } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 503, 503, 503]);
    expect(await webErrors()).toBeGreaterThan(0);

    await restore?.();
    restore = undefined;
    await waitFor("readiness", async () => (await started.probe("/readyz")) === 200);
    expect(before.rollout?.count).toBe(0);
    await waitFor("live sources", async () => {
      const rows = await world.query("SELECT 1 FROM source WHERE state = 'live'");
      return rows.length === sourcesOf(world.config).length;
    });
    expect((await world.rows()).rollout?.count).toBe(1);
    // Its change log is read again within a second.
    await waitFor("readiness of the web", async () => (await world.call("GET", "/readyz")).status === 200);
  });
});
