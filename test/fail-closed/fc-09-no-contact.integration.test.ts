import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
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

/** Expects healthy probes: a problem of one cluster is never a reason to restart, or to turn readers away. */
async function expectProbesWell(kind: string, state: string): Promise<void> {
  const { web, recorder } = await world.probes();
  expect([web.livez, web.readyz, recorder.livez, recorder.readyz]).toEqual([200, 200, 200, 200]);
  expect(web.status.sources).toContainEqual(expect.objectContaining({ kind, state }));
}

describe("FC-09 no contact for staleAfter", () => {
  const halves = [
    {
      name: "the watch is silent beside reads that are answered",
      more: {},
      silent: "watchContact",
      alive: "readContact",
    },
    {
      name: "reads are not answered beside a watch that lives",
      more: { how: "requests", verb: "list" },
      silent: "readContact",
      alive: "watchContact",
    },
  ] as const;
  it.each(halves)("$name: what advances is off, what protects stays on", async ({ more, silent, alive }) => {
    world.addRollout("waiting");
    world.addRollout("other");
    await world.start();
    const lastSuccess = () =>
      world.metric("gatehouse_source_last_success_timestamp_seconds", { cluster: "test", kind: "Rollout" });
    const before = await world.rows();
    world.fault("stall", "rollouts", more);
    const stale = await world.becomes("Rollout", "stale");
    expect(stale.lastContact).toBe(stale[silent]);
    expect(Date.parse(stale[alive] ?? "")).toBeGreaterThan(Date.parse(stale[silent] ?? ""));
    // The metric stops at the older of both contacts, and the indicator's age continues from there.
    const at = await lastSuccess();
    expect(Math.abs(at * 1000 - Date.parse(stale.lastContact ?? ""))).toBeLessThan(1000);
    expect(await world.act({ name: "waiting", action: "continue" })).toMatchObject({
      status: 409,
      body: { code: "source_stale", detail: expect.stringContaining("No updates of Rollouts") },
    });
    expect(await world.act({ name: "other", action: "abort" })).toMatchObject({ status: 202 });
    await expectProbesWell("Rollout", "stale");
    expect((await world.source("AnalysisRun")).state).toBe("live");
    expect(await lastSuccess()).toBe(at);
    const after = await world.rows();
    expect(after.analysis_run).toEqual(before.analysis_run);
    expect(after.rollout?.count).toBe(before.rollout?.count);
    world.fault("none");
    await world.becomes("Rollout", "live");
    expect(await lastSuccess()).toBeGreaterThan(at);
    expect(await world.act({ name: "waiting", action: "continue" })).toMatchObject({ status: 202 });
    for (const name of ["waiting", "other"]) world.deleteRollout(name);
    await waitFor("their deletion", async () => !Object.values(await world.presences()).includes("live"));
  });

  it("answers of 500 are no contact either: it is stale, loses nothing, and heals by itself", async () => {
    world.addRollout("erring");
    await world.start();
    const before = await world.rows();
    world.fault("500");
    await world.becomes("Rollout", "stale");
    expect(await world.act({ name: "erring", action: "continue" })).toMatchObject({
      status: 409,
      body: { code: "source_stale", detail: expect.stringContaining("No updates of Rollouts") },
    });
    await expectProbesWell("Rollout", "stale");
    const after = await world.rows();
    expect(after.analysis_run).toEqual(before.analysis_run);
    expect(after.rollout?.count).toBe(before.rollout?.count);
    world.fault("none");
    await world.becomes("Rollout", "live");
    expect(await world.act({ name: "erring", action: "continue" })).toMatchObject({ status: 202 });
    world.deleteRollout("erring");
    await waitFor("its deletion", async () => !Object.values(await world.presences()).includes("live"));
  });
});
