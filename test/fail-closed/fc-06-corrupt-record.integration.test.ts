import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startRecorderProcess } from "#test/recorder-process.ts";
import { measurements, sampleRun } from "#test/recorder-samples.ts";
import { waitFor } from "#test/recorder-world.ts";
import { createFailClosedWorld, type FailClosedWorld } from "./world.ts";

let world: FailClosedWorld;
beforeAll(async () => {
  world = await createFailClosedWorld();
});
afterEach(async () => {
  world.fault("none");
  await world.stopAll();
});
afterAll(() => world.close());

const manager = { manager: "rollouts-controller" };
const list = () => world.call("GET", "/api/v1/rollouts", { as: "viewer" });
const namesOf = ({ body }: { body: Record<string, unknown> }) =>
  (body.items as { name: string }[]).map(({ name }) => name);

describe("FC-06 a stored row or checkpoint is corrupt", () => {
  it("an object that the database refuses lies in quarantine, the others are stored", async () => {
    await world.start();
    const corrupt = await world.metricDelta("gatehouse_corrupt_records_total", { table: "analysisruns" });
    const { store } = world.sandbox;
    const metric = (count: number) => [{ name: "m", measurements: measurements(1, 2), count }];
    const uids = [2, Number.MAX_SAFE_INTEGER, 2].map(
      (count, index) =>
        store.create("analysisruns", sampleRun({ name: `run-${index}`, metrics: metric(count) }), manager).metadata.uid,
    );
    await waitFor("the good ones", async () => {
      const rows = await world.query("SELECT 1 FROM analysis_run WHERE uid = ANY($1)", [uids]);
      return rows.length === 2;
    });
    expect(await world.query("SELECT ref FROM quarantine")).toEqual([{ ref: uids[1] }]);
    expect(await corrupt()).toBe(1);
    expect((await world.probes()).recorder).toMatchObject({ livez: 200, readyz: 200 });
  });

  it("a corrupt row is left out and counted, never overwritten, and the rest is served", async () => {
    for (const name of ["good", "twisted", "well"]) world.addRollout(name);
    await world.start();
    expect(namesOf(await list())).toEqual(["good", "twisted", "well"]);
    await world.stopAll();
    await world.query(`UPDATE rollout SET images = '"x"'::jsonb, object = '[]'::jsonb WHERE name = 'twisted'`);
    const before = await world.rows();
    const corrupt = await world.metricDelta("gatehouse_corrupt_records_total", { table: "rollouts" });
    const answer = await list();
    expect(answer.status).toBe(200);
    expect(namesOf(answer)).toEqual(["good", "well"]);
    expect(await corrupt()).toBe(1);
    const uid = world.sandbox.store.get("rollouts", "shop", "twisted")?.metadata.uid;
    for (const action of ["continue", "abort"])
      expect(
        await world.act({ name: "twisted", action, expect: { viewDigest: "0".repeat(64), uid, revisionKey: "new" } }),
      ).toMatchObject({ status: 409, body: { code: "not_allowed_now" } });
    expect(await world.rows()).toEqual(before);
    expect((await world.call("GET", "/readyz")).status).toBe(200);
  });

  it("a corrupt checkpoint is kept aside, and the source is read anew", async () => {
    await world.start();
    await world.stopAll();
    await world.query("UPDATE source SET resource_version = 'twelve' WHERE kind = 'Rollout'");
    const begins = await world.query("SELECT history_begins_at FROM source WHERE kind = 'Rollout'");
    world.addRollout("meanwhile");
    await world.start();
    expect(await world.metric("gatehouse_corrupt_records_total", { table: "source" })).toBe(1);
    const kept = await world.query("SELECT raw FROM quarantine WHERE ref = 'checkpoint'");
    expect(kept).toEqual([{ raw: "twelve" }]);
    expect(await world.query("SELECT 1 FROM rollout WHERE name = 'meanwhile'")).toHaveLength(1);
    expect(await world.query("SELECT history_begins_at FROM source WHERE kind = 'Rollout'")).toEqual(begins);
  });

  it("what is stored corruptly of one object stops neither the source nor the others", async () => {
    world.addRollout("crooked");
    world.addRollout("straight");
    await world.start();
    await world.stopAll();
    await world.query(
      `UPDATE observation SET projection = '"x"'::jsonb FROM rollout WHERE rollout.id = rollout_id AND name = 'crooked'`,
    );
    await world.query(
      `UPDATE release SET images = '7'::jsonb FROM rollout WHERE rollout.id = rollout_id AND name = 'crooked'`,
    );
    for (const name of ["crooked", "straight"]) {
      const object = world.sandbox.store.get("rollouts", "shop", name);
      if (object === undefined) throw new Error(`no rollout ${name}`);
      const status = { ...(object.status as object), phase: "Degraded", message: "later", abort: true };
      world.sandbox.store.update("rollouts", { ...object, status }, { ...manager, subresource: "status" });
    }
    await world.start();
    const straight = await world.query("SELECT message FROM rollout WHERE name = 'straight'");
    expect(straight).toEqual([{ message: "later" }]);
  });

  it("a schema that is newer than the program: the recorder does not start", async () => {
    await world.query(
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ('later', 'x', '29990101000000_later', now(), now(), 1)`,
    );
    const before = await world.rows();
    const recorder = await startRecorderProcess({
      clusterUrl: world.sandbox.url,
      clusterToken: world.sandbox.token,
      databaseUrl: world.database.recorderUrl,
    });
    const [code] = await once(recorder.child, "exit");
    await recorder.kill();
    expect(code).not.toBe(0);
    expect(recorder.stderr()).toContain("the schema is newer than this program (29990101000000_later)");
    expect(await world.rows()).toEqual(before);
    expect((await world.call("GET", "/readyz")).status).toBe(503);
    await world.query(`DELETE FROM "_prisma_migrations" WHERE id = 'later'`);
    await waitFor("readiness", async () => (await world.call("GET", "/readyz")).status === 200);
  });
});
