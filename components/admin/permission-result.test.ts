import { expect, it } from "vitest";
import type { ActionPermission } from "#lib/contract/admin-access.ts";
import { groupPermissions } from "./permission-result.tsx";

const permission = (label: string, more: Partial<ActionPermission>): ActionPermission => ({
  ...{ action: "retry", label, protective: false, verdict: "yes", needsReason: true, reasonCode: null },
  ...{ because: [], notNow: null },
  ...more,
});

it("puts the same answer for the same reasons together, and what may be done first", () => {
  const lacks = [{ kind: "lacks", text: "a viewer only reads", path: "auth.roles[0]" }] as const;
  const groups = groupPermissions([
    permission("Roll back to a revision", { verdict: "no", because: [...lacks] }),
    permission("Retry", {}),
    // Whether a reason is needed does not matter for a forbidden action.
    permission("Abort", { verdict: "no", needsReason: false, because: [...lacks] }),
    permission("Pause", { needsReason: false }),
    permission("Restart", { notNow: "It is paused." }),
  ]);
  expect(
    groups.map(({ verdict, needsReason, actions }) => [verdict, needsReason, actions.map(({ label }) => label)]),
  ).toEqual([
    ["yes", true, ["Retry", "Restart"]],
    ["yes", false, ["Pause"]],
    ["no", true, ["Roll back to a revision", "Abort"]],
  ]);
  expect(groups[0]?.actions[1]).toEqual({ label: "Restart", notNow: "It is paused." });
});
