import { describe, expect, it } from "vitest";
import { planRolloutAction } from "#lib/server/acting/act/plan-action-preview.ts";
import { followActions } from "#lib/server/acting/follow/follow-actions.ts";
import { actorOf, type TestRollout } from "#test/acting-world.ts";
import {
  addReferring,
  addReleased,
  imageOf,
  type Json,
  secret,
  startTemplateWorld,
  stateOf,
  world,
} from "#test/template-world.ts";

startTemplateWorld();

describe("the plan before the click", () => {
  const look = (rollout: TestRollout, request: Json, actor = actorOf("viewer")) =>
    planRolloutAction({
      ctx: world.contextOf(actor),
      input: { ...rollout.path, ...request } as Parameters<typeof planRolloutAction>[0]["input"],
    });

  it("says to a viewer what undo would do, and writes nothing", async () => {
    const rollout = await addReleased();
    const plan = await look(rollout, { action: "undo" });
    expect(plan).toMatchObject({
      action: "undo",
      allowed: false,
      reasonCode: "forbidden",
      effect: expect.stringContaining("revision 1 (shop/app:1)"),
      kubectl: expect.stringMatching(/^kubectl argo rollouts undo checkout -n ns-\w+ --to-revision=1$/),
      revisions: [
        { revision: 2, podHash: "new", images: ["shop/app:2"], current: true, stable: false },
        { revision: 1, podHash: "old", images: ["shop/app:1"], current: false, stable: true },
      ],
      view: await rollout.look(),
    });
    expect(JSON.stringify(plan)).not.toContain(secret);
    expect(await world.outcomesOf(rollout)).toEqual([]);
    expect(imageOf(rollout)).toBe("shop/app:2");
  });

  it.each([
    { name: "an operator", actor: actorOf("operator"), request: { action: "undo" }, allowed: true },
    {
      name: "a refusal",
      actor: actorOf("operator"),
      request: { action: "undo", toRevision: 7 },
      allowed: false,
      reasonCode: "no_such_revision",
    },
    {
      name: "the containers to choose from",
      actor: actorOf("operator"),
      request: { action: "set-image" },
      allowed: false,
      reasonCode: "params_missing",
      containers: [{ name: "app", image: "shop/app:2" }],
    },
    { name: "an ordinary action", actor: actorOf("operator"), request: { action: "abort" }, allowed: true },
  ])("tells $name", async ({ name: _name, actor, request, ...expected }) => {
    const rollout = await addReleased();
    expect(await look(rollout, request, actor)).toMatchObject(expected);
  });

  it("reads the containers of a Deployment", async () => {
    const rollout = await addReferring();
    expect(await look(rollout, { action: "set-image" })).toMatchObject({
      containers: [{ name: "app", image: "shop/app:2" }],
    });
  });
});

describe("following", () => {
  it("comes round to every action though hundreds never settle", async () => {
    const rollout = await addReleased();
    const { id } = await world.act({ rollout, action: "abort" });
    rollout.setStatus((status) => ({ ...status, abortedAt: "2026-11-20T10:05:00Z" }));
    await rollout.record();
    await world.owner.query(
      `INSERT INTO action (id, rollout_id, cluster, namespace, kind, name, action, state, actor_key, actor_name, view_digest,
         request_hash, request_id, requested_at, deadline_at)
       SELECT gen_random_uuid(), gen_random_uuid(), 'gone', 'n', 'Rollout', 'n', 'abort', 'unknown', 'k', 'n', 'd', 'h', 'r',
         now() - interval '1 day', now() - interval '1 day' FROM generate_series(1, 450)`,
    );
    await world.owner.query(
      `UPDATE action SET plan = '{"patches":[],"expectedEffect":{"kind":"aborted","uid":"u","podHash":"p","step":0,"pauses":[]},"digest":"d","resourceVersion":"1"}' WHERE cluster = 'gone'`,
    );
    const pass = () =>
      followActions({ pool: world.recorder, clusterFor: (name) => (name === "gone" ? undefined : world.client) });
    for (let round = 0; round < 3; round += 1) await pass();
    expect(await stateOf(id)).toBe("effective");
    await world.owner.query("DELETE FROM action WHERE cluster = 'gone'");
  });
});
