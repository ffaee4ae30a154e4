import { describe, expect, it } from "vitest";
import type { Policies } from "#lib/domain/policy/decide.ts";
import { findPolicies } from "#lib/domain/policy/find-policies.ts";
import { everywhere, type Grant } from "#lib/domain/policy/rights.ts";
import { assessPermission } from "./assess-permission.ts";
import { type ActionGate, policyActionsOf } from "./judge-actions.ts";

const now = new Date("2026-11-21T12:00:00Z");
const rule = { scope: everywhere, actions: ["*"] };
const freeze = {
  ...rule,
  name: "weekend",
  start: "0 0 * * *",
  timeZone: "UTC",
  durationMinutes: 24 * 60,
  includeProtective: false,
};
const twoPeople = {
  ...{ ...rule, name: "four eyes", includeProtective: false, robotsMayAsk: false, expireMinutes: 60 },
  ...{ approvers: 1, groups: [] },
};
const severalGroups = [
  { ...twoPeople, approvers: 3, groups: ["sre"] },
  { ...twoPeople, approvers: 2, groups: ["db"] },
];
const operator: Grant = { role: "operator", scope: everywhere, actions: ["*"], breakGlass: false };

function gateOf({
  grant = operator,
  policies = {},
  ...more
}: { grant?: Grant; policies?: Partial<Policies> } & Partial<ActionGate> = {}): ActionGate {
  const target = { cluster: "prod", namespace: "payments", kind: "Rollout", name: "checkout" };
  return {
    permit: {
      rights: { grants: [grant], cap: "admin" },
      policies: { reasons: [], freezes: [], secondPerson: [], ...policies },
      target,
      now,
    },
    access: "act",
    source: { fresh: true },
    ...more,
  };
}

type Case = {
  name: string;
  gate: ActionGate;
  action?: "continue" | "abort" | "approve" | "hold" | "rollback";
  isRobot?: boolean;
  canSignIn?: boolean;
  verdict: string;
  code?: string;
};
const mayBreak = { ...operator, breakGlass: true };
const both = { freezes: [freeze], secondPerson: [twoPeople] };
/** Open for a minute each leap year. */
const closed = { ...freeze, name: "leap", start: "0 0 29 2 *", durationMinutes: 1, outside: true };
const outside = gateOf({ policies: { freezes: [closed] } });
const member = {
  ...{ place: { cluster: "prod", namespace: "payments", kind: "Rollout", name: "checkout" }, isKnown: true },
  ...{ wanted: ["app:2"], serving: ["app:1"], isFinished: false, isAborted: false },
  pauses: { steps: [1], reached: 1, passed: 0, isTimed: false },
};
const others = [{ ...member, place: { ...member.place, cluster: "lab" }, isAborted: true }];
const barrier = { own: member, viewDigest: "d", sets: [{ name: "checkout", others }] };
const cases: Case[] = [
  { name: "nothing is asked for", gate: gateOf(), verdict: "yes" },
  { name: "a viewer", gate: gateOf({ grant: { ...operator, role: "viewer" } }), verdict: "no", code: "forbidden" },
  { name: "a cluster that is only read", gate: gateOf({ access: "read" }), verdict: "no", code: "read_only" },
  { name: "a stale source", gate: gateOf({ source: { fresh: false } }), verdict: "no", code: "source_stale" },
  { name: "a stale source, to abort", gate: gateOf({ source: { fresh: false } }), action: "abort", verdict: "yes" },
  {
    name: "a ticket in the reason",
    gate: gateOf({
      policies: { reasons: [{ ...rule, required: true, ticket: { name: "t", pattern: "CHG\\d+", isChecked: true } }] },
    }),
    verdict: "yes",
  },
  { name: "a rule of two people", gate: gateOf({ policies: { secondPerson: [twoPeople] } }), verdict: "approval" },
  { name: "rules of several groups", gate: gateOf({ policies: { secondPerson: severalGroups } }), verdict: "approval" },
  {
    name: "a rule of two people, to abort",
    gate: gateOf({ policies: { secondPerson: [twoPeople] } }),
    action: "abort",
    verdict: "yes",
  },
  {
    name: "a rule of two people, a robot",
    gate: gateOf({ policies: { secondPerson: [twoPeople] } }),
    isRobot: true,
    verdict: "no",
    code: "second_person_required",
  },
  {
    name: "a rule of two people that lets robots ask",
    gate: gateOf({ policies: { secondPerson: [{ ...twoPeople, robotsMayAsk: true }] } }),
    isRobot: true,
    verdict: "approval",
  },
  { name: "a freeze", gate: gateOf({ policies: { freezes: [freeze] } }), verdict: "no", code: "frozen" },
  {
    name: "a freeze, with break-glass",
    gate: gateOf({ grant: mayBreak, policies: { freezes: [freeze] } }),
    verdict: "break-glass",
  },
  {
    name: "a freeze, with break-glass, a token",
    gate: gateOf({ grant: mayBreak, policies: { freezes: [freeze] } }),
    canSignIn: false,
    verdict: "no",
    code: "frozen",
  },
  {
    name: "a freeze and two people, with break-glass",
    gate: gateOf({ grant: mayBreak, policies: both }),
    verdict: "break-glass-and-approval",
  },
  { name: "a set that waits", gate: gateOf({ barrier }), verdict: "no", code: "barrier" },
  { name: "a set that waits, to abort", gate: gateOf({ barrier }), action: "abort", verdict: "yes" },
  {
    name: "a set that waits, and a stale source",
    gate: gateOf({ barrier, source: { fresh: false } }),
    verdict: "no",
    code: "source_stale",
  },
  { name: "a set that waits, with break-glass", gate: gateOf({ grant: mayBreak, barrier }), verdict: "break-glass" },
  { name: "a closed release window", gate: outside, verdict: "no", code: "frozen" },
  { name: "a closed release window, to open a gate", gate: outside, action: "approve", verdict: "no", code: "frozen" },
  { name: "a closed release window, to hold a gate", gate: outside, action: "hold", verdict: "yes" },
  { name: "a closed release window, to roll back at a gate", gate: outside, action: "rollback", verdict: "yes" },
  {
    name: "a closed release window, with break-glass",
    gate: gateOf({ grant: mayBreak, policies: { freezes: [closed] } }),
    action: "approve",
    verdict: "break-glass",
  },
];

describe("assessPermission", () => {
  it.each(cases)("$name: $verdict", ({ gate, action = "continue", isRobot = false, canSignIn = true, ...expected }) => {
    const { verdict, refused } = assessPermission({ action, gate, isRobot, canSignIn });
    expect(verdict).toBe(expected.verdict);
    expect(refused?.reasonCode).toBe(expected.code);
  });
});

describe("findPolicies", () => {
  const find = (policies: Partial<Policies>, action: "continue" | "abort" = "continue") =>
    findPolicies({ ...gateOf({ policies }).permit, ...policyActionsOf({ action, also: [] }) });

  it("names the rules that ask, by their place in the config", () => {
    const elsewhere = { ...twoPeople, scope: { ...everywhere, namespaces: ["shop"] } };
    const reasons = [
      { ...rule, actions: ["abort"], required: true },
      { ...rule, required: false },
    ];
    const policies = {
      reasons,
      freezes: [{ ...freeze, actions: ["undo"] }, freeze],
      secondPerson: [elsewhere, twoPeople],
    };
    expect(find(policies)).toEqual({ reasons: [], freezes: [1], secondPerson: [1] });
    expect(find(policies, "abort")).toEqual({ reasons: [0], freezes: [], secondPerson: [] });
  });

  it("names the release windows only while none of them is open", () => {
    const elsewhere = { ...closed, name: "elsewhere", scope: { ...everywhere, namespaces: ["shop"] } };
    expect(find({ freezes: [elsewhere, closed, { ...closed, name: "too" }] }).freezes).toEqual([1, 2]);
    const open = { ...freeze, name: "open", outside: true };
    expect(find({ freezes: [elsewhere, closed, open] }).freezes).toEqual([]);
  });
});
