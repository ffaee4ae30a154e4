import { expect, it } from "vitest";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";
import { createMetricResolver } from "./resolve-metric-args.ts";
import { redactMessage, resolveSecretArgs } from "./resolve-secret-args.ts";
import type { Argument } from "./types.ts";

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
