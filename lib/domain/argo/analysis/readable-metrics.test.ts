import { expect, it } from "vitest";
import { readableMetrics } from "./readable-metrics.ts";

it.each([
  ["a value", "result > {{args.min}}", "result > 5"],
  ["a secret", "result > {{args.key}}", "result > {{args.key}}"],
  ["an unknown argument", "result > {{args.other}}", "result > {{args.other}}"],
  ["a redacted value", "result > {{args.token}}", "result > {{args.token}}"],
])("%s", (_, successCondition, expected) => {
  const args = [
    { name: "min", value: "5" },
    { name: "key", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
    { name: "token", value: "[redacted]" },
  ];
  const spec = { metrics: [{ name: "m", successCondition }], args };
  expect(readableMetrics(spec).get("m")?.successCondition).toBe(expected);
});
