import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { actOnMany } from "#lib/server/acting/act/act-on-many.ts";
import { planRolloutAction } from "#lib/server/acting/act/plan-action-preview.ts";
import { readBarriers } from "#lib/server/acting/permission/read-barriers.ts";
import { getInbox } from "#lib/server/pages/inbox/get-inbox.ts";
import { planOnMany } from "#lib/server/pages/set/plan-on-many.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { type ActingWorld, actorOf, createActingWorld, type TestRollout } from "#test/acting-world.ts";
import { recordProjection } from "#test/record-projection.ts";
import { createScheduling } from "#test/schedule-world.ts";

let world: ActingWorld;

beforeAll(async () => {
  world = await createActingWorld();
});
afterEach(() => {
  world.setSets([]);
  world.setPolicies({});
  world.setIntercept(undefined);
});
afterAll(() => world.close());

const steps = [{ setWeight: 20 }, { pause: {} }, { setWeight: 60 }, { pause: {} }];
const pausedAt = (currentStepIndex: number) => ({
  currentStepIndex,
  controllerPause: true,
  pauseConditions: [{ reason: "CanaryPauseStep", startTime: "2026-11-20T10:00:00Z" }],
});
const between = { currentStepIndex: 2, controllerPause: false, pauseConditions: null };

/** Stores the newest state with its projection, as the recorder does. `serves`: the image that the stable pods run. */
async function record(rollout: TestRollout, serves = "shop/app:1"): Promise<void> {
  await recordProjection(world, rollout);
  await world.owner.query(
    `UPDATE rollout SET images = $2, attention_reason = 'pause', attention_since = now() WHERE id = $1`,
    [rollout.id, JSON.stringify([{ image: serves, tags: ["stable"] }])],
  );
}

async function addMember(status: object, spec: object = {}): Promise<TestRollout> {
  const template = { spec: { containers: [{ name: "app", image: "shop/app:2" }] } };
  const rollout = await world.addRollout({
    spec: { template, strategy: { canary: { steps } }, ...spec },
    status: { observedGeneration: "1", ...status },
  });
  await record(rollout);
  return rollout;
}

async function move(rollout: TestRollout, status: object): Promise<void> {
  rollout.setStatus((before) => ({ ...before, ...status }));
  await record(rollout);
}

function setOf(rollouts: readonly TestRollout[]) {
  return { name: "app", namespaces: rollouts.map(({ path }) => path.namespace), together: true };
}

const aborted = { abort: true, abortedAt: "2026-11-20T11:00:00Z", phase: "Degraded", currentStepIndex: 0 };

/** Has the n-th patch of an action meet a change of its rollout; `meanwhile` happens with the change. */
function conflictAt(patch: number, rollout: TestRollout, meanwhile: () => Promise<void>): void {
  let patches = 0;
  world.setIntercept(async (request, send) => {
    if (request.method === "PATCH") patches += 1;
    if (request.method === "PATCH" && patches === patch) {
      rollout.setStatus((status) => ({ ...status, readyReplicas: 2 }));
      await meanwhile();
    }
    return send();
  });
}

const readPatches = () => world.requests.filter(({ method }) => method === "PATCH");

function breakingGlass(): Actor {
  const actor = actorOf("operator");
  const later = new Date(Date.now() + 3_600_000);
  return {
    ...actor,
    rights: { ...actor.rights, grants: actor.rights.grants.map((grant) => ({ ...grant, breakGlass: true })) },
    session: {
      id: "s",
      authenticatedAt: new Date(Date.now() - 1000),
      idleExpiresAt: later,
      absoluteExpiresAt: later,
    },
  };
}

describe("FC-31 a set that passes its pauses together", () => {
  it("keeps a member at its pause until all others have reached theirs", async () => {
    const [first, second] = [await addMember(pausedAt(1)), await addMember({ ...between, currentStepIndex: 0 })];
    world.setSets([setOf([first, second])]);
    world.requests.length = 0;
    const behindAt = (pause: number) =>
      `Set "app" passes its pauses together. Not at pause ${pause} yet: ${second.path.namespace}/checkout in prod-eu.`;
    const because = behindAt(1);
    const refusal = (message: string) => ({ code: "barrier", message });
    await expect(world.act({ rollout: first, action: "continue" })).rejects.toMatchObject(refusal(because));
    await expect(world.act({ rollout: first, action: "promote-full" })).rejects.toMatchObject(refusal(behindAt(2)));
    expect(readPatches()).toEqual([]);
    const ctx = world.contextOf(actorOf("operator"));
    const preview = await planRolloutAction({ ctx, input: { ...first.path, action: "continue" } });
    expect(preview).toMatchObject({ allowed: false, reasonCode: "barrier", needs: { barrier: { set: "app" } } });
    const planned = await planOnMany({ ctx, input: { action: "continue", members: [first.path] } });
    expect(planned.items[0]?.plan).toMatchObject({ allowed: false, reasonCode: "barrier", reason: because });
    const { items } = await getInbox({ ctx, input: { limit: 50, answered: "false" } });
    const row = items.find(({ rollout }) => rollout.namespace === first.path.namespace);
    expect(row?.actions.find(({ action }) => action === "continue")).toMatchObject({ reasonCode: "barrier" });
    const [entry] = await world.entriesOf(first);
    expect(entry).toMatchObject({ outcome: "refused", detail: { problem: "barrier", policy: "app" } });

    await move(second, pausedAt(1));
    await expect(world.act({ rollout: first, action: "promote-full" })).rejects.toMatchObject({ code: "barrier" });
    await expect(world.act({ rollout: first, action: "continue" })).resolves.toMatchObject({ state: "applied" });
  });

  it("lets protective actions through, and other rollouts alone", async () => {
    const [first, second] = [await addMember(pausedAt(1)), await addMember({ currentStepIndex: 0 })];
    const other = await addMember(pausedAt(1));
    world.setSets([setOf([first, second])]);
    await expect(world.act({ rollout: other, action: "continue" })).resolves.toMatchObject({ state: "applied" });
    await expect(world.act({ rollout: first, action: "abort" })).resolves.toMatchObject({ state: "applied" });
    world.setSets([{ ...setOf([other, second]), together: false }]);
    await expect(world.act({ rollout: second, action: "pause" })).resolves.toMatchObject({ state: "applied" });
  });

  it("does not count a member that was aborted, cannot be read or is in a cluster that is not heard of", async () => {
    const [first, second] = [await addMember(pausedAt(1)), await addMember(pausedAt(1))];
    const set = setOf([first, second]);
    world.setSets([set]);
    const act = () => world.act({ rollout: first, action: "continue" });
    await move(second, aborted);
    await expect(act()).rejects.toMatchObject({ code: "barrier" });
    await move(second, { ...pausedAt(1), abort: false, abortedAt: null, phase: "Paused" });
    await world.owner.query("INSERT INTO cluster (name) VALUES ('prod-us') ON CONFLICT DO NOTHING");
    await world.owner.query("UPDATE rollout SET cluster = 'prod-us' WHERE id = $1", [second.id]);
    await expect(act()).rejects.toMatchObject({ code: "barrier" });
    // Who may not see the member is not told its name.
    const actor = actorOf("operator");
    const grants = actor.rights.grants.map((grant) => ({ ...grant, scope: { ...grant.scope, clusters: ["prod-eu"] } }));
    const limited = { ...actor, rights: { ...actor.rights, grants } };
    await expect(world.act({ rollout: first, action: "continue", actor: limited })).rejects.toMatchObject({
      message: 'Set "app" passes its pauses together. Not at pause 1 yet: 1 member.',
    });
    world.setSets([{ ...set, clusters: ["prod-eu"] }]);
    await expect(act()).resolves.toMatchObject({ state: "applied" });
  });

  it("judges by the cluster's state of the rollout itself, although the record is late", async () => {
    const [first, second] = [await addMember(pausedAt(1)), await addMember(pausedAt(1))];
    world.setSets([setOf([first, second])]);
    first.setStatus((status) => ({ ...status, ...pausedAt(3) }));
    world.requests.length = 0;
    await expect(world.act({ rollout: first, action: "continue" })).rejects.toMatchObject({
      code: "barrier",
      message: expect.stringContaining("not known yet: look again"),
    });
    expect(readPatches()).toEqual([]);
    await record(first);
    await expect(world.act({ rollout: first, action: "continue" })).rejects.toMatchObject({
      message: expect.stringContaining("Not at pause 2 yet"),
    });
  });

  it("judges again before the intent: a member was aborted while the ticket was checked", async () => {
    const [first, second] = [await addMember(pausedAt(1)), await addMember(pausedAt(1))];
    world.setSets([setOf([first, second])]);
    const check = { url: "https://tickets.example", signingSecret: "env:UNUSED" };
    world.setPolicies({ reasons: [{ required: true, ticket: { name: "change", pattern: "CHG\\d+", check } }] });
    const runtime: Runtime = {
      ...world.runtime,
      askTicket: async () => {
        await move(second, aborted);
        return { allow: true, status: 200, message: "" };
      },
    };
    world.requests.length = 0;
    await expect(world.act({ rollout: first, action: "continue", reason: "CHG1", runtime })).rejects.toMatchObject({
      code: "barrier",
      message: expect.stringMatching(/Not at pause 1 yet.*Look at the rollout again\.$/),
    });
    expect(readPatches()).toEqual([]);
    expect((await world.entriesOf(first)).map(({ outcome, detail }) => [outcome, detail?.policy])).toEqual([
      ["refused", "app"],
    ]);
  });

  it("judges again before each later attempt to send", async () => {
    const [first, second] = [await addMember(pausedAt(1)), await addMember(pausedAt(1))];
    world.setSets([setOf([first, second])]);
    world.requests.length = 0;
    conflictAt(1, first, () => move(second, aborted));
    await expect(world.act({ rollout: first, action: "continue" })).rejects.toMatchObject({ code: "barrier" });
    expect(readPatches()).toHaveLength(1);
    expect(await world.outcomesOf(first)).toEqual(["action.continue intent", "action.continue refused"]);
  });

  it("judges the rollout's own place once: a first patch has changed it before the second is sent again", async () => {
    const [first, second] = [await addMember(pausedAt(1), { paused: true }), await addMember(pausedAt(1))];
    world.setSets([setOf([first, second])]);
    world.requests.length = 0;
    conflictAt(2, first, () => record(first));
    await expect(world.act({ rollout: first, action: "continue" })).resolves.toMatchObject({ state: "applied" });
    expect(readPatches()).toHaveLength(3);
  });

  it("is overridden by break-glass, and the log names the set", async () => {
    const [first, second] = [await addMember(pausedAt(1)), await addMember({ currentStepIndex: 0 })];
    world.setSets([setOf([first, second])]);
    const oncall = breakingGlass();
    const act = (more: Partial<Parameters<ActingWorld["act"]>[0]> = {}) =>
      world.act({ rollout: first, action: "continue", actor: oncall, ...more });
    await expect(act()).rejects.toMatchObject({ code: "barrier" });
    await expect(act({ breakGlass: true, actor: actorOf("operator") })).rejects.toMatchObject({ code: "barrier" });
    await expect(act({ breakGlass: true, reason: "" })).rejects.toMatchObject({ code: "reason_required" });
    // A set that is overridden is not asked again after a conflict.
    world.requests.length = 0;
    conflictAt(1, first, async () => {});
    await expect(act({ breakGlass: true })).resolves.toMatchObject({ state: "applied" });
    expect(readPatches()).toHaveLength(2);
    const entries = await world.entriesOf(first);
    for (const word of ["intent", "applied"])
      expect(entries.find(({ outcome }) => outcome === word)?.detail).toMatchObject({ aheadOfSet: "app" });
  });

  it("holds a scheduled action back at its time, and not when it is asked for", async () => {
    const scheduling = createScheduling(world);
    const [first, second] = [await addMember(pausedAt(1)), await addMember({ currentStepIndex: 0 })];
    world.setSets([setOf([first, second])]);
    const early = await scheduling.schedule({ rollout: first });
    await scheduling.makeDue(early);
    await scheduling.pass();
    expect(await scheduling.rowOf(early)).toMatchObject({
      state: "refused",
      message: expect.stringContaining("Not at pause 1 yet"),
    });
    const late = await scheduling.schedule({ rollout: first });
    await move(second, pausedAt(1));
    await scheduling.makeDue(late);
    await scheduling.pass();
    expect(await scheduling.rowOf(late)).toMatchObject({ state: "done" });
    expect((await world.outcomesOf(first)).slice(0, 3)).toEqual([
      "action.schedule applied",
      "action.continue refused",
      "action.schedule applied",
    ]);
  });

  it("judges members of one request each by themselves", async () => {
    const members = [await addMember(pausedAt(1)), await addMember(pausedAt(1)), await addMember(pausedAt(3))];
    world.setSets([setOf(members)]);
    const ctx = world.contextOf(actorOf("operator"));
    const expected = await Promise.all(members.map((member) => member.look()));
    const { finished } = await actOnMany({
      ctx,
      input: {
        action: "continue",
        reason: "all are well",
        members: members.map(({ path }, index) => ({ ...path, expect: expected[index] ?? { viewDigest: "" } })),
      },
    });
    await finished;
    const outcomes = await Promise.all(members.map((member) => world.outcomesOf(member)));
    const applied = ["action.continue intent", "action.continue applied"];
    expect(outcomes).toEqual([applied, applied, ["action.continue refused"]]);
  });
});

it("reads nothing for a rollout that is in no such set, and one statement for many that are", async () => {
  const [first, second] = [await addMember(pausedAt(1)), await addMember(pausedAt(1))];
  let statements = 0;
  const pool = {
    query: (...query: Parameters<typeof world.web.query>) => {
      statements += 1;
      return world.web.query(...query);
    },
  } as unknown as typeof world.web;
  const ctx = { ...world.contextOf(actorOf("operator")), runtime: { ...world.runtime, pool } };
  world.setSets([{ ...setOf([first]), together: false }]);
  expect((await readBarriers(ctx, [first.path]))(first.path)).toBeUndefined();
  expect(statements).toBe(0);
  world.setSets([setOf([first, second]), { ...setOf([second]), name: "alone" }]);
  const barrierOf = await readBarriers(ctx, [first.path, second.path]);
  expect(statements).toBe(1);
  expect(barrierOf(second.path)?.sets.map(({ name, others }) => [name, others.length])).toEqual([
    ["app", 1],
    ["alone", 0],
  ]);
  expect(barrierOf({ ...first.path, name: "other" })?.own.isKnown).toBe(false);
});
