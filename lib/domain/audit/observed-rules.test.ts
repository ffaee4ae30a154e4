import { expect, it } from "vitest";
import { formatObserved, readObserved } from "./observed-rules.ts";

it("reads what has the form of an observed rule, and formats it as a sentence", () => {
  const rules = [
    { rule: "weekend", kind: "freeze", would: "refuse" },
    { rule: "policies.reasons[0]", kind: "reason", would: "require a reason" },
    { rule: "two", kind: "second-person", would: "require a second person" },
  ];
  const read = readObserved([...rules, null, "x", { rule: "w", kind: "freeze", would: "toString" }, { rule: 1 }]);
  expect(read).toEqual(rules);
  expect(read.map(formatObserved)).toEqual([
    'Observed rule "weekend" would have refused this.',
    'Observed rule "policies.reasons[0]" would have required a reason.',
    'Observed rule "two" would have required a second person.',
  ]);
  expect([readObserved(undefined), readObserved("x"), readObserved({})]).toEqual([[], [], []]);
});
