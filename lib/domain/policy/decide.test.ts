import { describe, expect, it } from "vitest";
import { type Approval, type Attempt, decide, type Policies } from "./decide.ts";
import { everywhere, type Grant, type Rights } from "./rights.ts";

const now = new Date("2026-11-21T12:00:00Z");
const target = { cluster: "prod-eu", namespace: "payments", kind: "Rollout", name: "checkout" };
const promote = { name: "promote-full", protective: false, reasonRequired: true };
const abort = { name: "abort", protective: true, reasonRequired: false };
const operator: Grant = { role: "operator", scope: everywhere, actions: ["*"], breakGlass: false };
const rights = (...grants: Grant[]): Rights => ({ grants, cap: "admin" });
const none: Policies = { reasons: [], freezes: [], secondPerson: [] };
const frozen: Policies = {
  ...none,
  freezes: [
    {
      name: "weekend",
      scope: everywhere,
      start: "0 18 * * 5",
      timeZone: "UTC",
      durationMinutes: 3720,
      actions: ["*"],
      includeProtective: false,
    },
  ],
};
const weekdays = {
  ...{ name: "weekdays", scope: everywhere, actions: ["*"], includeProtective: false, outside: true },
  ...{ start: "0 9 * * 1-4", timeZone: "UTC", durationMinutes: 420 },
};
const fridays = { ...weekdays, name: "fridays", start: "0 9 * * 5", durationMinutes: 180 };
const two: Policies = {
  ...none,
  secondPerson: [
    {
      name: "four eyes",
      scope: everywhere,
      actions: ["promote-*"],
      includeProtective: false,
      robotsMayAsk: false,
      expireMinutes: 60,
      ...{ approvers: 1, groups: [] },
    },
  ],
};
const vote = (by: string, mayAct = true) => [{ by, groups: ["sre"], mayAct }];
const unpause = { name: "unpause", protective: false, reasonRequired: true };
const onlyFor = (policies: Policies, actions: string[]): Policies => ({
  reasons: policies.reasons.map((rule) => ({ ...rule, actions })),
  freezes: policies.freezes.map((rule) => ({ ...rule, actions })),
  secondPerson: policies.secondPerson.map((rule) => ({ ...rule, actions })),
});
const attempt = (change: Partial<Attempt> = {}): Attempt => ({
  actorKey: "issuer|oncall",
  isRobot: false,
  request: "promote-full",
  rolloutId: "r-1",
  uid: "u-1",
  viewDigest: "d-1",
  reason: "errors are back to normal",
  breakGlass: false,
  authenticatedAt: new Date(now.getTime() - 60_000),
  passesPauses: [],
  targetVersion: undefined,
  approval: undefined,
  ...change,
});
const approval = (change: Partial<Approval> = {}): Approval => ({
  request: "promote-full",
  rolloutId: "r-1",
  target,
  uid: "u-1",
  viewDigest: "d-1",
  passesPauses: [3],
  targetVersion: undefined,
  requestedBy: "issuer|oncall",
  votes: vote("issuer|releaser"),
  expiresAt: new Date(now.getTime() + 60_000),
  ...change,
});
const glass = { ...operator, breakGlass: true };

type Case = {
  name: string;
  rights?: Rights;
  policies?: Policies;
  action?: typeof promote;
  also?: (typeof promote)[];
  attempt?: Partial<Attempt>;
  expected: string;
};

describe("decide", () => {
  it.each<Case>([
    { name: "an operator with a reason", expected: "allowed" },
    { name: "nobody", rights: rights(), expected: "not_found" },
    { name: "a viewer", rights: rights({ ...operator, role: "viewer" }), expected: "forbidden" },
    {
      name: "an operator without this action",
      rights: rights({ ...operator, actions: ["abort"] }),
      expected: "forbidden",
    },
    { name: "no reason", attempt: { reason: undefined }, expected: "reason_required" },
    { name: "a blank reason", attempt: { reason: " \n" }, expected: "reason_required" },
    { name: "a reason that nobody sees", attempt: { reason: "\u200b\u2060\u3164" }, expected: "reason_required" },
    {
      name: "no reason for an action that needs none",
      action: abort,
      attempt: { reason: undefined },
      expected: "allowed",
    },
    {
      name: "a rule that wants a reason even so",
      action: abort,
      policies: { ...none, reasons: [{ scope: everywhere, actions: ["abort"], required: true }] },
      attempt: { reason: undefined },
      expected: "reason_required",
    },
    {
      name: "a rule that wants no reason",
      policies: { ...none, reasons: [{ scope: everywhere, actions: ["*"], required: false }] },
      attempt: { reason: undefined },
      expected: "allowed",
    },
    {
      name: "of two rules the stricter",
      policies: {
        ...none,
        reasons: [
          { scope: everywhere, actions: ["*"], required: false },
          { scope: { ...everywhere, clusters: ["prod-*"] }, actions: ["promote-*"], required: true },
        ],
      },
      attempt: { reason: undefined },
      expected: "reason_required",
    },
    { name: "in a freeze", policies: frozen, expected: "frozen" },
    { name: "a protective action in a freeze", policies: frozen, action: abort, expected: "allowed" },
    {
      name: "in a freeze, glass without the right",
      policies: frozen,
      attempt: { breakGlass: true },
      expected: "frozen",
    },
    { name: "in a freeze, the right without asking", policies: frozen, rights: rights(glass), expected: "frozen" },
    {
      name: "in a freeze, glass broken",
      policies: frozen,
      rights: rights(glass),
      attempt: { breakGlass: true },
      expected: "allowed",
    },
    { name: "outside the release windows", policies: { ...none, freezes: [weekdays, fridays] }, expected: "frozen" },
    {
      name: "outside the release windows, glass broken",
      policies: { ...none, freezes: [weekdays] },
      rights: rights(glass),
      attempt: { breakGlass: true },
      expected: "allowed",
    },
    {
      name: "a protective action outside the release windows",
      policies: { ...none, freezes: [weekdays] },
      action: abort,
      expected: "allowed",
    },
    {
      name: "with unpause, outside its release window",
      also: [unpause],
      policies: { ...none, freezes: [{ ...weekdays, actions: ["unpause"] }] },
      expected: "frozen",
    },
    {
      name: "glass broken without a reason, though none is asked otherwise",
      policies: { ...frozen, reasons: [{ scope: everywhere, actions: ["*"], required: false }] },
      rights: rights(glass),
      attempt: { breakGlass: true, reason: "" },
      expected: "reason_required",
    },
    {
      name: "glass broken after a sign-in of long ago",
      policies: frozen,
      rights: rights(glass),
      attempt: { breakGlass: true, authenticatedAt: new Date(now.getTime() - 301_000) },
      expected: "reauthentication_required",
    },
    {
      name: "glass broken after a sign-in to come",
      policies: frozen,
      rights: rights(glass),
      attempt: { breakGlass: true, authenticatedAt: new Date(now.getTime() + 1000) },
      expected: "reauthentication_required",
    },
    {
      name: "glass broken in a session whose provider did not say when the person signed in",
      policies: frozen,
      rights: rights(glass),
      attempt: { breakGlass: true, authenticatedAt: "unknown" },
      expected: "reauthentication_required",
    },
    {
      name: "glass broken by a token",
      policies: frozen,
      rights: rights(glass),
      attempt: { breakGlass: true, authenticatedAt: null },
      expected: "frozen",
    },
    { name: "two people, no approval", policies: two, expected: "second_person_required" },
    { name: "two people, approved", policies: two, attempt: { approval: approval() }, expected: "allowed" },
    {
      name: "two people, pending",
      policies: two,
      attempt: { approval: approval({ votes: [] }) },
      expected: "second_person_required",
    },
    {
      name: "two people, approved by the same",
      policies: two,
      attempt: { approval: approval({ votes: vote("issuer|oncall") }) },
      expected: "second_person_required",
    },
    {
      name: "two people, requested by another",
      policies: two,
      attempt: { approval: approval({ requestedBy: "issuer|guest" }) },
      expected: "second_person_required",
    },
    {
      name: "two people, another action",
      policies: two,
      attempt: { approval: approval({ request: "abort" }) },
      expected: "second_person_required",
    },
    {
      name: "two people, another object",
      policies: two,
      attempt: { approval: approval({ uid: "u-2" }) },
      expected: "second_person_required",
    },
    {
      name: "two people, another view",
      policies: two,
      attempt: { approval: approval({ viewDigest: "d-2" }) },
      expected: "second_person_required",
    },
    {
      name: "two people, expired",
      policies: two,
      attempt: { approval: approval({ expiresAt: now }) },
      expected: "second_person_required",
    },
    { name: "two people, a protective action", policies: two, action: abort, expected: "allowed" },
    {
      name: "two people, another cluster",
      policies: two,
      attempt: { approval: approval({ target: { ...target, cluster: "staging" } }) },
      expected: "second_person_required",
    },
    {
      name: "two people, another record of it",
      policies: two,
      attempt: { approval: approval({ rolloutId: "r-2" }) },
      expected: "second_person_required",
    },
    {
      name: "two people, by somebody who may not any more",
      policies: two,
      attempt: { approval: approval({ votes: vote("issuer|releaser", false) }) },
      expected: "second_person_required",
    },
    {
      name: "two people, an approval that there is not",
      policies: two,
      attempt: { approval: "unknown" },
      expected: "second_person_required",
    },
    {
      name: "two people, a robot with an approval",
      policies: two,
      attempt: { isRobot: true, approval: approval() },
      expected: "second_person_required",
    },
    {
      name: "two people, a robot where the rule lets robots ask",
      policies: { ...two, secondPerson: two.secondPerson.map((rule) => ({ ...rule, robotsMayAsk: true })) },
      attempt: { isRobot: true, approval: approval() },
      expected: "allowed",
    },
    { name: "no rule, a robot", attempt: { isRobot: true }, expected: "allowed" },
    {
      name: "two people, approved, and it passes the pause that was named",
      policies: two,
      attempt: { passesPauses: [3], approval: approval() },
      expected: "allowed",
    },
    {
      name: "two people, approved, and it passes a pause that was not named",
      policies: two,
      attempt: { passesPauses: [3, 5], approval: approval() },
      expected: "second_person_required",
    },
    {
      name: "two people, approved for the version that waits",
      policies: two,
      attempt: { targetVersion: "u/4", approval: approval({ targetVersion: "u/4" }) },
      expected: "allowed",
    },
    ...["u/3", "v/4", undefined].map((targetVersion) => ({
      name: `two people, approved for version ${targetVersion}, not for the one that waits`,
      policies: two,
      attempt: { targetVersion: "u/4", approval: approval({ targetVersion }) },
      expected: "second_person_required" as const,
    })),
    { name: "no rule, an approval that fits", attempt: { approval: approval() }, expected: "allowed" },
    {
      name: "no rule, an approval that there is not",
      attempt: { approval: "unknown" },
      expected: "second_person_required",
    },
    ...(
      [
        { requestedBy: "issuer|guest" },
        { request: "restart" },
        { uid: "u-2" },
        { rolloutId: "r-2" },
        { target: { ...target, cluster: "staging" } },
        { target: { ...target, kind: "Canary" } },
        { viewDigest: "d-2" },
        { votes: [] },
        { votes: vote("issuer|oncall") },
        { votes: vote("issuer|releaser", false) },
        { expiresAt: now },
      ] satisfies Partial<Approval>[]
    ).map((change) => ({
      name: `no rule, an approval with another ${Object.keys(change).join()}`,
      attempt: { approval: approval(change) },
      expected: "second_person_required",
    })),
    {
      name: "with unpause, without the right to it",
      also: [unpause],
      rights: rights({ ...operator, actions: ["promote-full"] }),
      expected: "forbidden",
    },
    {
      name: "with unpause, in a freeze of it",
      also: [unpause],
      policies: onlyFor(frozen, ["unpause"]),
      expected: "frozen",
    },
    { name: "in a freeze of unpause alone", policies: onlyFor(frozen, ["unpause"]), expected: "allowed" },
    {
      name: "with unpause, two people for it",
      also: [unpause],
      policies: onlyFor(two, ["unpause"]),
      expected: "second_person_required",
    },
    {
      name: "with unpause, a reason for it",
      also: [unpause],
      policies: {
        ...none,
        reasons: [
          { scope: everywhere, actions: ["promote-full"], required: false },
          { scope: everywhere, actions: ["unpause"], required: true },
        ],
      },
      attempt: { reason: undefined },
      expected: "reason_required",
    },
  ])(
    "$name: $expected",
    ({ rights: given = rights(operator), policies = none, action = promote, also = [], attempt: change, expected }) => {
      const decision = decide({ rights: given, policies, action, also, target, now, attempt: attempt(change) });
      expect(decision.allowed ? "allowed" : decision.code).toBe(expected);
      if (!decision.allowed) expect(decision.reason).toMatch(/\.$/);
    },
  );

  it("says before the click what it will ask for", () => {
    const policies = { ...frozen, secondPerson: two.secondPerson };
    const decision = decide({ rights: rights(glass), policies, action: promote, target, now, attempt: attempt() });
    expect(decision.needs).toEqual({
      reason: true,
      secondPerson: { rule: "four eyes", expireMinutes: 60, because: 'Rule "four eyes" requires a second person.' },
      freeze: {
        ...{ name: "weekend", ids: [], until: "2026-11-23T08:00:00.000Z" },
        because: 'Frozen by "weekend" until 2026-11-23T08:00:00.000Z.',
      },
      blocks: [{ kind: "freeze", name: "weekend" }],
      breakGlass: true,
    });
  });
});
