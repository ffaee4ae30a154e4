import { describe, expect, it } from "vitest";
import { type Brought, findObserved } from "./observe-policies.ts";
import { everywhere } from "./rights.ts";
import { advance, none, saturdays, target, two, weekdays, weekend } from "./testing/sample-rules.ts";

const nothing: Brought = { reason: undefined, approvals: [], breaksFreeze: false, isRobot: false };
const abort = { name: "abort", protective: true, reasonRequired: false };
const unpause = { name: "unpause", protective: false, reasonRequired: true };
/** A Saturday. */
const now = new Date("2026-11-21T10:00:00Z");

const reason = { scope: everywhere, actions: ["*"], required: true };
const change = { ...reason, ticket: { name: "change", pattern: "CHG\\d+", isChecked: true } };
const ofSre = { ...two, groups: ["sre"] };

type Case = Partial<Parameters<typeof findObserved>[0]> & { name: string; found: unknown[] };

const refuses = { list: "freezes", index: 0, would: "refuse" };
const cases: Case[] = [
  { name: "a freeze refuses", policies: { ...none, freezes: [weekend] }, found: [refuses] },
  {
    name: "a freeze lets pass who broke another one",
    policies: { ...none, freezes: [weekend] },
    brought: { ...nothing, breaksFreeze: true },
    found: [],
  },
  {
    name: "a freeze lets protective actions pass",
    policies: { ...none, freezes: [weekend] },
    action: abort,
    found: [],
  },
  {
    name: "a freeze of other actions refuses what the action also does",
    policies: { ...none, freezes: [{ ...weekend, actions: ["unpause"] }] },
    also: [unpause],
    found: [refuses],
  },
  {
    name: "a freeze elsewhere",
    policies: { ...none, freezes: [{ ...weekend, scope: { ...everywhere, namespaces: ["search"] } }] },
    found: [],
  },
  { name: "a freeze at another time", policies: { ...none, freezes: [weekend] }, now: new Date(0), found: [] },
  { name: "a closed release window refuses", policies: { ...none, freezes: [weekdays] }, found: [refuses] },
  { name: "of two observed windows one is open", policies: { ...none, freezes: [weekdays, saturdays] }, found: [] },
  {
    name: "a window in force is open",
    policies: { ...none, freezes: [weekdays] },
    inForce: [saturdays, weekend],
    found: [],
  },
  {
    name: "a window in force of the same name is the one that is tried",
    policies: { ...none, freezes: [{ ...weekdays, name: "saturdays" }] },
    inForce: [saturdays],
    found: [refuses],
  },
  {
    name: "two people",
    policies: { ...none, secondPerson: [{ ...two, actions: ["undo"] }, two] },
    found: [{ list: "secondPerson", index: 1, would: "require a second person" }],
  },
  {
    name: "two people, approved for another rule",
    policies: { ...none, secondPerson: [two] },
    brought: { ...nothing, approvals: [[]] },
    found: [],
  },
  {
    name: "two people, and a robot",
    policies: { ...none, secondPerson: [two, { ...two, robotsMayAsk: true }] },
    brought: { ...nothing, isRobot: true },
    found: [
      { list: "secondPerson", index: 0, would: "refuse" },
      { list: "secondPerson", index: 1, would: "require a second person" },
    ],
  },
  {
    name: "a reason, of a protective action too",
    policies: { ...none, reasons: [reason] },
    action: abort,
    found: [{ list: "reasons", index: 0, would: "require a reason" }],
  },
  {
    name: "a reason that was given",
    policies: { ...none, reasons: [reason] },
    brought: { ...nothing, reason: "fine" },
    found: [],
  },
  {
    name: "a ticket, without a reason",
    policies: { ...none, reasons: [change] },
    found: [{ list: "reasons", index: 0, would: "require a reason" }],
  },
  {
    name: "a ticket that the reason lacks",
    policies: { ...none, reasons: [change] },
    brought: { ...nothing, reason: "fine" },
    found: [{ list: "reasons", index: 0, would: "require a ticket" }],
  },
  {
    name: "a ticket that the reason has",
    policies: { ...none, reasons: [change] },
    brought: { ...nothing, reason: "CHG7: fine" },
    found: [],
  },
  {
    name: "a ticket, which a protective action does not need",
    policies: { ...none, reasons: [change] },
    action: abort,
    brought: { ...nothing, reason: "fine" },
    found: [],
  },
  {
    name: "three people of two groups, approved by two",
    policies: { ...none, secondPerson: [{ ...two, approvers: 3 }, ofSre, { ...ofSre, approvers: 2 }] },
    brought: { ...nothing, approvals: [["sre"], ["shop"]] },
    found: [
      { list: "secondPerson", index: 0, would: "require more approvals" },
      { list: "secondPerson", index: 2, would: "require more approvals" },
    ],
  },
  {
    name: "two people of a group, approved by two whose groups are unknown",
    policies: { ...none, secondPerson: [{ ...ofSre, approvers: 2 }] },
    brought: { ...nothing, approvals: [undefined, undefined] },
    found: [],
  },
  { name: "a reason that is waived", policies: { ...none, reasons: [{ ...reason, required: false }] }, found: [] },
  { name: "no rule", found: [] },
];

describe("findObserved", () => {
  it.each(cases)("$name", ({ name: _, found, ...asked }) => {
    const usual = { policies: none, inForce: [], action: advance, target, now, brought: nothing };
    expect(findObserved({ ...usual, ...asked })).toEqual(found);
  });
});
