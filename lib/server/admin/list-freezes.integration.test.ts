import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { FreezeWindow } from "#lib/domain/policy/freeze.ts";
import { everywhere } from "#lib/domain/policy/rights.ts";
import { getAdminPolicies } from "#lib/server/admin/get-policies.ts";
import { findNowAndNext, listAdminFreezes } from "#lib/server/admin/list-freezes.ts";
import { listAudit } from "#lib/server/pages/audit/list-audit.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { type ActingWorld, actorOf, createActingWorld, failureOf } from "#test/acting-world.ts";
import { storePolicies } from "#test/store-policies.ts";

let world: ActingWorld;

beforeAll(async () => {
  world = await createActingWorld();
});
afterEach(() => world.setPolicies({}));
afterAll(() => world.close());

const admin = actorOf("admin");
const always = { name: 'the "long" freeze', start: "* * * * *", duration: "2m" };
const windowOf = (more: Partial<FreezeWindow>): FreezeWindow => ({
  ...{ name: "w", scope: everywhere, actions: ["*"], includeProtective: false, timeZone: "UTC", start: "0 18 * * 5" },
  durationMinutes: 62 * 60,
  ...more,
});

type Case = { name: string; window: Partial<FreezeWindow>; now: string; is: unknown; next: unknown };
const cases: Case[] = [
  {
    name: "before a weekend",
    window: {},
    now: "2026-11-20T12:00:00Z",
    is: null,
    next: { from: "2026-11-20T18:00:00.000Z", to: "2026-11-23T08:00:00.000Z" },
  },
  {
    name: "within a weekend",
    window: {},
    now: "2026-11-21T12:00:00Z",
    is: { from: "2026-11-20T18:00:00.000Z", to: "2026-11-23T08:00:00.000Z" },
    next: { from: "2026-11-27T18:00:00.000Z", to: "2026-11-30T08:00:00.000Z" },
  },
  {
    name: "each day until the next: no end in sight",
    window: { start: "0 0 * * *", durationMinutes: 24 * 60 },
    now: "2026-11-21T12:00:00Z",
    is: { from: "2026-11-21T00:00:00.000Z", to: null },
    next: null,
  },
  {
    name: "two days that meet are one time",
    window: { start: "0 0 * * 6,0", durationMinutes: 24 * 60 },
    now: "2026-11-20T12:00:00Z",
    is: null,
    next: { from: "2026-11-21T00:00:00.000Z", to: "2026-11-23T00:00:00.000Z" },
  },
  {
    name: "in the time zone of the window, over a change of the clocks",
    window: { timeZone: "Europe/Berlin" },
    now: "2026-10-23T12:00:00Z",
    is: null,
    next: { from: "2026-10-23T16:00:00.000Z", to: "2026-10-26T06:00:00.000Z" },
  },
];

describe("findNowAndNext", () => {
  it.each(cases)("$name", ({ window, now, is, next }) => {
    expect(findNowAndNext(windowOf(window), Date.parse(now))).toEqual({ now: is, next });
  });
});

describe("freezes and policies", () => {
  /** Operators who may break a freeze, and have signed in just now. */
  function breaker(): Actor {
    const actor = actorOf("operator");
    const later = new Date(Date.now() + 3_600_000);
    return {
      ...actor,
      rights: { ...actor.rights, grants: actor.rights.grants.map((grant) => ({ ...grant, breakGlass: true })) },
      session: { id: "s", authenticatedAt: new Date(), idleExpiresAt: later, absoluteExpiresAt: later },
    };
  }
  const range = () => ({
    from: new Date(Date.now() - 3_600_000).toISOString(),
    to: new Date(Date.now() + 3_600_000).toISOString(),
  });

  it("count what each policy refused, link to it by its name, and mark what broke a freeze", async () => {
    world.setPolicies({
      freezes: [always, { ...always, name: "elsewhere", namespaces: ["x"] }],
      secondPerson: [{ name: "four eyes", actions: ["abort"], includeProtective: true }],
      reasons: [{ required: true, actions: ["abort"] }],
    });
    const rollout = await world.addRollout();
    expect(await failureOf(world.act({ rollout, action: "continue" }))).toMatchObject({ code: "frozen" });
    expect(await failureOf(world.act({ rollout, action: "abort" }))).toMatchObject({ code: "second_person_required" });
    await world.act({ rollout, action: "continue", breakGlass: true, actor: breaker() });

    const ctx = world.contextOf(admin);
    const { policies, complete, unnamed } = await getAdminPolicies({ ctx });
    expect(policies.map(({ path, counts }) => [path, counts])).toEqual([
      ["policies.freezes[0]", { refused: 1, broken: 1, requested: null, approved: null, observed: 0 }],
      ["policies.freezes[1]", { refused: 0, broken: 0, requested: null, approved: null, observed: 0 }],
      ["policies.secondPerson[0]", { refused: 1, broken: null, requested: 0, approved: 0, observed: 0 }],
      ["policies.reasons[0]", null],
    ]);
    expect({ complete, unnamed }).toEqual({ complete: true, unnamed: 0 });

    const listed = await listAudit({ ctx, input: { limit: 50, policy: always.name, rows: "acts" } });
    expect(listed.items.map(({ outcome, action }) => [action, outcome])).toEqual([
      ["continue", "applied"],
      ["continue", "refused"],
    ]);

    const shown = range();
    const { at, freezes, broken } = await listAdminFreezes({ ctx, input: shown });
    expect(broken).toEqual([
      expect.objectContaining({ freeze: always.name, person: "operator-person", seq: expect.any(Number) }),
    ]);
    // No load of its config is recorded here.
    const before = [{ from: shown.from, to: at, why: "unknown" }];
    expect(freezes[0]).toMatchObject({
      now: { to: null },
      complete: true,
      times: [{ from: at, to: shown.to, mode: "enforce" }],
      before,
    });

    // A policy that is gone by now is not counted for another one.
    world.setPolicies({ freezes: [{ ...always, name: "renamed" }] });
    expect(await getAdminPolicies({ ctx })).toMatchObject({ unnamed: 2 });
  });

  it("counts a refusal for each release window that was closed, and lists when they are open", async () => {
    const closed = { name: "leap (year)", start: "0 0 29 2 *", duration: "1h", outside: true };
    world.setPolicies({ freezes: [closed, { ...closed, name: "leap" }, { ...closed, name: "year" }] });
    const ctx = world.contextOf(admin);
    const act = { rollout: await world.addRollout(), action: "continue" } as const;
    await expect(world.act(act)).rejects.toMatchObject({ code: "frozen" });
    const { policies } = await getAdminPolicies({ ctx });
    expect(policies.map(({ counts }) => counts?.refused)).toEqual([1, 1, 1]);
    expect(policies[0]).toMatchObject({ kind: "freeze", outside: true });
    for (const policy of ["leap (year)", "leap", "year"]) {
      const { items } = await listAudit({ ctx, input: { limit: 50, policy, rows: "acts" } });
      expect(items.map(({ outcome }) => outcome)).toEqual(["refused"]);
    }
    const { items } = await listAudit({ ctx, input: { limit: 50, policy: "lea", rows: "acts" } });
    expect(items).toEqual([]);

    const input = { from: "2028-02-28T00:00:00Z", to: "2028-03-01T00:00:00Z" };
    const { freezes } = await listAdminFreezes({ ctx, input });
    expect(freezes[0]).toMatchObject({
      ...{ outside: true, now: null, complete: true },
      times: [{ from: "2028-02-29T00:00:00.000Z", to: "2028-02-29T01:00:00.000Z", mode: "enforce" }],
    });
  });

  it("show past times by the config of then, and those before it had the freeze apart", async () => {
    const { owner } = world;
    const night = { ...always, name: "night", start: "0 0 * * *", duration: "24h" };
    const [one, two, three] = [1, 2, 3].map((hour) => new Date(Date.now() - (4 - hour) * 3_600_000).toISOString());
    const load = async (at = "", freezes: object[] = []) => {
      await storePolicies(world.runtime.pool, { freezes } as Parameters<typeof storePolicies>[1]);
      await owner.query("UPDATE config_event SET at = $1 WHERE id = (SELECT max(id) FROM config_event)", [at]);
    };
    await owner.query("DELETE FROM config_event");
    await load(one, []);
    await load(two, [night]);
    world.setPolicies({ freezes: [night] });
    const from = new Date(Date.now() - 4 * 3_600_000).toISOString();
    const to = new Date(Date.now() + 3_600_000).toISOString();
    const { freezes } = await listAdminFreezes({ ctx: world.contextOf(admin), input: { from, to } });
    expect(freezes).toMatchObject([
      {
        times: [{ from: two, to, mode: "enforce" }],
        before: [
          { from, to: one, why: "unknown" },
          { from: one, to: two, why: "not-yet" },
        ],
      },
    ]);
    // A freeze that only observes by now was enforced then.
    const watched = { ...night, mode: "observe" as const };
    world.setPolicies({ freezes: [watched] });
    await load(three, [watched]);
    const observing = await listAdminFreezes({ ctx: world.contextOf(admin), input: { from: two ?? "", to } });
    expect(observing.freezes[0]?.times).toEqual([
      { from: two, to: three, mode: "enforce" },
      { from: three, to, mode: "observe" },
    ]);
    world.setPolicies({ freezes: [night] });
    await owner.query("DELETE FROM config_event WHERE id = (SELECT max(id) FROM config_event)");
    await load(three, []);
    const later = await listAdminFreezes({ ctx: world.contextOf(admin), input: { from: two ?? "", to } });
    expect(later.freezes[0]?.times[0]).toEqual({ from: two, to: three, mode: "enforce" });
    await owner.query("DELETE FROM config_event");
  });

  it("says that a freeze that begins every minute is not listed to its end", async () => {
    world.setPolicies({ freezes: [always] });
    const input = { from: "2026-11-01T00:00:00Z", to: "2026-11-29T00:00:00Z" };
    const { freezes } = await listAdminFreezes({ ctx: world.contextOf(admin), input });
    expect(freezes[0]?.complete).toBe(false);
  });

  it("are for nobody but an admin", async () => {
    for (const actor of [actorOf("viewer"), actorOf("operator")]) {
      const ctx = world.contextOf(actor);
      await expect(getAdminPolicies({ ctx })).rejects.toMatchObject({ code: "forbidden" });
      await expect(listAdminFreezes({ ctx, input: range() })).rejects.toMatchObject({ code: "forbidden" });
    }
  });
});
