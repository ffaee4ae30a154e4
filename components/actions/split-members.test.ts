import { describe, expect, it } from "vitest";
import { splitMembers } from "#components/actions/split-members.ts";
import type { PlannedMember } from "#lib/contract/action-group.ts";

const place = { cluster: "prod", namespace: "shop", kind: "Rollout", name: "web" } as const;
const seen = { ...place, id: "prod/shop/Rollout/web", viewDigest: "d1" };
const needs = { reason: true, secondPerson: null, freeze: null, breakGlass: false };
const plan = { action: "continue", label: "Continue", protective: false, allowed: true, needs } as const;
const member: PlannedMember = {
  rollout: { ...place, id: seen.id },
  viewDigest: "d1",
  uid: "u",
  revisionKey: "k",
  sentence: null,
  evidence: null,
  allowed: ["continue"],
  plan,
};

describe("splitMembers", () => {
  it("takes one that is as it was chosen", () => {
    expect(splitMembers([seen], [member])).toEqual({ ready: [member], moved: [], blocked: [] });
  });

  it("sets one apart that has moved on", () => {
    const moved = { ...member, viewDigest: "d2" };
    expect(splitMembers([seen], [moved])).toEqual({ ready: [], moved: [moved], blocked: [] });
  });

  it("takes one that has moved on for a protective action", () => {
    const moved = { ...member, viewDigest: "d2", plan: { ...plan, action: "abort", protective: true } } as const;
    expect(splitMembers([seen], [moved])).toEqual({ ready: [moved], moved: [], blocked: [] });
  });

  const frozen = { name: "f", until: "2026-01-01T00:00:00Z", because: 'Frozen by "f" until 2026-01-01T00:00:00Z.' };
  it.each([
    ["has no such action", { ...member, plan: null }],
    ["It waits", { ...member, plan: { ...plan, allowed: false, reason: "It waits for nothing." } }],
    ["Frozen", { ...member, plan: { ...plan, needs: { ...needs, freeze: frozen } } }],
    ["own page", { ...member, plan: { ...plan, needs: { ...needs, barrier: { set: "web", because: "Waits." } } } }],
    [
      "Approval is requested",
      {
        ...member,
        plan: { ...plan, needs: { ...needs, secondPerson: { rule: "r", expireMinutes: 60, because: "Two." } } },
      },
    ],
    ["not recorded", undefined],
  ])("leaves one out with its reason: %s", (why, planned) => {
    const { ready, moved, blocked } = splitMembers([seen], planned === undefined ? [] : [planned]);
    expect([ready, moved]).toEqual([[], []]);
    expect(blocked).toEqual([{ rollout: seen, why: expect.stringContaining(why) }]);
  });
});
