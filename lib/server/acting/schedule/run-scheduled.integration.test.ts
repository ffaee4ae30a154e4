import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { followActions } from "#lib/server/acting/follow/follow-actions.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { type ActingWorld, actorOf, createActingWorld, type TestRollout } from "#test/acting-world.ts";
import { waitFor } from "#test/recorder-world.ts";
import { createScheduling } from "#test/schedule-world.ts";
import { startSchedule } from "./start-schedule.ts";

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
afterEach(() => {
  world.setPolicies({});
  world.setRoles([{ role: "operator", groups: ["gatehouse:operators"] }]);
  world.setIntercept(undefined);
});
afterAll(async () => {
  expect(await world.verify()).toMatchObject({ ok: true });
  await world.close();
});

/** Schedules _Continue_, and lets its time come. */
async function due(options: { secondsAgo?: number; actor?: Actor } = {}) {
  const { secondsAgo = 1, ...rest } = options;
  const scheduled = await scheduling.schedule({ rollout, ...rest });
  await scheduling.makeDue(scheduled, secondsAgo);
  return scheduled;
}

describe("at its time", () => {
  it("is done once, as the person who asked, with the person's rights", async () => {
    const scheduled = await due();
    await scheduling.pass();
    const row = await scheduling.rowOf(scheduled);
    expect(row).toMatchObject({ state: "done", message: "", identity: { groups: [], claims: {}, token: null } });
    expect(await world.rowOf(row.action_id)).toMatchObject({
      ...{ state: "applied", actor_name: "operator-person", reason: "because" },
      idempotency_key: `schedule ${scheduled.id} 1`,
    });
    expect(world.requests.find(({ method }) => method === "PATCH")?.as).toMatchObject({ username: "operator-person" });
    const entries = await world.entriesOf(rollout);
    expect(entries.map(({ code, outcome, detail }) => [code, outcome, detail?.scheduled])).toEqual([
      ["action.schedule", "applied", undefined],
      ["action.continue", "intent", scheduled.id],
      ["action.continue", "applied", scheduled.id],
    ]);
    expect(await scheduling.pass()).toBe(0);
    await scheduling.lapse(scheduled);
    expect(await scheduling.pass()).toBe(0);
    expect(scheduling.patches()).toBe(1);
  });

  it("is not before, whatever the clock of the process says", async () => {
    const scheduled = await scheduling.schedule({ rollout, inMinutes: 1 });
    const ahead = { ...world.runtime, now: () => new Date(Date.now() + 86_400_000) };
    const { claimDue } = await import("./run-scheduled.ts");
    expect(await claimDue(ahead, 20)).toEqual([]);
    expect(await scheduling.rowOf(scheduled)).toMatchObject({ state: "pending", claim: 0 });
  });

  it.each([
    [
      "the rollout changed",
      "stale_view",
      async () => rollout.setStatus((status) => ({ ...status, currentStepIndex: 2, pauseConditions: undefined })),
    ],
    [
      "a freeze has begun",
      "frozen",
      async () => world.setPolicies({ freezes: [{ name: "always", start: "* * * * *", duration: "2m" }] }),
    ],
    [
      "a rule asks for two people now",
      "second_person_required",
      async () => world.setPolicies({ secondPerson: [{ name: "two", actions: ["continue"] }] }),
    ],
    [
      "the person has fewer rights now",
      "forbidden",
      async () => world.setRoles([{ role: "viewer", groups: ["gatehouse:operators"] }]),
    ],
    ["the person has no rights any more", "forbidden", async () => world.setRoles([])],
  ])("is refused by name if %s", async (_, problem, change) => {
    const scheduled = await due();
    await change();
    await scheduling.pass();
    const row = await scheduling.rowOf(scheduled);
    expect(row).toMatchObject({ state: "refused", message: expect.stringMatching(/./) });
    expect((await world.entriesOf(rollout)).at(-1)).toMatchObject({
      ...{ code: "action.continue", outcome: "refused", actor: { type: "user", name: "operator-person" } },
      detail: { problem, scheduled: scheduled.id },
    });
    expect(scheduling.patches()).toBe(0);
  });

  it("is done as a token, unless that was revoked", async () => {
    const owner = randomUUID();
    const { issuer, subject } = actorOf("operator");
    await world.owner.query("INSERT INTO user_account (id, issuer, subject, name) VALUES ($1, $2, $3, 'o')", [
      ...[owner, issuer, subject],
    ]);
    const addToken = async () => {
      const id = randomUUID();
      await world.owner.query(
        `INSERT INTO api_token (id, name, role, owner_id, username, groups, token_hash)
         VALUES ($1, 'ci', 'operator', $2, 'operator-person', '{gatehouse:operators}', $3)`,
        [id, owner, id],
      );
      return { ...actorOf("operator"), type: "token", token: { id, name: "ci" } } as Actor & { token: { id: string } };
    };
    const scheduled = await due({ actor: await addToken() });
    await scheduling.pass();
    expect(await scheduling.rowOf(scheduled)).toMatchObject({ state: "done" });
    expect((await world.entriesOf(rollout)).at(-1)?.actor).toMatchObject({ type: "token", token: { name: "ci" } });

    rollout = await world.addRollout();
    const revoked = await addToken();
    const later = await due({ actor: revoked });
    await world.owner.query("UPDATE api_token SET revoked_at = now() WHERE id = $1", [revoked.token.id]);
    await scheduling.pass();
    expect(await scheduling.rowOf(later)).toMatchObject({
      state: "refused",
      message: "The token that scheduled it was revoked, or has expired.",
    });
  });

  it("is missed if more than five minutes have passed", async () => {
    const inTime = await due({ secondsAgo: 290 });
    await scheduling.pass();
    expect(await scheduling.rowOf(inTime)).toMatchObject({ state: "done" });
    rollout = await world.addRollout();
    world.requests.length = 0;
    const late = await due({ secondsAgo: 301 });
    await scheduling.pass();
    expect(await scheduling.rowOf(late)).toMatchObject({
      ...{ state: "missed", action_id: null },
      message: "Not done: Gatehouse could not do it within 5 minutes of its time.",
    });
    expect((await world.entriesOf(rollout)).at(-1)).toMatchObject({
      ...{ code: "action.schedule", outcome: "refused", source: "system" },
      detail: { why: "missed" },
    });
    expect(scheduling.patches()).toBe(0);
  });

  it("is claimed by one of several processes", async () => {
    const all = [];
    for (let count = 0; count < 6; count += 1) {
      rollout = await world.addRollout();
      all.push(await due());
    }
    const claims = await Promise.all([scheduling.claim(), scheduling.claim(), scheduling.claim()]);
    const ids = claims.flat().map(({ row }) => row.id);
    expect(ids.toSorted()).toEqual(all.map(({ id }) => id).toSorted());
    await Promise.all(claims.flat().map(scheduling.run));
    expect(scheduling.patches()).toBe(6);
  });
});

it("is looked for by each web process", async () => {
  const schedule = startSchedule(world.runtime, (_, outcome) => outcome);
  const scheduled = await due();
  await waitFor("it is done", async () => (await scheduling.rowOf(scheduled)).state === "done");
  await schedule.stop();
});

/** Plays a process that dies: its claim lapses, and another process looks. */
describe("a process that is killed", () => {
  it("after the claim: another one does it", async () => {
    const scheduled = await due();
    await scheduling.claim();
    expect(await scheduling.pass()).toBe(0);
    await scheduling.lapse(scheduled);
    expect(await scheduling.pass()).toBe(1);
    expect(await scheduling.rowOf(scheduled)).toMatchObject({ state: "done", claim: 2 });
    expect(scheduling.patches()).toBe(1);
  });

  /** Holds the first request of this method; returns what lets it go on, and what its process does. */
  async function stall(method: "GET" | "PATCH") {
    const scheduled = await due();
    let go = (): void => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    let isHeld = false;
    world.setIntercept(async (request, send) => {
      if (request.method === method && !isHeld) {
        isHeld = true;
        await held;
      }
      return send();
    });
    const [claimed] = await scheduling.claim();
    if (claimed === undefined) throw new Error("nothing was claimed");
    const first = scheduling.run(claimed);
    await waitFor("the request is held", async () => isHeld);
    return { scheduled, go, first };
  }

  it("before the intent: another one does it, and the first sends nothing if it comes to life again", async () => {
    const { scheduled, go, first } = await stall("GET");
    await scheduling.lapse(scheduled);
    await scheduling.pass();
    expect(await scheduling.rowOf(scheduled)).toMatchObject({ state: "done", claim: 2 });
    go();
    await first;
    expect(await scheduling.rowOf(scheduled)).toMatchObject({ state: "done", claim: 2 });
    expect(scheduling.patches()).toBe(1);
    expect(await world.outcomesOf(rollout)).toEqual([
      "action.schedule applied",
      "action.continue intent",
      "action.continue applied",
      "action.continue refused",
    ]);
  });

  it("before the intent, and its time is over: it is missed, and the recorder drops the rest", async () => {
    const { scheduled, go, first } = await stall("GET");
    await scheduling.lapse(scheduled);
    await scheduling.makeDue(scheduled, 301);
    await scheduling.pass();
    expect(await scheduling.rowOf(scheduled)).toMatchObject({ state: "missed" });
    await world.owner.query("UPDATE action SET requested_at = requested_at - interval '3 min' WHERE rollout_id = $1", [
      rollout.id,
    ]);
    await followActions({ pool: world.recorder, clusterFor: () => world.client });
    go();
    await first;
    expect(scheduling.patches()).toBe(0);
    expect(await world.outcomesOf(rollout)).toEqual([
      "action.schedule applied",
      "action.schedule refused",
      "action.continue refused",
    ]);
  });

  it("after a refusal: that stays, even if nothing stands in its way any more", async () => {
    const scheduled = await due();
    world.setPolicies({ freezes: [{ name: "always", start: "* * * * *", duration: "2m" }] });
    await scheduling.pass();
    await world.owner.query(
      "UPDATE scheduled_action SET state = 'running', ended_at = NULL, action_id = NULL, claimed_at = claimed_at - interval '61 s' WHERE id = $1",
      [scheduled.id],
    );
    world.setPolicies({});
    expect(await scheduling.pass()).toBe(1);
    expect(await scheduling.rowOf(scheduled)).toMatchObject({
      state: "refused",
      message: expect.stringMatching(/always/),
    });
    expect(scheduling.patches()).toBe(0);
  });

  it("and stalls until its time is over: it sends nothing", async () => {
    const { scheduled, go, first } = await stall("GET");
    await scheduling.makeDue(scheduled, 301);
    go();
    await first;
    expect(await scheduling.rowOf(scheduled)).toMatchObject({
      state: "refused",
      message: "Another process or another action came first, or its time has passed.",
    });
    expect(scheduling.patches()).toBe(0);
  });

  it("after the intent: it ends as that action, which the recorder follows", async () => {
    const { scheduled, go, first } = await stall("PATCH");
    await scheduling.lapse(scheduled);
    await scheduling.pass();
    const row = await scheduling.rowOf(scheduled);
    expect(row).toMatchObject({ state: "done", claim: 2 });
    expect(row.action_id).not.toBeNull();
    go();
    await first;
    expect(scheduling.patches()).toBe(1);
    expect(await world.outcomesOf(rollout)).toEqual([
      "action.schedule applied",
      "action.continue intent",
      "action.continue applied",
    ]);
  });

  it("after the outcome: it ends as that action", async () => {
    const scheduled = await due();
    await scheduling.pass();
    await world.owner.query(
      "UPDATE scheduled_action SET state = 'running', ended_at = NULL, claimed_at = claimed_at - interval '61 s' WHERE id = $1",
      [scheduled.id],
    );
    expect(await scheduling.pass()).toBe(1);
    expect(await scheduling.rowOf(scheduled)).toMatchObject({ state: "done" });
    expect(scheduling.patches()).toBe(1);
  });

  it("and comes to life after another one: it finds its claim gone", async () => {
    const scheduled = await due();
    const [claimed] = await scheduling.claim();
    if (claimed === undefined) throw new Error("nothing was claimed");
    await scheduling.lapse(scheduled);
    await scheduling.makeDue(scheduled, 301);
    await scheduling.pass();
    expect(await scheduling.rowOf(scheduled)).toMatchObject({ state: "missed" });
    await scheduling.run(claimed);
    expect(await scheduling.rowOf(scheduled)).toMatchObject({ state: "missed" });
    expect(scheduling.patches()).toBe(0);
  });

  it("while the audit log cannot be written: it is done when that is back", async () => {
    const scheduled = await due();
    const [claimed] = await scheduling.claim();
    if (claimed === undefined) throw new Error("nothing was claimed");
    await world.owner.query("REVOKE INSERT ON audit_entry FROM gatehouse_web");
    await expect(scheduling.run(claimed)).rejects.toMatchObject({ code: "audit_unavailable" });
    await world.owner.query("GRANT INSERT ON audit_entry TO gatehouse_web");
    expect(scheduling.patches()).toBe(0);
    await scheduling.lapse(scheduled);
    await scheduling.pass();
    expect(await scheduling.rowOf(scheduled)).toMatchObject({ state: "done" });
    expect(scheduling.patches()).toBe(1);
  });
});
