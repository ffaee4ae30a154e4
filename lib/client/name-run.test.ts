import { expect, it } from "vitest";
import { nameRun } from "#lib/client/name-run.ts";

const rollout = { namespace: "payments", name: "checkout" };
const run = { name: "checkout-5d-12-3", rollout, revision: 12, type: "Step", stepIndex: 3 } as const;

it.each([
  { run, name: "payments/checkout, revision 12, step 4" },
  { run: { ...run, stepIndex: 0 }, name: "payments/checkout, revision 12, step 1" },
  { run: { ...run, revision: null, stepIndex: null }, name: "payments/checkout" },
  { run: { ...run, type: "Background", stepIndex: null } as const, name: "payments/checkout, revision 12, background" },
  { run: { ...run, rollout: null }, name: "checkout-5d-12-3" },
])("names it $name", ({ run: named, name }) => {
  expect(nameRun(named)).toBe(name);
});
