import { describe, expect, it } from "vitest";
import type { Vote } from "./count-approvals.ts";
import { decide, findNeeds, type SecondPersonRule } from "./decide.ts";
import { everywhere } from "./rights.ts";

const now = new Date("2026-11-21T12:00:00Z");
const target = { cluster: "prod-eu", namespace: "payments", kind: "Rollout", name: "checkout" };
const promote = { name: "promote-full", protective: false, reasonRequired: true };
const unpause = { name: "unpause", protective: false, reasonRequired: true };
const operator = { role: "operator" as const, scope: everywhere, actions: ["*"], breakGlass: false };
const rule = (change: Partial<SecondPersonRule>): SecondPersonRule => ({
  ...{ name: "two", scope: everywhere, actions: ["promote-*"], includeProtective: false, robotsMayAsk: false },
  ...{ expireMinutes: 60, approvers: 1, groups: [] },
  ...change,
});
const question = (secondPerson: SecondPersonRule[], also: (typeof promote)[] = []) => ({
  rights: { grants: [operator], cap: "admin" as const },
  policies: { reasons: [], freezes: [], secondPerson },
  ...{ action: promote, also, target, now },
});
const vote = (by: string, ...groups: string[]): Vote => ({ by, groups, mayAct: true });

function decided(votes: Vote[], ...[rules, also]: Parameters<typeof question>): string {
  const bound = { request: "promote-full", rolloutId: "r", uid: "u", viewDigest: "d", targetVersion: undefined };
  const decision = decide({
    ...question(rules, also),
    attempt: {
      ...{ ...bound, actorKey: "oncall", isRobot: false, reason: "ready", breakGlass: false, authenticatedAt: now },
      passesPauses: [],
      approval: {
        ...{ ...bound, target, passesPauses: [], requestedBy: "oncall", votes },
        expiresAt: new Date(now.getTime() + 1),
      },
    },
  });
  return decision.allowed ? "allowed" : decision.reason;
}

describe("several approvers", () => {
  const two = [rule({ approvers: 2 })];
  const groups = [rule({ groups: ["sre"] }), rule({ name: "three", approvers: 3, groups: ["sre", "db"] })];
  it.each<[string, Vote[], Parameters<typeof question>, string]>([
    ["one of two", [vote("a")], [two], 'Rule "two" requires 2 other people. 1 of 2 approved.'],
    ["two of two", [vote("a"), vote("b")], [two], "allowed"],
    [
      "one and the requester",
      [vote("a"), vote("oncall")],
      [two],
      'Rule "two" requires 2 other people. 1 of 2 approved.',
    ],
    [
      "one who lost the right",
      [vote("a"), { ...vote("b"), mayAct: false }],
      [two],
      "An approver has since lost the right to approve. 1 of 2 approved.",
    ],
    [
      "the strictest rule",
      [vote("a", "sre"), vote("b", "db")],
      [groups],
      'Rule "three" requires 3 other people from sre or db. 2 of 3 approved.',
    ],
    [
      "three, none of them of the other rule's group",
      [vote("a", "db"), vote("b", "db"), vote("c", "db")],
      [groups],
      'Rule "two" requires a second person from sre. 0 of 1 approved.',
    ],
    ["enough for both rules", [vote("a", "db"), vote("b", "db"), vote("c", "sre")], [groups], "allowed"],
    [
      "a rule of what it also does",
      [vote("a")],
      [[rule({}), rule({ name: "unpause", actions: ["unpause"], approvers: 2 })], [unpause]],
      'Rule "unpause" requires 2 other people. 1 of 2 approved.',
    ],
    ["a rule of something else", [vote("a")], [[rule({}), rule({ actions: ["unpause"], approvers: 2 })]], "allowed"],
    ["no rule any more", [vote("a")], [[]], "allowed"],
  ])("%s", (_, votes, asked, expected) => {
    expect(decided(votes, ...asked)).toBe(expected);
  });

  it("are named before the click: the strictest rule, the shortest time, and each rule that adds something", () => {
    const rules = [
      rule({ name: "anyone", expireMinutes: 15 }),
      rule({ name: "sre", groups: ["sre"] }),
      rule({ name: "many", approvers: 3 }),
    ];
    expect(findNeeds(question(rules)).secondPerson).toEqual({
      rule: "many",
      expireMinutes: 15,
      because: 'Rule "many" requires 3 other people. Rule "sre" requires a second person from sre.',
    });
  });
});
