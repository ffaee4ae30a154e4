import { expect, it } from "vitest";
import { groupRefusals } from "#components/actions/action-menu.tsx";
import type { AllowedAction } from "#lib/contract/rollout.ts";

function refuse(action: AllowedAction["action"], reason?: string): AllowedAction {
  return { action, allowed: false, reason } as AllowedAction;
}

it("says a shared reason once, in the order of the actions", () => {
  const actions = [
    refuse("promote-full", "Frozen."),
    refuse("skip-step", "Not aborted."),
    refuse("restart", "Frozen."),
    refuse("undo"),
  ];
  const groups = groupRefusals(actions).map(({ reason, actions: refused }) => [
    reason,
    refused.map((each) => each.action),
  ]);
  expect(groups).toEqual([
    ["Frozen.", ["promote-full", "restart"]],
    ["Not aborted.", ["skip-step"]],
    ["Not possible now.", ["undo"]],
  ]);
});
