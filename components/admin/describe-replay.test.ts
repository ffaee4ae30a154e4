import { expect, it } from "vitest";
import { formatExact } from "#components/ui/format-time.ts";
import type { ReplayedRule } from "#lib/contract/policy-replay.ts";
import { describeCheck, describeReplayedRule } from "./describe-replay.ts";

type Case = Pick<ReplayedRule, "kind" | "byAction" | "waitMinutes"> & { says: string };
const refused = [
  { action: "promote-full", would: "refuse", count: 3, of: 40 },
  { action: "launch", would: "refuse", count: 1, of: 1 },
] as const;

it.each<Case>([
  { kind: "freeze", byAction: [], waitMinutes: null, says: "Would have changed nothing: 0 of 1,212 actions." },
  {
    kind: "freeze",
    byAction: [...refused],
    waitMinutes: { median: 22.5, of: 4 },
    says: "Would have refused 4 of 1,212 actions: promote fully (3 of 40) and launch (1 of 1). They would have waited 22 min (median).",
  },
  {
    kind: "freeze",
    byAction: [...refused],
    waitMinutes: { median: 90, of: 3 },
    says: "Would have refused 4 of 1,212 actions: promote fully (3 of 40) and launch (1 of 1). They would have waited 1 h 30 min (median, of the 3 whose end is known).",
  },
  {
    kind: "freeze",
    byAction: refused.slice(1),
    waitMinutes: null,
    says: "Would have refused 1 of 1,212 actions: launch (1 of 1). How long they would have waited is unknown.",
  },
  {
    kind: "second-person",
    byAction: [
      { action: "abort", would: "require a second person", count: 2, of: 9 },
      { action: "abort", would: "refuse", count: 1, of: 9 },
    ],
    waitMinutes: null,
    says: "Would have required a second person for 2 of 1,212 actions: abort (2 of 9). Would have refused 1 of 1,212 actions: abort (1 of 9).",
  },
  {
    kind: "reason",
    byAction: [{ action: "abort", would: "require a reason", count: 9, of: 9 }],
    waitMinutes: null,
    says: "Would have required a reason for 9 of 1,212 actions: abort (9 of 9).",
  },
])("$says", ({ says, ...rule }) => {
  expect(describeReplayedRule(rule, 1212)).toBe(says);
});

const knownSince = "2026-11-20T10:00:00.000Z";

it.each([
  { check: { refusals: 0, reproduced: 0, unknown: 0, knownSince }, says: undefined },
  {
    check: { refusals: 1, reproduced: 1, unknown: 0, knownSince },
    says: "The policies in force at the time reproduce the recorded refusal.",
  },
  {
    check: { refusals: 12, reproduced: 11, unknown: 1, knownSince },
    says: `The policies in force at the time reproduce 11 of 12 recorded refusals. 1 refusal cannot be checked: the policies before ${formatExact(knownSince)} are unknown.`,
  },
  {
    check: { refusals: 0, reproduced: 0, unknown: 3, knownSince: null },
    says: "3 refusals cannot be checked: the policies are unknown.",
  },
])("says of a check: $says", ({ check, says }) => {
  expect(describeCheck({ ...check, others: [] })).toBe(says);
});
