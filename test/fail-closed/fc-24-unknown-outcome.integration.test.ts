import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { followActions } from "#lib/server/acting/follow/follow-actions.ts";
import { waitFor } from "#test/recorder-world.ts";
import { createFailClosedWorld, type FailClosedWorld, type ProbedRecorder } from "./world.ts";

let world: FailClosedWorld;
beforeAll(async () => {
  world = await createFailClosedWorld();
});
afterEach(async () => {
  world.fault("none");
  await world.stopAll();
});
afterAll(() => world.close());

const name = "checkout";
const statusOf = () => world.sandbox.store.get("rollouts", "shop", name)?.status as Record<string, unknown>;

/** Follows the actions as the recorder's upkeep does, until an outcome changes. */
async function resolve(recorder: ProbedRecorder): Promise<void> {
  const client = world.client();
  await waitFor("the outcome", async () => {
    const { changed } = await followActions({ pool: recorder.pool, clusterFor: () => client });
    return changed > 0;
  });
  await client.close();
}

describe("FC-24 the cluster's answer to an action is not known", () => {
  it("the intent is written before; then everything is off until reading back tells, and nothing is sent twice", async () => {
    world.addRollout(name);
    const recorder = await world.start();
    const unknown = await world.metricDelta("gatehouse_actions_total", { kind: "continue", outcome: "unknown" });
    world.sandbox.fault({ fault: "stall", how: "answers", resource: "rollouts", verb: "patch" });
    const acting = world.act({ name, action: "continue" });
    await waitFor("the patch to be carried out", () => (statusOf().pauseConditions ?? null) === null);
    // The intent is kept although no response has come.
    const intents = await world.query("SELECT code FROM audit_entry WHERE outcome = 'intent'");
    expect(intents).toEqual([{ code: "action.continue" }]);
    const version = world.sandbox.store.get("rollouts", "shop", name)?.metadata.resourceVersion;
    const answer = await acting;
    expect(answer).toMatchObject({ status: 202, body: { state: "unknown" } });
    expect(await unknown()).toBe(1);
    world.fault("none");

    const path = `/api/v1/rollouts/${world.cluster}/shop/Rollout/${name}`;
    const detail = await world.call("GET", path, { as: "operator" });
    const actions = detail.body.allowedActions as { action: string; allowed: boolean; reasonCode: string }[];
    const off = actions.filter(({ action }) => !["pause", "abort"].includes(action));
    expect(new Set(off.map(({ reasonCode }) => reasonCode))).toEqual(new Set(["unresolved_action"]));
    expect(actions.filter(({ reasonCode }) => reasonCode === "unresolved_action")).toHaveLength(off.length);
    const refused = { advanceRefused: { reasonCode: "unresolved_action" } };
    expect(await world.call("GET", path, { as: "viewer" })).toMatchObject({ body: refused });
    for (const action of ["continue", "promote-full"])
      expect(await world.act({ name, action })).toMatchObject({ status: 409, body: { code: "not_allowed_now" } });

    await resolve(recorder);
    expect(await world.query("SELECT state FROM action WHERE id = $1", [answer.body.id])).toEqual([
      { state: expect.stringMatching(/^(applied|effective)$/) },
    ]);
    const outcomes = await world.query("SELECT outcome FROM audit_entry WHERE action_id = $1 ORDER BY seq", [
      answer.body.id,
    ]);
    expect(outcomes).toEqual([{ outcome: "intent" }, { outcome: "unknown" }, { outcome: "applied" }]);
    expect(world.sandbox.store.get("rollouts", "shop", name)?.metadata.resourceVersion).toBe(version);
    expect(await world.act({ name, action: "abort" })).toMatchObject({ status: 202 });
    expect((await world.probes()).recorder).toMatchObject({ livez: 200, readyz: 200 });
  });
});
