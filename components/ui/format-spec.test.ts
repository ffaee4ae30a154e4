import { expect, it } from "vitest";
import { formatSpec } from "#components/ui/format-spec.ts";

it("writes a spec the same however its keys are ordered", () => {
  const one = { metrics: [{ successCondition: "result >= 0.95", name: "rate", count: 0 }], args: [] };
  const other = { args: [], metrics: [{ count: 0, name: "rate", successCondition: "result >= 0.95" }] };
  expect(formatSpec(one)).toBe(formatSpec(other));
  expect(formatSpec(one)).toBe(
    ["args: []", "metrics:", "  - name: rate", "    count: 0", "    successCondition: result >= 0.95"].join("\n"),
  );
});

it("keeps a query's lines apart", () => {
  expect(formatSpec({ query: "sum(\n  up\n)" })).toBe("query: |-\n  sum(\n    up\n  )");
});

it("writes text that looks like something else in quotes", () => {
  expect(formatSpec({ value: "0.95", note: "<b>x</b>" })).toBe('note: <b>x</b>\nvalue: "0.95"');
});
