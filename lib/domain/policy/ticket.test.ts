import { describe, expect, it } from "vitest";
import { type Attempt, decide, findNeeds, type Policies } from "./decide.ts";
import { findPolicies } from "./find-policies.ts";
import { everywhere, type Rights } from "./rights.ts";

const now = new Date("2026-11-21T12:00:00Z");
const target = { cluster: "prod-eu", namespace: "payments", kind: "Rollout", name: "checkout" };
const rights: Rights = {
  grants: [{ role: "operator", scope: everywhere, actions: ["*"], breakGlass: false }],
  cap: "admin",
};
const promote = { name: "promote-full", protective: false, reasonRequired: true };
const unpause = { name: "unpause", protective: false, reasonRequired: true };
const abort = { name: "abort", protective: true, reasonRequired: false };
const change = { name: "change", pattern: "CHG\\d+", isChecked: true };
const incident = { name: "incident", pattern: "INC-\\d+", isChecked: false };
const rule = { scope: everywhere, actions: ["*"], required: true };

function policiesOf(...reasons: Policies["reasons"]): Policies {
  return { reasons, freezes: [], secondPerson: [] };
}

function decideOn(reason: string | undefined, policies: Policies, action = promote, also = [] as (typeof promote)[]) {
  const attempt: Attempt = {
    ...{ actorKey: "issuer|oncall", isRobot: false, request: "r", rolloutId: "r-1", uid: "u", viewDigest: "d" },
    ...{ reason, breakGlass: false, authenticatedAt: now, passesPauses: [], targetVersion: undefined },
    approval: undefined,
  };
  return decide({ rights, policies, action, also, target, now, attempt });
}

describe("a rule with a ticket", () => {
  const one = policiesOf({ ...rule, ticket: change });

  it.each<[reason: string | undefined, answer: string]>([
    ["CHG1234: metrics are fine", "allowed"],
    [undefined, "This action needs a reason."],
    ["metrics are fine", 'The reason must name a ticket such as CHG1234 (rule "change").'],
    ["CHG", 'The reason must name a ticket such as CHG1234 (rule "change").'],
  ])("decides about the reason %s", (reason, answer) => {
    const decision = decideOn(reason, one);
    expect(decision.allowed ? "allowed" : decision.reason).toBe(answer);
    if (!decision.allowed) expect(decision.code).toBe("reason_required");
  });

  it("needs the tickets of all rules that apply, and says which one is missing", () => {
    const two = policiesOf({ ...rule, ticket: change }, { ...rule, ticket: incident });
    expect(decideOn("CHG1", two)).toMatchObject({ allowed: false, reason: expect.stringContaining("INC-1234") });
    expect(decideOn("CHG1 for INC-7", two)).toMatchObject({ allowed: true });
  });

  it("applies only in its scope, to its actions, and to those that the plan adds", () => {
    expect(
      decideOn("fine", policiesOf({ ...rule, scope: { ...everywhere, clusters: ["staging"] }, ticket: change })),
    ).toMatchObject({ allowed: true });
    const onUnpause = policiesOf({ ...rule, actions: ["unpause"], ticket: change });
    expect(decideOn("fine", onUnpause)).toMatchObject({ allowed: true });
    expect(decideOn("fine", onUnpause, promote, [unpause])).toMatchObject({ allowed: false, code: "reason_required" });
  });

  it("never holds up a protective action, whatever else that does", () => {
    expect(decideOn("now", one, abort)).toMatchObject({ allowed: true });
    expect(decideOn("now", one, abort, [unpause])).toMatchObject({ allowed: true });
    expect(findNeeds({ rights, policies: one, action: abort, target, now })).not.toHaveProperty("tickets");
  });

  it("is shown before the click", () => {
    const question = { rights, policies: one, action: promote, target, now };
    expect(findNeeds(question).tickets).toEqual([{ rule: "change", pattern: "CHG\\d+", checked: true }]);
    expect(findNeeds({ ...question, policies: policiesOf(rule) })).not.toHaveProperty("tickets");
    expect(findPolicies(question).reasons).toEqual([0]);
  });
});
