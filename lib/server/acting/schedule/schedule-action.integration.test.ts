import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { supersedeChanged } from "#lib/server/acting/schedule/supersede-changed.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { type ActingWorld, actorOf, createActingWorld, type TestRollout } from "#test/acting-world.ts";
import { createScheduling } from "#test/schedule-world.ts";
import { getScheduledAction, listScheduledActions, withdrawScheduledAction } from "./scheduled-actions.ts";

let world: ActingWorld;
let scheduling: ReturnType<typeof createScheduling>;
let rollout: TestRollout;

beforeAll(async () => {
  world = await createActingWorld();
  scheduling = createScheduling(world);
});
beforeEach(async () => {
  rollout = await world.addRollout();
  world.requests.length = 0;
});
afterEach(() => world.setPolicies({}));
afterAll(() => world.close());

const named = (name: string): Actor => ({ ...actorOf("operator"), subject: name, name, username: name });
const aged = ({ id }: { id: string }) =>
  world.owner.query("UPDATE scheduled_action SET requested_at = requested_at - interval '1 min' WHERE id = $1", [id]);

describe("a request for a later time", () => {
  it("is judged, stored and audited, and does nothing yet", async () => {
    const scheduled = await scheduling.schedule({ rollout });
    expect(scheduled).toMatchObject({
      ...{ action: "continue", state: "pending", requestedBy: "operator-person", own: true, withdrawable: true },
      ...{ reason: "because", actionId: null, endedAt: null, message: "" },
    });
    expect(scheduling.patches()).toBe(0);
    expect(await scheduling.pass()).toBe(0);
    const [entry] = await world.entriesOf(rollout);
    expect(entry).toMatchObject({
      ...{ code: "action.schedule", outcome: "applied", action: "continue", reason: "because" },
      detail: { schedule: scheduled.id, dueAt: scheduled.dueAt },
    });
    expect(entry?.evidenceDigest).toEqual(expect.any(String));
    const { items } = await listScheduledActions({ ctx: world.contextOf(actorOf("viewer")), input: rollout.path });
    expect(items).toMatchObject([{ id: scheduled.id, own: false, withdrawable: false }]);
  });

  it("is the same if it is sent again, and is replaced by another one", async () => {
    const look = await rollout.look();
    const dueAt = new Date(Date.now() + 3_600_000);
    const first = await scheduling.schedule({ rollout, expect: look, inMinutes: 60 });
    await world.owner.query("UPDATE scheduled_action SET due_at = $2 WHERE id = $1", [first.id, dueAt]);
    const other = await scheduling.schedule({ rollout, inMinutes: 120, actor: named("colleague") });
    expect(other.id).not.toBe(first.id);
    expect(await scheduling.rowOf(first)).toMatchObject({
      ...{ state: "superseded", message: "Replaced by a later request of colleague." },
      identity: { groups: [], claims: {}, token: null },
    });
    const again = await scheduling.schedule({ rollout, inMinutes: 120, actor: named("colleague") });
    const same = { ...rollout.path, action: "continue" as const, reason: "because", expect: look, dueAt: again.dueAt };
    const { scheduleAction } = await import("./schedule-action.ts");
    expect((await scheduleAction({ ctx: world.contextOf(named("colleague")), input: same })).id).toBe(again.id);
  });

  it("leaves requests for other actions", async () => {
    const first = await scheduling.schedule({ rollout });
    await scheduling.schedule({ rollout, action: "abort" });
    expect(await scheduling.rowOf(first)).toMatchObject({ state: "pending" });
  });

  const always = { name: "always", start: "* * * * *", duration: "2m" };
  it.each([
    ["past", { inMinutes: -1 }, {}, "invalid_request", /is in the past/],
    ["too far", { inMinutes: 7 * 1440 + 5 }, {}, "invalid_request", /more than 7 days/],
    ["without a reason", { reason: " " }, {}, "reason_required", /reason/],
    ["of an old view", { expect: { viewDigest: "old" } }, {}, "stale_view", /changed/],
    ["in a freeze", {}, { freezes: [always] }, "frozen", /^At 20.*Choose another time: overriding a freeze cannot/],
    [
      "for two people",
      {},
      { secondPerson: [{ name: "two", actions: ["continue"] }] },
      "second_person_required",
      /An approval cannot be scheduled: request it at that time\.$/,
    ],
    ["without the right", { actor: actorOf("viewer") }, {}, "forbidden", /do not include continue/],
  ])("is refused %s", async (_, options, policies, code, message) => {
    world.setPolicies(policies);
    await expect(scheduling.schedule({ rollout, ...options })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
    expect(await world.outcomesOf(rollout)).toEqual(["action.schedule refused"]);
  });

  it("counts the freezes of its time, not those of now", async () => {
    const freeze = (from: number, until: number) =>
      world.owner.query(
        `INSERT INTO freeze_period (id, reason, clusters, namespaces, rollouts, starts_at, ends_at, made_by, made_by_name)
         VALUES ($1, 'r', '{*}', $4, '{*}', now() + $2 * interval '1 min', now() + $3 * interval '1 min', 'm', 'm')`,
        [randomUUID(), from, until, [rollout.path.namespace]],
      );
    await freeze(-5, 30);
    await expect(scheduling.schedule({ rollout, inMinutes: 20 })).rejects.toMatchObject({ code: "frozen" });
    await expect(scheduling.schedule({ rollout, inMinutes: 60 })).resolves.toMatchObject({ state: "pending" });
    await freeze(50, 70);
    await expect(scheduling.schedule({ rollout, inMinutes: 61 })).rejects.toMatchObject({ code: "frozen" });
  });

  it("is stored and audited together or not at all", async () => {
    await world.owner.query("REVOKE INSERT ON scheduled_action FROM gatehouse_web");
    await expect(scheduling.schedule({ rollout })).rejects.toMatchObject({ code: "audit_unavailable" });
    await world.owner.query("GRANT INSERT ON scheduled_action TO gatehouse_web");
    expect(await world.outcomesOf(rollout)).toEqual([]);
  });
});

describe("withdrawing", () => {
  it("is for who requested it and for who may do it, and is audited", async () => {
    const scheduled = await scheduling.schedule({ rollout });
    const input = { id: scheduled.id };
    const as = (actor: Actor) => withdrawScheduledAction({ ctx: world.contextOf(actor), input });
    await expect(as(actorOf("viewer"))).rejects.toMatchObject({ code: "forbidden" });
    await expect(as(named("colleague"))).resolves.toMatchObject({
      state: "withdrawn",
      message: "Withdrawn by colleague.",
    });
    await expect(as(named("colleague"))).rejects.toMatchObject({ code: "conflict" });
    await scheduling.makeDue(scheduled);
    expect(await scheduling.pass()).toBe(0);
    expect(await world.outcomesOf(rollout)).toEqual([
      "action.schedule applied",
      "action.unschedule refused",
      "action.unschedule applied",
      "action.unschedule refused",
    ]);
  });

  it("does not show a request on a rollout out of reach", async () => {
    const { id } = await scheduling.schedule({ rollout });
    const stranger = { ...actorOf("operator"), rights: { cap: "admin", grants: [] } } as Actor;
    const ctx = world.contextOf(stranger);
    await expect(getScheduledAction({ ctx, input: { id } })).rejects.toMatchObject({ code: "not_found" });
    await expect(withdrawScheduledAction({ ctx, input: { id } })).rejects.toMatchObject({ code: "not_found" });
    expect((await listScheduledActions({ ctx, input: {} })).items).toEqual([]);
  });
});

describe("a rollout that changes before the time", () => {
  const moveOn = async () => {
    rollout.setStatus((status) => ({ ...status, currentStepIndex: 2, pauseConditions: undefined }));
    await rollout.record();
  };

  it("ends what advances it, with an entry of Gatehouse", async () => {
    const scheduled = await scheduling.schedule({ rollout });
    await aged(scheduled);
    await supersedeChanged(world.web);
    expect(await scheduling.rowOf(scheduled)).toMatchObject({ state: "pending" });
    await moveOn();
    await supersedeChanged(world.web);
    expect(await scheduling.rowOf(scheduled)).toMatchObject({
      state: "superseded",
      message: "Not done: the rollout changed since it was requested.",
    });
    expect((await world.entriesOf(rollout)).at(-1)).toMatchObject({
      ...{ code: "action.schedule", outcome: "refused", source: "system", action: "continue" },
      detail: { schedule: scheduled.id, why: "superseded", requestedBy: { name: "operator-person" } },
    });
    const ctx = world.contextOf(actorOf("viewer"));
    expect((await listScheduledActions({ ctx, input: rollout.path })).items).toMatchObject([{ state: "superseded" }]);
  });

  it("waits for the record to follow what the person may have seen at the cluster", async () => {
    const scheduled = await scheduling.schedule({ rollout });
    await moveOn();
    await supersedeChanged(world.web);
    expect(await scheduling.rowOf(scheduled)).toMatchObject({ state: "pending" });
  });

  it("leaves a protective one while the version stays", async () => {
    const scheduled = await scheduling.schedule({ rollout, action: "abort" });
    await aged(scheduled);
    await moveOn();
    await supersedeChanged(world.web);
    expect(await scheduling.rowOf(scheduled)).toMatchObject({ state: "pending" });
    rollout.setStatus((status) => ({ ...status, currentPodHash: "newer" }));
    await rollout.record();
    await supersedeChanged(world.web);
    expect(await scheduling.rowOf(scheduled)).toMatchObject({ state: "superseded" });
  });

  it("counts another action on it, unless that was refused", async () => {
    const scheduled = await scheduling.schedule({ rollout, action: "abort" });
    await aged(scheduled);
    await expect(world.act({ rollout, action: "continue", reason: "" })).rejects.toMatchObject({
      code: "reason_required",
    });
    await supersedeChanged(world.web);
    expect(await scheduling.rowOf(scheduled)).toMatchObject({ state: "pending" });
    await world.act({ rollout, action: "continue" });
    await supersedeChanged(world.web);
    expect(await scheduling.rowOf(scheduled)).toMatchObject({
      state: "superseded",
      message: "Not done: another action was requested on the rollout meanwhile.",
    });
  });
});
