import { expect, it } from "vitest";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";
import { type ExperimentFacts, resolveExperimentArg } from "./resolve-experiment-arg.ts";

type Case = {
  id: string;
  template: string;
  experiment: ExperimentFacts | null;
  expect: { value?: string; error?: { equals?: string; matches?: string } };
};

it.each(loadCases<Case>("analysis-resolve-experiment-arg"))("$id", ({ template, experiment, expect: expected }) => {
  const resolved = resolveExperimentArg(template, experiment ?? {});
  if (expected.error === undefined) expect(resolved).toEqual({ value: expected.value });
  else {
    const error = "error" in resolved ? resolved.error : "";
    if (expected.error.equals !== undefined) expect(error).toBe(expected.error.equals);
    else expect(error).toMatch(new RegExp(expected.error.matches ?? "never"));
  }
});

it("does not know an end without a start", () => {
  expect(resolveExperimentArg("{{experiment.finishedAt}}", { duration: "1m" })).toEqual({
    error: "failed to resolve {{experiment.finishedAt}}",
  });
});
