import { describe, expect, it } from "vitest";
import {
  type ApproverRule,
  countApprovals,
  isShort,
  leaveOutImplied,
  nameApproval,
  nameApprovers,
  type Vote,
} from "./count-approvals.ts";

const rule = (change: Partial<ApproverRule> = {}): ApproverRule => ({
  name: "r",
  approvers: 1,
  groups: [],
  ...change,
});
const vote = (by: string, groups: string[] = [], mayAct = true): Vote => ({ by, groups, mayAct });

describe("countApprovals", () => {
  it.each<{ name: string; rules?: ApproverRule[]; votes: Vote[]; counted: string[][]; short: boolean[] }>([
    { name: "nobody", votes: [], counted: [[]], short: [true] },
    { name: "one of one", votes: [vote("a")], counted: [["a"]], short: [false] },
    { name: "not the requester", votes: [vote("requester")], counted: [[]], short: [true] },
    { name: "not who lost the right", votes: [vote("a", [], false)], counted: [[]], short: [true] },
    {
      name: "one person once",
      rules: [rule({ approvers: 2 })],
      votes: [vote("a"), vote("a", ["sre"])],
      counted: [["a"]],
      short: [true],
    },
    {
      name: "people of one of the groups",
      rules: [rule({ approvers: 2, groups: ["sre", "db"] })],
      votes: [vote("a", ["sre"]), vote("b", ["web"]), vote("c", ["web", "db"])],
      counted: [["a", "c"]],
      short: [false],
    },
    {
      name: "no group by a part of its name, or by another case",
      rules: [rule({ groups: ["sre"] })],
      votes: [vote("a", ["sre-guests", "SRE", ""])],
      counted: [[]],
      short: [true],
    },
    {
      name: "for each rule on its own",
      rules: [rule({ approvers: 2 }), rule({ groups: ["security"] })],
      votes: [vote("a"), vote("b")],
      counted: [["a", "b"], []],
      short: [false, true],
    },
    {
      name: "one person for two rules",
      rules: [rule({ groups: ["sre"] }), rule({ groups: ["security"] })],
      votes: [vote("a", ["sre", "security"])],
      counted: [["a"], ["a"]],
      short: [false, false],
    },
  ])("counts $name", ({ rules = [rule()], votes, counted, short }) => {
    const progress = countApprovals({ rules, votes, requestedBy: "requester" });
    expect(progress.map((one) => one.counted.map(({ by }) => by))).toEqual(counted);
    expect(progress.map(isShort)).toEqual(short);
  });
});

describe("leaveOutImplied", () => {
  const named = (name: string, approvers: number, ...groups: string[]) => rule({ name, approvers, groups });
  it.each<[string, ApproverRule[], string[]]>([
    ["the same rule twice", [named("a", 1), named("b", 1)], ["a"]],
    ["a weaker number", [named("a", 2), named("b", 1)], ["a"]],
    ["anyone, beside a group", [named("a", 2), named("b", 2, "sre")], ["b"]],
    ["more groups, beside fewer", [named("a", 1, "sre", "db"), named("b", 1, "db")], ["b"]],
    ["neither of two groups", [named("a", 1, "sre"), named("b", 1, "db")], ["a", "b"]],
    ["not a group that fewer must be in", [named("a", 2), named("b", 1, "sre")], ["a", "b"]],
  ])("leaves out %s", (_, rules, left) => {
    expect(leaveOutImplied(rules).map(({ name }) => name)).toEqual(left);
  });
});

it.each<[number, string[], string, string]>([
  [1, [], "a second person", "another person's approval"],
  [2, [], "2 other people", "approval by 2 other people"],
  [1, ["sre"], "a second person from sre", "approval by a second person from sre"],
  [3, ["sre", "db", "web"], "3 other people from sre, db or web", "approval by 3 other people from sre, db or web"],
])("names %i of %j", (approvers, groups, who, approval) => {
  expect(nameApprovers({ approvers, groups })).toBe(who);
  expect(nameApproval({ approvers, groups })).toBe(approval);
});
