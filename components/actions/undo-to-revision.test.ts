import { describe, expect, it } from "vitest";
import { isAbortTarget, offerRevision } from "#components/actions/undo-to-revision.tsx";
import type { AllowedAction } from "#lib/contract/rollout.ts";

const revisions = [
  { revision: 3, podHash: "c", images: ["shop:v3"], current: true, stable: false },
  { revision: 2, podHash: "b", images: ["shop:v2"], current: false, stable: true },
];
const undo = { action: "undo", label: "Roll back to a revision", allowed: true, revisions } as unknown as AllowedAction;

describe("offerRevision", () => {
  it("offers a revision that the cluster still has", () => {
    expect(offerRevision(undo, 2)).toMatchObject({ allowed: true, label: "Roll back to v2" });
  });

  it("does not offer the one that is wanted now", () => {
    expect(offerRevision(undo, 3)).toBeUndefined();
  });

  it("says that the cluster has lost one", () => {
    expect(offerRevision(undo, 1)).toMatchObject({
      ...{ allowed: false, label: "Roll back to revision 1", reason: expect.stringContaining("revision 1") },
    });
  });

  it("keeps the reason why nothing can be undone", () => {
    const refused = { ...undo, allowed: false, reason: "A freeze is in force." };
    for (const revision of [1, 2])
      expect(offerRevision(refused, revision)).toMatchObject({ allowed: false, reason: "A freeze is in force." });
  });
});

describe("a list of releases", () => {
  const abort = { action: "abort", label: "Abort", allowed: true } as unknown as AllowedAction;

  it.each([
    { revision: 2, allowed: true, isTarget: true },
    { revision: 2, allowed: false, isTarget: false },
    { revision: 3, allowed: true, isTarget: false },
  ])(
    "leaves the stable revision to an abort that is possible: $revision, $allowed",
    ({ revision, allowed, isTarget }) => {
      expect(isAbortTarget({ allowedActions: [undo, { ...abort, allowed }] }, revision)).toBe(isTarget);
    },
  );
});
