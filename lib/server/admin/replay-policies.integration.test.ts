import { afterAll, beforeAll, expect, it } from "vitest";
import type { z } from "zod";
import { PolicyReplay } from "#lib/contract/policy-replay.ts";
import { replayPolicies } from "#lib/server/admin/replay-policies.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { PolicyConfig, policiesEvidenceOf } from "#lib/server/platform/config/policy-schema.ts";
import { type ActingWorld, actorOf, createActingWorld, failureOf } from "#test/acting-world.ts";
import { storePolicies } from "#test/store-policies.ts";

let world: ActingWorld;

beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

const always = { name: "always", start: "* * * * *", duration: "2m" };
const leap = { name: "leap", start: "0 0 29 2 *", duration: "1m", outside: true };
const advancing = "metrics look fine";

async function load(policies: z.input<typeof PolicyConfig>): Promise<void> {
  world.setPolicies(policies);
  await storePolicies(world.web, policies, policiesEvidenceOf(PolicyConfig.parse(policies)).digest);
}

function replay(input: Partial<Parameters<typeof replayPolicies>[0]["input"]>, actor = actorOf("admin")) {
  return replayPolicies({ ctx: world.contextOf(actor), input: { days: 30, ...input } });
}

/** Signed in too long ago to break a freeze. */
function sleepy(): Actor {
  const actor = actorOf("operator");
  const later = new Date(Date.now() + 3_600_000);
  return {
    ...actor,
    rights: { ...actor.rights, grants: actor.rights.grants.map((grant) => ({ ...grant, breakGlass: true })) },
    session: {
      ...{ id: "s", idleExpiresAt: later, absoluteExpiresAt: later },
      authenticatedAt: new Date(Date.now() - 3_600_000),
    },
  };
}

it("reproduces every refusal by the policies that were in force, and says which are unknown", async () => {
  const rollout = await world.addRollout();
  const paused = await world.addRollout({ spec: { paused: true } });
  const codes: string[] = [];
  const refused = async (options: Omit<Parameters<ActingWorld["act"]>[0], "rollout"> & { isPaused?: boolean }) => {
    const { isPaused = false, ...asked } = options;
    const { code } = await failureOf(world.act({ rollout: isPaused ? paused : rollout, ...asked }));
    codes.push(code);
  };

  await load({ freezes: [always, { ...always, name: "also, always" }] });
  await refused({ action: "continue" });
  await refused({ action: "continue", breakGlass: true });
  await refused({ action: "promote-full", breakGlass: true, actor: sleepy() });
  await load({ freezes: [leap, { ...leap, name: "leap too" }] });
  await refused({ action: "continue" });
  await load({ freezes: [{ ...always, actions: ["unpause"] }] });
  await refused({ action: "continue", isPaused: true });
  await load({ secondPerson: [{ name: "four eyes", actions: ["abort"], includeProtective: true }] });
  await refused({ action: "abort" });
  await refused({ action: "continue", reason: "" });
  await load({ reasons: [{ required: true, actions: ["abort"] }] });
  await refused({ action: "abort", reason: "" });
  await load({});
  await world.owner.query(
    `INSERT INTO freeze_period (id, reason, clusters, namespaces, rollouts, starts_at, ends_at, made_by, made_by_name)
     VALUES (gen_random_uuid(), 'incident', '{*}', '{*}', '{*}', now() - interval '1h', now() + interval '1h', 'x', 'Oncall')`,
  );
  await refused({ action: "continue" });
  await world.owner.query("UPDATE freeze_period SET ends_at = clock_timestamp()");
  expect(codes).toEqual([
    ...["frozen", "frozen", "reauthentication_required", "frozen", "frozen"],
    ...["second_person_required", "reason_required", "reason_required", "frozen"],
  ]);
  // No refusal by a policy.
  await refused({ action: "continue", expect: { ...(await rollout.look()), viewDigest: "other" } });
  expect(codes.pop()).toBe("stale_view");

  const { check } = await replay({ yaml: "reasons: [{ required: true }]" });
  expect(check).toMatchObject({ refusals: codes.length, reproduced: codes.length, others: [], unknown: 0 });
  expect(check.knownSince).toMatch(/^20/);

  // One that the policies do not explain, one of an earlier version, and one by policies that are not kept.
  const { digest } = policiesEvidenceOf(PolicyConfig.parse({}));
  const seqs: number[] = [];
  for (const judged of [{ policies: digest }, undefined, { policies: "unknown" }]) {
    const { seq } = await appendAudit({
      pool: world.web,
      entry: {
        actor: { type: "user", name: "operator-person" },
        ...{ source: "gatehouse", code: "action.continue", action: "continue", requestId: "r", outcome: "refused" },
        target: { ...rollout.path },
        detail: { problem: "frozen", policy: "always", judged },
      },
    });
    seqs.push(seq);
  }
  const after = await replay({ yaml: "reasons: [{ required: true }]" });
  expect(after.check).toMatchObject({ refusals: codes.length + 1, others: [seqs[0]], unknown: 2 });
});

it("counts what a rule would have refused or required, by action, with the entries", async () => {
  await load({});
  const before = await replay({ yaml: "reasons: [{ required: true }]" });
  const rollout = await world.addRollout();
  await world.act({ rollout, action: "continue", reason: advancing });
  const other = await world.addRollout();
  await world.act({ rollout: other, action: "abort", reason: "" });
  const { namespace } = rollout.path;
  const yaml = `policies:
  freezes:
    - { name: tried, namespaces: [${namespace}], start: "* * * * *", duration: 2m }
    - { name: windows, namespaces: [${namespace}], start: "0 0 29 2 *", duration: 1m, outside: true }
  secondPerson:
    - { name: two, namespaces: [${other.path.namespace}], includeProtective: true }
  reasons:
    - { required: true, namespaces: [${other.path.namespace}] }
`;
  const answer = PolicyReplay.parse(await replay({ yaml, days: 90 }));
  expect(answer.actions).toBe(before.actions + 2);
  const continued = answer.rules[0]?.byAction[0]?.of;
  expect(continued).toBeGreaterThan(0);
  const [aborted] = answer.rules[2]?.byAction ?? [];
  expect(
    answer.rules.map(({ rule, kind, byAction }) => [rule, kind, byAction.map(({ would, count }) => [would, count])]),
  ).toEqual([
    ["tried", "freeze", [["refuse", 1]]],
    ["windows", "freeze", [["refuse", 1]]],
    ["two", "second-person", [["require a second person", 1]]],
    ["policies.reasons[0]", "reason", [["require a reason", 1]]],
  ]);
  expect(aborted).toMatchObject({ action: "abort", of: expect.any(Number) });
  expect(answer.rules[0]?.entries).toEqual([
    expect.objectContaining({ would: "refuse", sentence: expect.stringContaining("continue") }),
  ]);
  // It always begins again; the window opens in a leap year.
  expect(answer.rules[0]?.waitMinutes).toBeNull();
  expect(answer.rules[1]?.waitMinutes?.median).toBeGreaterThan(0);
  expect(answer.complete).toBe(true);
});

it("replays a rule of the config by its place", async () => {
  await load({ freezes: [leap], reasons: [{ required: false }, { required: true, mode: "observe" }] });
  const rollout = await world.addRollout();
  await world.act({ rollout, action: "abort", reason: "" });
  const { rules } = await replay({ rule: "policies.reasons[1]" });
  expect(rules).toMatchObject([{ rule: "policies.reasons[1]", kind: "reason" }]);
  expect(rules[0]?.byAction).toContainEqual(expect.objectContaining({ action: "abort", would: "require a reason" }));
  expect((await replay({ rule: "policies.freezes[0]" })).rules).toMatchObject([{ rule: "leap", kind: "freeze" }]);
  await expect(replay({ rule: "policies.freezes[1]" })).rejects.toMatchObject({ code: "not_found" });
});

it.each([
  ["freezes: [", /^The rule cannot be used: line 1: /],
  ["freezes:\n  - name: x\n    start: never\n    duration: 1h\n", /line 3: freezes\.0\.start: "never" is not a cron/],
  ["reasons:\n  - required: true\n    mode: try\n", /line 3: reasons\.0\.mode: /],
  ["rules: []", /line 1: rules: unknown key/],
  ["", /it has no rule/],
  [`reasons: [${"{ required: true },".repeat(11)}]`, /it has 11 rules: at most 10/],
  [
    "a: &a [1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c]\n",
    /not YAML that can be read/,
  ],
])("says what is wrong with %j", async (yaml, says) => {
  await expect(replay({ yaml })).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringMatching(says),
  });
});

it("is for nobody but an admin", async () => {
  for (const role of ["viewer", "operator"] as const)
    await expect(replay({ yaml: "" }, actorOf(role))).rejects.toMatchObject({ code: "forbidden" });
});
