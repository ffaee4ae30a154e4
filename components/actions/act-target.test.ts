import { expect, it } from "vitest";
import { blockAdvancing } from "#components/actions/act-target.ts";
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
});
