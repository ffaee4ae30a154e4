import { describe, expect, it } from "vitest";
import type { Approval } from "#lib/contract/approval.ts";
import { countOfApprovals, describeProgress, needsOneMore } from "./describe-approval.ts";

type Rule = Approval["rules"][number];
const rule = (change: Partial<Rule> = {}): Rule => ({
  name: "four eyes",
  approvers: 1,
  groups: [],
  approved: 0,
  ...change,
});
const by = (name: string, change: Partial<Approval["approvals"][number]> = {}) => ({
  ...{ name, username: name, at: "2026-11-20T10:00:00.000Z", reason: null, counts: true },
  ...change,
});

describe("describeProgress", () => {
  it.each<[string, Rule[], Approval["approvals"], string]>([
    ["nothing of a closed request", [], [by("oncall")], ""],
    ["nothing if anyone is enough", [rule()], [], ""],
    ["one of one group", [rule({ groups: ["sre"] })], [], "0 of 1 approved. Can still approve: sre."],
    [
      "the first of two",
      [rule({ approvers: 2, groups: ["sre", "db"], approved: 1 })],
      [by("Operator", { username: "operator" })],
      "1 of 2 approved: Operator (operator). Can still approve: sre or db.",
    ],
    [
      "both of two",
      [rule({ approvers: 2, groups: ["sre"], approved: 2 })],
      [by("operator"), by("admin")],
      "2 of 2 approved: operator and admin.",
    ],
    [
      "several rules",
      [rule({ approvers: 2, approved: 1 }), rule({ name: "security", groups: ["sec"] })],
      [by("operator")],
      'Rule "four eyes": 1 of 2 approved. Rule "security": 0 of 1 approved. Approved by operator. Can still approve: sec.',
    ],
    ["who lost the right", [rule()], [by("operator", { counts: false })], "No longer counts: operator."],
  ])("says %s", (_, rules, approvals, says) => {
    expect(describeProgress({ rules, approvals })).toBe(says);
  });
});

it("counts by rule, and knows the last approval", () => {
  const two = rule({ approvers: 2, approved: 1 });
  expect(countOfApprovals({ rules: [two, rule()] })).toBe("1 of 2, 0 of 1");
  expect(needsOneMore({ rules: [two] })).toBe(true);
  expect(needsOneMore({ rules: [rule({ approvers: 2 })] })).toBe(false);
  expect(needsOneMore({ rules: [two, rule()] })).toBe(false);
});
