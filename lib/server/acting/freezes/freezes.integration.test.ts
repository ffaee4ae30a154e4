import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { FreezeRequest } from "#lib/contract/freeze.ts";
import type { Grant } from "#lib/domain/policy/rights.ts";
import { changeFreeze, createFreeze, listFreezes } from "#lib/server/acting/freezes/freezes.ts";
import { watchFreezes } from "#lib/server/acting/freezes/watch-freezes.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import type { ChangeListener } from "#lib/server/process/change-feed.ts";
import { type ActingWorld, actorOf, createActingWorld, failureOf } from "#test/acting-world.ts";
import { raceLine } from "#test/hardening/race-line.ts";

let world: ActingWorld;

beforeAll(async () => {
  world = await createActingWorld();
});
afterEach(() => world.owner.query("UPDATE freeze_period SET ends_at = now() - interval '1 second'"));
afterAll(() => world.close());

const operator = actorOf("operator");
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

function withGrant(change: Partial<Grant>): Actor {
  const [grant] = operator.rights.grants;
  if (grant === undefined) throw new Error("an operator has a grant");
  return { ...operator, rights: { ...operator.rights, grants: [{ ...grant, ...change }] } };
}

const pending: Promise<unknown>[] = [];

/** Resolves once a freeze is in force. */
async function untilMade(): Promise<void> {
  const count = async () =>
    (await world.owner.query("SELECT FROM freeze_period WHERE ends_at > clock_timestamp()")).rowCount;
  while ((await count()) === 0) await setTimeout(5);
}

async function freeze(request: Partial<FreezeRequest> = {}, actor = operator) {
  const input = FreezeRequest.parse({ reason: "payment incident", endsAt: inHours(2), ...request });
  return createFreeze({ ctx: world.contextOf(actor), input });
}

it("refuses what advances in its scope from the moment of its commit, and lets an abort pass", async () => {
  const rollout = await world.addRollout();
  const expectation = await rollout.look();
  await freeze({ clusters: ["prod-*"] });
  const refused = await failureOf(world.act({ rollout, action: "continue", expect: expectation }));
  expect(refused.code).toBe("frozen");
  expect(world.requests.filter(({ method }) => method === "PATCH")).toEqual([]);
  await world.act({ rollout, action: "abort" });
});

it("refuses a click that was judged before it", async () => {
  const rollout = await world.addRollout();
  const expectation = await rollout.look();
  world.setIntercept(async ({ method }, send) => {
    const answer = await send();
    if (method === "GET") await freeze();
    return answer;
  });
  expect((await failureOf(world.act({ rollout, action: "continue", expect: expectation }))).code).toBe("frozen");
  world.setIntercept(undefined);
});

it("has no intent after it, whenever it comes", async () => {
  const rollouts = await Promise.all(Array.from({ length: 16 }, () => world.addRollout()));
  const acts = rollouts.map(async (rollout, index) => {
    const expectation = await rollout.look();
    await setTimeout(index * 4);
    return world
      .act({ rollout, action: "continue", expect: expectation })
      .then(() => "done")
      .catch(({ code }: { code: string }) => code);
  });
  await setTimeout(40);
  const { id } = await freeze();
  const outcomes = await Promise.all(acts);
  expect(outcomes.filter((outcome) => outcome !== "done" && outcome !== "frozen")).toEqual([]);
  const { rows } = await world.owner.query<{ late: number; intents: number }>(
    `SELECT count(*) FILTER (WHERE a.seq > f.seq)::int AS late, count(*)::int AS intents
     FROM audit_entry a, (SELECT seq FROM audit_entry WHERE entry::jsonb -> 'detail' ->> 'freeze' = $1) f
     WHERE a.code = 'action.continue' AND a.outcome = 'intent' AND a.name = ANY($2)`,
    [id, rollouts.map(({ path }) => path.name)],
  );
  expect(rows).toEqual([{ late: 0, intents: outcomes.filter((outcome) => outcome === "done").length }]);
});

it("stops three replicas: no promote is sent once it is answered, and every abort passes", async () => {
  const result = await raceLine(world, { promotes: 60, aborts: 15 });
  expect(result).toMatchObject({ late: 0, aborted: 15, others: [] });
  expect(result.sent + result.frozen).toBe(60);
  expect(result.frozen).toBeGreaterThan(0);
  expect(await world.verify()).toMatchObject({ ok: true });
});

it("refuses a patch that is sent again after a conflict, once it has begun", async () => {
  const rollout = await world.addRollout();
  const expectation = await rollout.look();
  let patches = 0;
  world.setIntercept(async ({ method }, send) => {
    if (method !== "PATCH") return send();
    patches += 1;
    // Does not wait for this very answer.
    const made = freeze();
    await untilMade();
    pending.push(made);
    return { status: 409, json: { message: "changed" }, text: "", date: undefined };
  });
  const refused = await failureOf(world.act({ rollout, action: "continue", expect: expectation }));
  world.setIntercept(undefined);
  expect(refused.code).toBe("frozen");
  expect(patches).toBe(1);
  // It was judged before the freeze began: only the entry's own time tells that it was in force.
  const detail = (await world.entriesOf(rollout)).find(({ outcome }) => outcome === "refused")?.detail;
  expect(detail).toMatchObject({ policy: expect.any(String), judged: { policies: expect.any(String) } });
  expect(detail?.judged).not.toHaveProperty("at");
  await Promise.all(pending.splice(0));
});

it("leaves other scopes alone, and what is to start or has ended", async () => {
  const rollout = await world.addRollout();
  const expectation = await rollout.look();
  await freeze({ namespaces: ["elsewhere"] });
  await freeze({ startsAt: inHours(1) });
  const ended = await freeze();
  await changeFreeze({ ctx: world.contextOf(operator), input: { id: ended.id, reason: "over" } });
  await world.act({ rollout, action: "continue", expect: expectation });
});

it("is extended and ended, with an entry for each change", async () => {
  const ctx = world.contextOf(operator);
  const { id } = await freeze({ reason: "for the audit" });
  const endsAt = inHours(5);
  expect(await changeFreeze({ ctx, input: { id, endsAt, reason: "longer" } })).toMatchObject({ endsAt, inForce: true });
  expect(await changeFreeze({ ctx, input: { id, reason: "over" } })).toMatchObject({ inForce: false, mayEnd: false });
  expect(await failureOf(changeFreeze({ ctx, input: { id, reason: "again" } }))).toMatchObject({ code: "not_found" });
  const { rows } = await world.owner.query(
    "SELECT entry::jsonb ->> 'code' AS code, entry::jsonb ->> 'reason' AS reason FROM audit_entry WHERE entry::jsonb -> 'detail' ->> 'freeze' = $1 ORDER BY seq",
    [id],
  );
  expect(rows).toEqual([
    { code: "freeze.create", reason: "for the audit" },
    { code: "freeze.extend", reason: "longer" },
    { code: "freeze.end", reason: "over" },
  ]);
});

it("takes the right to freeze everything in its scope", async () => {
  const scoped = withGrant({ scope: { clusters: ["prod-*"], namespaces: ["payments"], rollouts: ["*"] } });
  const forbidden = { code: "forbidden" };
  expect(await failureOf(freeze({}, scoped))).toMatchObject(forbidden);
  expect(await failureOf(freeze({ clusters: ["prod-*"], namespaces: ["pay*"] }, scoped))).toMatchObject(forbidden);
  expect(await failureOf(freeze({}, actorOf("viewer")))).toMatchObject(forbidden);
  expect(await failureOf(freeze({}, withGrant({ actions: ["abort"] })))).toMatchObject(forbidden);
  const made = await freeze({ clusters: ["prod-eu"], namespaces: ["payments"] }, scoped);
  const { id } = await freeze();
  const ctx = world.contextOf(scoped);
  expect(await failureOf(changeFreeze({ ctx, input: { id, reason: "r" } }))).toMatchObject(forbidden);
  await changeFreeze({ ctx, input: { id: made.id, reason: "r" } });
});

it("keeps kinds and names apart", async () => {
  const may = async (own: string, asked: string) => {
    const actor = withGrant({ scope: { clusters: ["*"], namespaces: ["*"], rollouts: [own] } });
    return freeze({ rollouts: [asked] }, actor).then(
      () => true,
      () => false,
    );
  };
  expect(await may("shop-*", "Canary/shop-a")).toBe(true);
  expect(await may("Canary/*", "Canary/shop-*")).toBe(true);
  expect(await may("*a*", "Canary/*")).toBe(false);
  expect(await may("Canary/*", "shop-a")).toBe(false);
});

it("cannot be shortened by an extension, and one person makes no more than twenty", async () => {
  const ctx = world.contextOf(operator);
  const { id } = await freeze({ endsAt: inHours(8) });
  const shorter = changeFreeze({ ctx, input: { id, reason: "r", endsAt: inHours(1) } });
  expect(await failureOf(shorter)).toMatchObject({ code: "invalid_request" });
  for (let count = 1; count < 20; count++) await freeze({ namespaces: ["n"] });
  expect(await failureOf(freeze())).toMatchObject({ code: "conflict" });
  await freeze({}, actorOf("admin"));
});

it("is broken by those who saw it, and by name", async () => {
  const rollout = await world.addRollout();
  const expectation = await rollout.look();
  const session = { id: "s", authenticatedAt: new Date(), idleExpiresAt: new Date(), absoluteExpiresAt: new Date() };
  const actor = { ...withGrant({ breakGlass: true }), session };
  const seen = await freeze({ reason: "seen" });
  const breakWith = (blocks?: { kind: "freeze"; name: string; id: string }[]) =>
    world.act({
      ...{ rollout, action: "continue", actor, breakGlass: true, reason: "must" },
      expect: { ...expectation, ...(blocks === undefined ? {} : { blocks }) },
    });
  const refusal = await failureOf(breakWith([{ kind: "freeze", name: "other", id: randomUUID() }]));
  expect(refusal).toMatchObject({
    code: "frozen",
    message: expect.stringMatching(/^Break-glass .*: seen". Look again/),
  });
  await breakWith([{ kind: "freeze", name: "renamed", id: seen.id }]);
  const [intent] = (await world.entriesOf(rollout)).filter(({ outcome }) => outcome === "intent");
  expect(intent?.detail?.brokenFreeze).toMatch(/: seen$/);
});

it.each([
  ["a list in one name", { namespaces: ["pay,shop"] }],
  ["a rollout among the namespaces", { namespaces: ["payments/checkout"] }],
  ["many stars", { namespaces: ["*a*b*c*d*"] }],
])("refuses %s", (_, request) => {
  expect(FreezeRequest.safeParse({ reason: "r", endsAt: inHours(1), ...request }).success).toBe(false);
});

it("is listed for those who read something in its scope", async () => {
  await freeze({ namespaces: ["payments"] });
  const reader = (namespaces: string[]) =>
    withGrant({ role: "viewer", scope: { clusters: ["*"], namespaces, rollouts: ["*"] } });
  const listed = async (actor: Actor) => (await listFreezes({ ctx: world.contextOf(actor) })).items;
  expect(await listed(reader(["pay*"]))).toMatchObject([{ reason: "payment incident", inForce: true, mayEnd: false }]);
  expect(await listed(reader(["shop"]))).toEqual([]);
  await freeze({ namespaces: ["shop", "secret"] });
  expect((await listed(reader(["shop"]))).map(({ scope }) => scope.namespaces)).toEqual([["shop"]]);
  expect(await listed(operator)).toMatchObject([
    { mayEnd: true, scope: { namespaces: ["payments"] } },
    { mayEnd: true, scope: { namespaces: ["shop", "secret"] } },
  ]);
});

it.each([
  ["in the past", { endsAt: inHours(-1) }],
  ["before its start", { startsAt: inHours(3), endsAt: inHours(2) }],
  ["too far away", { endsAt: inHours(24 * 32) }],
])("refuses an end %s", async (_, request) => {
  expect(await failureOf(freeze(request))).toMatchObject({ code: "invalid_request" });
});

it("reaches the buttons of every process by the change feed", async () => {
  const listeners: ChangeListener[] = [];
  const changes = {
    subscribe: (listener: ChangeListener) => {
      listeners.push(listener);
      return () => {};
    },
  };
  const watched = watchFreezes({ pool: world.web, changes, log: { warn: () => {} } });
  await freeze();
  const { rows } = await world.owner.query("SELECT kind FROM change_log ORDER BY xid DESC, id DESC LIMIT 1");
  expect(rows).toEqual([{ kind: "freeze" }]);
  listeners[0]?.onReset({ xid: 0n, id: 0n });
  await expect
    .poll(() => watched.current().map(({ name }) => name))
    .toEqual([expect.stringMatching(/: payment incident$/)]);
  watched.close();
});
