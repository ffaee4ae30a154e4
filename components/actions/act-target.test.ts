import { describe, expect, it } from "vitest";
import { arrangeActions, blockAdvancing, explainHold } from "#components/actions/act-target.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";

const action: AllowedAction = {
  action: "continue",
  label: "Continue",
  protective: false,
  allowed: true,
  needs: { reason: false, secondPerson: null, freeze: null, breakGlass: false },
};

it("turns off what advances, leaves what protects and what is off already with its own reason", () => {
  expect(blockAdvancing(action)).toMatchObject({ allowed: false, reasonCode: "source_stale" });
  const abort: AllowedAction = { ...action, action: "abort", protective: true };
  expect(blockAdvancing(abort)).toBe(abort);
  const off: AllowedAction = { ...action, allowed: false, reason: "It is not paused." };
  expect(blockAdvancing(off)).toBe(off);
  const stale: AllowedAction = { ...off, reasonCode: "source_stale", reason: "No updates of Rollouts." };
  expect(blockAdvancing(stale).reason).toMatch(/not responding/);
});

it("explains a freeze or a set that holds a rollout, also to those who may override it, and nothing else", () => {
  const freeze = { name: "weekend", until: "2026-11-23T07:00:00.000Z", because: "Frozen." };
  const barrier = { set: "shop", because: "Not at pause 1 yet." };
  const off: AllowedAction = { ...action, allowed: false, reason: "It is not paused." };
  expect(explainHold([action, off])).toBeUndefined();
  expect(explainHold([off, { ...off, reasonCode: "frozen", reason: "Frozen." }])).toBe("Frozen.");
  expect(explainHold([{ ...off, reasonCode: "barrier", reason: "Not yet." }])).toBe("Not yet.");
  expect(explainHold([{ ...action, needs: { ...action.needs, freeze } }])).toBe("Frozen.");
  expect(explainHold([{ ...action, needs: { ...action.needs, freeze, barrier } }])).toBe("Not at pause 1 yet.");
});

describe("arrangeActions", () => {
  const planned = (name: AllowedAction["action"], change: Partial<AllowedAction> = {}): AllowedAction => ({
    ...action,
    action: name,
    effect: "It goes on.",
    ...change,
  });
  const refused = (name: AllowedAction["action"]): AllowedAction => ({ ...action, action: name, allowed: false });
  const names = (actions: AllowedAction[]) => [
    arrangeActions(actions).answers.map((item) => item.action),
    arrangeActions(actions).apart.map((item) => item.action),
    arrangeActions(actions).more.map((item) => item.action),
  ];

  it("shows what answers the state, abort apart, and the rest in the menu", () => {
    const actions = [
      planned("continue"),
      refused("accept-step"),
      planned("promote-full"),
      refused("retry"),
      planned("pause", { protective: true }),
      planned("abort", { protective: true }),
    ];
    expect(names(actions)).toEqual([["continue"], ["abort"], ["accept-step", "promote-full", "retry", "pause"]]);
  });

  it("keeps an answer in its place while a freeze or old knowledge holds it back", () => {
    expect(names([planned("continue", { allowed: false, reasonCode: "frozen" })])).toEqual([["continue"], [], []]);
  });

  it("moves abort to the menu if there is nothing to abort, and keeps it in its place if a guard refuses it", () => {
    expect(names([refused("abort")])).toEqual([[], [], ["abort"]]);
    const guarded = planned("abort", { allowed: false, reasonCode: "forbidden", protective: true });
    expect(names([guarded])).toEqual([[], ["abort"], []]);
  });
});
