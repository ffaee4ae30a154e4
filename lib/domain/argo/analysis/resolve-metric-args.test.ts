import { describe, expect, it } from "vitest";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";
import {
  createMetricResolver,
  createSecretlessResolver,
  readableMetrics,
  redactMessage,
  resolveSecretArgs,
} from "./resolve-metric-args.ts";
import type { Argument, MetricSpec } from "./types.ts";

describe("createMetricResolver", () => {
  type Case = {
    id: string;
    metric: MetricSpec;
    args: Argument[];
    expect: { successCondition?: string; error?: string | { equals: string } };
  };

  it.each(loadCases<Case>("analysis-resolve-metric-args"))("$id", ({ metric, args, expect: expected }) => {
    const { successCondition, error } = expected;
    const resolved = createMetricResolver(args)(metric);
    if (error === undefined || error === null) {
      expect("value" in resolved ? resolved.value.successCondition : resolved).toBe(successCondition);
    } else expect(resolved).toEqual({ error: typeof error === "string" ? error : error.equals });
  });

  it("reaches into the provider and keeps quotes, newlines and angle brackets", () => {
    const metric = {
      name: "m",
      successCondition: "result < 5 && true",
      provider: { web: { body: '{"q":"{{args.q}}"}' } },
    };
    expect(createMetricResolver([{ name: "q", value: 'a "b"\n<c>' }])(metric)).toEqual({
      value: { ...metric, provider: { web: { body: '{"q":"a "b"\n<c>"}' } } },
    });
  });

  it("puts a placeholder where a secret belongs", () => {
    const args = [{ name: "token", valueFrom: { secretKeyRef: { name: "s", key: "k" } } }];
    expect(createSecretlessResolver(args)({ name: "m", successCondition: "{{args.token}}" })).toEqual({
      value: { name: "m", successCondition: "temp-for-secret" },
    });
  });

  it("refuses a value whose escapes JSON does not know", () => {
    const resolve = createMetricResolver([{ name: "a", value: "\u0000" }]);
    const resolved = resolve({ name: "m", successCondition: "{{args.a}}" });
    expect(resolved).toEqual({ error: 'metric "m" is not valid JSON once its arguments are filled in' });
  });
});

describe("readableMetrics", () => {
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
});

describe("resolveSecretArgs", () => {
  type Case = {
    id: string;
    secrets: Record<string, Record<string, string>>;
    args: Argument[];
    successCondition: string;
    expect: { error?: string; successCondition?: string; redactedValues?: string[] };
  };

  it.each(loadCases<Case>("analysis-resolve-secret-args"))(
    "$id",
    ({ secrets, args, successCondition, expect: expected }) => {
      const resolved = resolveSecretArgs(args, secrets);
      if ("error" in resolved) {
        expect(resolved.error).toBe(expected.error);
        return;
      }
      expect(resolved.value.secretValues).toEqual(expected.redactedValues);
      const metric = createMetricResolver(resolved.value.args)({ name: "m", successCondition });
      expect("value" in metric ? metric.value.successCondition : metric).toBe(expected.successCondition);
    },
  );

  it("keeps plain arguments and hides secrets in messages", () => {
    const args = [{ name: "plain", value: "1" }];
    expect(resolveSecretArgs(args, {})).toEqual({ value: { args, secretValues: [] } });
    expect(redactMessage("token a.b refused, a.b", ["a.b", ""])).toBe("token ***** refused, *****");
  });
});
