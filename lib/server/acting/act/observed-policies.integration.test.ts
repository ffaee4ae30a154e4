import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { requestApproval } from "#lib/server/acting/act/request-approval.ts";
import { getAdminPolicies } from "#lib/server/admin/get-policies.ts";
import { listAdminFreezes } from "#lib/server/admin/list-freezes.ts";
import { whoMay } from "#lib/server/admin/who-may.ts";
import { listAudit } from "#lib/server/pages/audit/list-audit.ts";
import { type ActingWorld, actorOf, createActingWorld } from "#test/acting-world.ts";

let world: ActingWorld;

beforeAll(async () => {
  world = await createActingWorld();
});
afterEach(() => world.setPolicies({}));
afterAll(() => world.close());

/** In force at any time. */
const always = { name: 'the "long" freeze', start: "* * * * *", duration: "2m" };
const observed = { mode: "observe" } as const;
const admin = actorOf("admin");

describe("a rule that is observed", () => {
  it("lets everything pass, and is in the entries of what it would not have let pass", async () => {
    world.setPolicies({
      freezes: [{ ...always, ...observed }],
      secondPerson: [{ name: "four eyes", actions: ["continue"], ...observed }],
      reasons: [{ required: true, actions: ["abort"], ...observed }],
    });
    const rollout = await world.addRollout();
    await expect(world.act({ rollout, action: "continue" })).resolves.toMatchObject({ state: "applied" });
    await expect(world.act({ rollout, action: "abort", reason: "" })).resolves.toMatchObject({ state: "applied" });
    const expected = [
      { rule: always.name, kind: "freeze", would: "refuse" },
      { rule: "four eyes", kind: "second-person", would: "require a second person" },
    ];
    const reason = [{ rule: "policies.reasons[0]", kind: "reason", would: "require a reason" }];
    const entries = await world.entriesOf(rollout);
    expect(entries.map(({ outcome, detail }) => [outcome, detail?.observed])).toEqual([
      ["intent", expected],
      ["applied", expected],
      ["intent", reason],
      ["applied", reason],
    ]);
    expect((await world.verify()).ok).toBe(true);

    const ctx = world.contextOf(admin);
    const { policies } = await getAdminPolicies({ ctx });
    expect(policies.map(({ mode, counts }) => [mode, counts?.observed, counts?.refused])).toEqual([
      ["observe", 1, 0],
      ["observe", 1, 0],
      ["observe", 1, 0],
    ]);
    for (const [policy, action] of [
      [always.name, "continue"],
      ["four eyes", "continue"],
      ["policies.reasons[0]", "abort"],
    ] as const) {
      const { items } = await listAudit({ ctx, input: { limit: 50, policy, rows: "acts" } });
      expect(items.map((item) => [item.action, item.outcome])).toEqual([[action, "applied"]]);
    }
  });

  it("looks for the ticket that a rule would have required, and asks no one about it", async () => {
    const check = { url: "http://127.0.0.1:1", signingSecret: "env:NONE" };
    const ticket = { name: "change", pattern: "CHG\\d+", check };
    world.setPolicies({ reasons: [{ required: true, ticket, ...observed }] });
    const rollout = await world.addRollout();
    await world.act({ rollout, action: "pause", reason: "looks odd" });
    await world.act({ rollout, action: "unpause", reason: "looks fine" });
    await world.act({ rollout, action: "pause", reason: "odd again" });
    await world.act({ rollout, action: "unpause", reason: "CHG7: looks fine" });
    const entries = (await world.entriesOf(rollout)).filter(({ outcome }) => outcome === "intent");
    expect(entries.map(({ action, detail }) => [action, detail?.observed, detail?.tickets])).toEqual([
      ["pause", undefined, undefined],
      ["unpause", [{ rule: "policies.reasons[0]", kind: "reason", would: "require a ticket" }], undefined],
      ["pause", undefined, undefined],
      ["unpause", undefined, undefined],
    ]);
  });

  it("says nothing of an action that it would have let pass", async () => {
    world.setPolicies({
      freezes: [{ ...always, namespaces: ["elsewhere"], ...observed }],
      reasons: [{ required: true, ...observed }],
    });
    const rollout = await world.addRollout();
    await world.act({ rollout, action: "continue", reason: "metrics look fine" });
    for (const { detail } of await world.entriesOf(rollout)) expect(detail).not.toHaveProperty("observed");
  });

  it("counts for what an action also does", async () => {
    world.setPolicies({ freezes: [{ ...always, actions: ["unpause"], ...observed }] });
    const rollout = await world.addRollout({ spec: { paused: true } });
    await world.act({ rollout, action: "continue" });
    const [intent] = await world.entriesOf(rollout);
    expect(intent?.detail).toMatchObject({ also: ["unpause"], observed: [{ rule: always.name, would: "refuse" }] });
  });

  it("requires no approval", async () => {
    const two = { name: "four eyes", actions: ["continue"] };
    world.setPolicies({
      secondPerson: [
        { ...two, ...observed },
        { ...two, name: "two", namespaces: ["payments"] },
      ],
      freezes: [{ ...always, ...observed }],
    });
    const rollout = await world.addRollout();
    const asked = requestApproval({
      ctx: world.contextOf(actorOf("operator")),
      input: { ...rollout.path, action: "continue", reason: "because", expect: await rollout.look() },
    });
    await expect(asked).rejects.toMatchObject({ code: "not_allowed_now" });
    const ctx = world.contextOf(admin);
    const { secondPerson } = await whoMay({ ctx, input: { action: "continue" } });
    expect(secondPerson).toEqual([{ path: "policies.secondPerson[1]", name: "two" }]);
  });

  it("is in the calendar, as observed", async () => {
    world.setPolicies({
      freezes: [
        { ...always, ...observed },
        { ...always, name: "decides" },
      ],
    });
    const now = Date.now();
    const input = { from: new Date(now - 3_600_000).toISOString(), to: new Date(now + 3_600_000).toISOString() };
    const { freezes } = await listAdminFreezes({ ctx: world.contextOf(admin), input });
    expect(freezes.map(({ path, mode, duration }) => [path, mode, duration])).toEqual([
      ["policies.freezes[0]", "observe", "2m"],
      ["policies.freezes[1]", "enforce", "2m"],
    ]);
  });
});

it("records when and by which policies each action was judged", async () => {
  world.setPolicies({ freezes: [always] });
  const rollout = await world.addRollout();
  await expect(world.act({ rollout, action: "continue" })).rejects.toMatchObject({ code: "frozen" });
  world.setPolicies({});
  await world.act({ rollout, action: "continue" });
  const [refused, intent] = await world.entriesOf(rollout);
  const judged = { at: expect.stringMatching(/^20.*Z$/), policies: expect.stringMatching(/^[0-9a-f]{64}$/) };
  expect(refused?.detail).toMatchObject({ policy: always.name, judged });
  expect(intent?.detail).toMatchObject({ judged });
  const digestOf = (entry: typeof refused) => (entry?.detail?.judged as { policies: string } | undefined)?.policies;
  expect(digestOf(refused)).not.toBe(digestOf(intent));
});
