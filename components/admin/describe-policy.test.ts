import { describe, expect, it } from "vitest";
import type { AdminPolicy } from "#lib/contract/admin.ts";
import {
  describeActions,
  describeCounts,
  describePolicy,
  protectiveNote,
  quotePolicyTimes,
} from "./describe-policy.ts";

const everywhere = { clusters: ["*"], namespaces: ["*"], rollouts: ["*"] };
const policyOf = (more: Partial<AdminPolicy>): AdminPolicy => ({
  ...{
    path: "p",
    mode: "enforce",
    scope: everywhere,
    actions: ["*"],
    kind: "reason",
    name: null,
    required: null,
    ticket: null,
  },
  ...{
    includeProtective: null,
    outside: null,
    robotsMayAsk: null,
    expireMinutes: null,
    approvers: null,
    approverGroups: null,
    start: null,
    timeZone: null,
    duration: null,
  },
  counts: null,
  ...more,
});
const counts = { refused: 0, broken: null, requested: null, approved: null, observed: 0 };

describe("describePolicy", () => {
  it.each<{ name: string; policy: Partial<AdminPolicy>; says: string }>([
    {
      name: "a reason",
      policy: { required: true, actions: ["abort"], scope: { ...everywhere, namespaces: ["payments"] } },
      says: 'Requires a reason for "Abort" in payments/* of every cluster.',
    },
    {
      name: "a ticket",
      policy: { required: true, actions: ["continue"], ticket: { name: "change", pattern: "CHG\\d+", checked: false } },
      says: 'Requires a reason for "Continue" everywhere. The reason must name a ticket such as CHG1234 (change: CHG\\d+), unless the action is protective.',
    },
    {
      name: "a ticket that is checked",
      policy: { required: true, ticket: { name: "change", pattern: "CHG\\d+", checked: true } },
      says: "Requires a reason for every action everywhere. The reason must name a ticket such as CHG1234 (change: CHG\\d+), which another system checks at the click, unless the action is protective.",
    },
    { name: "no reason", policy: { required: false }, says: "Requires no reason for every action everywhere." },
    {
      name: "a freeze",
      policy: { kind: "freeze", includeProtective: false, start: "0 18 * * 5", timeZone: "UTC", duration: "62h" },
      says: "Freezes promotions and other advancing actions everywhere, every Friday at 18:00 UTC for 62 h.",
    },
    {
      name: "a freeze of some",
      policy: {
        kind: "freeze",
        includeProtective: true,
        actions: ["skip-*", "abort"],
        start: "0 18 * * 5",
        timeZone: "UTC",
        duration: "2h",
      },
      says: 'Freezes "Skip this step", "Skip all steps", "Abort" and "Skip the analysis" everywhere, every Friday at 18:00 UTC for 2 h.',
    },
    {
      name: "a release window",
      policy: {
        ...{ kind: "freeze", outside: true, includeProtective: false },
        ...{ start: "0 9 * * 1-4", timeZone: "Europe/Berlin", duration: "7h" },
      },
      says: "Freezes promotions and other advancing actions everywhere unless a release window for them is open. This one is open every Monday to Thursday at 09:00 Europe/Berlin for 7 h.",
    },
    {
      name: "two people",
      policy: {
        kind: "second-person",
        includeProtective: false,
        robotsMayAsk: false,
        expireMinutes: 90,
        actions: ["promote-full"],
      },
      says: 'Requires another person\'s approval for "Promote fully" everywhere. Anyone else with the right to the action may approve. It is valid for 1 h 30 min. Robots may not request it.',
    },
    {
      name: "three people",
      policy: {
        ...{
          kind: "second-person",
          includeProtective: false,
          robotsMayAsk: false,
          expireMinutes: 60,
          actions: ["undo"],
        },
        ...{ approvers: 2, approverGroups: ["sre", "db"] },
      },
      says: 'Requires approval by 2 other people from sre or db for "Roll back to a revision" everywhere. Approvers also need the right to the action. It is valid for 1 h. Robots may not request it.',
    },
  ])("$name", ({ policy, says }) => {
    expect(describePolicy(policyOf(policy))).toBe(says);
  });
});

describe("describeActions", () => {
  it.each([
    { actions: ["*"], includeProtective: true, says: "every action" },
    {
      actions: ["skip-*", "abort"],
      includeProtective: false,
      says: '"Skip this step", "Skip all steps" and "Skip the analysis"',
    },
    { actions: ["abort"], includeProtective: false, says: "no action (abort)" },
    { actions: ["sikp-*"], includeProtective: true, says: "no action (sikp-*)" },
  ])("names $actions", ({ says, ...rule }) => {
    expect(describeActions(rule)).toBe(says);
  });

  it("says which actions are protective", () => {
    expect(protectiveNote).toBe(
      "Protective actions (pause, abort, hold, suspend and roll back) pass freezes and need no approval, unless a policy includes them.",
    );
  });
});

it("quotes the config for the times of a freeze", () => {
  const policy = policyOf({ kind: "freeze", start: "0 18 * * 5", timeZone: "UTC", duration: "62h" });
  expect(quotePolicyTimes(policy)).toBe("start: 0 18 * * 5, timeZone: UTC, duration: 62h");
  expect(quotePolicyTimes(policyOf({}))).toBeUndefined();
});

describe("describeCounts", () => {
  it("says zero as never, and nothing if it is unknown", () => {
    expect(describeCounts(policyOf({}))).toBeUndefined();
    expect(describeCounts(policyOf({ kind: "freeze", counts: { ...counts, broken: 1 } }))).toBe(
      "no refusals, 1 break-glass action",
    );
    expect(
      describeCounts(policyOf({ kind: "second-person", counts: { ...counts, refused: 3, requested: 2, approved: 0 } })),
    ).toBe("3 refusals, 2 approvals requested, none given");
  });

  it.each([
    ["freeze", 2, "would have refused 2 actions"],
    ["second-person", 1, "would have required a second person for 1 action"],
    ["reason", 0, "would have required a reason for no actions"],
  ] as const)("says of an observed %s what it would have decided %d times", (kind, observed, says) => {
    const policy = policyOf({ kind, mode: "observe", counts: { ...counts, refused: 7, observed } });
    expect(describeCounts(policy)).toBe(says);
  });
});
