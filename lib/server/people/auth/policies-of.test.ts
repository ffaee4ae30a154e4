import { expect, it } from "vitest";
import { nameOfPolicy, observedPoliciesOf, placeOfPolicy, policiesOf } from "#lib/server/people/auth/policies-of.ts";
import { PolicyConfig } from "#lib/server/platform/config/policy-schema.ts";

const times = { start: "0 18 * * 5", duration: "62h" };
const config = PolicyConfig.parse({
  freezes: [
    { name: "tried", mode: "observe", ...times },
    { name: "weekend", ...times },
  ],
  secondPerson: [
    { name: "two", mode: "observe" },
    { name: "four eyes", mode: "enforce" },
  ],
  reasons: [{ required: true }, { required: true, mode: "observe" }],
});

it("separates the rules that decide from those that observe, and finds each in the config", () => {
  const named = (policies: ReturnType<typeof policiesOf>) =>
    [...policies.freezes, ...policies.secondPerson].map(({ name }) => name);
  expect(named(policiesOf(config))).toEqual(["weekend", "four eyes"]);
  expect(named(observedPoliciesOf(config))).toEqual(["tried", "two"]);
  expect([policiesOf(config).reasons.length, observedPoliciesOf(config).reasons.length]).toEqual([1, 1]);
  expect(placeOfPolicy(config, { list: "freezes", index: 0 })).toBe("policies.freezes[1]");
  expect(placeOfPolicy(config, { list: "reasons", index: 0, mode: "observe" })).toBe("policies.reasons[1]");
  const nameOf = (list: "freezes" | "secondPerson" | "reasons") =>
    nameOfPolicy(config, { list, index: 0, mode: "observe" });
  expect([nameOf("freezes"), nameOf("secondPerson"), nameOf("reasons")]).toEqual([
    "tried",
    "two",
    "policies.reasons[1]",
  ]);
});

it("is the same object for the same config", () => {
  expect(policiesOf(config)).toBe(policiesOf(config));
  expect(policiesOf(config)).not.toBe(policiesOf(PolicyConfig.parse({})));
});
