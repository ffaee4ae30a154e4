import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sampleRun } from "#test/recorder-samples.ts";
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

const actionsOf = ({ body }: { body: Record<string, unknown> }) =>
  Object.fromEntries(
    (body.allowedActions as { action: string; allowed: boolean; reasonCode?: string }[]).map((each) => [
      each.action,
      each,
    ]),
  );

describe("FC-21 an unknown phase, state or field", () => {
  const cases = [
    { name: "phase", field: "rollout.status.phase", status: { phase: "Frozen" } },
    {
      name: "pause",
      field: "rollout.status.pauseConditions.reason",
      status: { pauseConditions: [{ reason: "LunarPause", startTime: "2026-11-20T10:00:00Z" }] },
    },
    {
      name: "run",
      field: "rollout.status.analysisRunStatus",
      status: { canary: { currentStepAnalysisRunStatus: { name: "a", status: "Dreaming" } } },
    },
  ];
  it.each(cases)("a $name: stored as it came, shown, and nothing advances on it", async ({ name, field, status }) => {
    await world.start();
    const unknown = await world.metricDelta("gatehouse_unknown_values_total", { field });
    world.addRollout(name, status);
    await waitFor(
      "its row",
      async () =>
        (await world.query("SELECT 1 FROM rollout WHERE name = $1 AND object->'status'->>'phase' <> ''", [name]))
          .length > 0,
    );
    const [row] = await world.query<{ status: unknown }>(
      "SELECT object->'status' AS status FROM rollout WHERE name = $1",
      [name],
    );
    expect(row?.status).toMatchObject(status);
    await waitFor("the count", async () => (await unknown()) === 1);
    const path = `/api/v1/rollouts/${world.cluster}/shop/Rollout/${name}`;
    const detail = await world.call("GET", path, { as: "operator" });
    expect(detail.status).toBe(200);
    expect(actionsOf(detail)).toMatchObject({
      continue: { allowed: false, reasonCode: "unknown_state" },
      abort: { allowed: true },
    });
    // On a busy machine the source may be stale for a moment, which would be another reason to refuse.
    await waitFor("a live source", async () => {
      const { body } = await world.call("GET", path, { as: "operator" });
      return (body.source as { fresh: boolean }).fresh;
    });
    const refused = await world.metricDelta("gatehouse_actions_total", { kind: "continue", outcome: "refused" });
    expect(await world.act({ name, action: "continue" })).toMatchObject({
      status: 409,
      body: { code: "not_allowed_now" },
    });
    expect(await refused()).toBe(1);
    expect(world.sandbox.store.get("rollouts", "shop", name)?.status).toMatchObject({ controllerPause: true });
    expect((await world.probes()).recorder).toMatchObject({ livez: 200, readyz: 200 });
  });

  it("an unknown phase is shown with its own word", async () => {
    world.addRollout("worded", { phase: "Frozen", message: "by winter" });
    await world.start();
    const { body } = await world.call("GET", `/api/v1/rollouts/${world.cluster}/shop/Rollout/worded`, { as: "viewer" });
    expect(body).toMatchObject({ phase: "Unknown", message: "Frozen: by winter" });
  });

  it("a run of an unknown phase is stored as it came and shown as unknown", async () => {
    await world.start();
    const field = "analysisRun.status.phase";
    const unknown = await world.metricDelta("gatehouse_unknown_values_total", { field });
    const run = sampleRun({ name: "dreaming", phase: "Dreaming" });
    const { uid } = world.sandbox.store.create("analysisruns", run, { manager: "controller" }).metadata;
    await waitFor("the count", async () => (await unknown()) === 1);
    expect(await world.query("SELECT phase FROM analysis_run WHERE uid = $1", [uid])).toEqual([{ phase: "Dreaming" }]);
    expect(await world.call("GET", `/api/v1/analysis-runs/${uid}`, { as: "viewer" })).toMatchObject({
      status: 200,
      body: { phase: "Unknown" },
    });
  });
});
