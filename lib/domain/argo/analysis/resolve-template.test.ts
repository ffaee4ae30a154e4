import { describe, expect, it } from "vitest";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";
import { createTemplateFiller, type ExperimentFacts, resolveExperimentArg } from "./resolve-template.ts";
import type { Argument } from "./types.ts";

describe("createTemplateFiller", () => {
  type Case = {
    id: string;
    template: string;
    args: Argument[] | null;
    jsonQuoted: boolean;
    expect: { value?: string; error?: string | { equals: string } };
  };

  it.each(loadCases<Case>("analysis-resolve-template"))("$id", ({ template, args, jsonQuoted, expect: expected }) => {
    const { value, error } = expected;
    const resolved = createTemplateFiller(args ?? [], { isJson: jsonQuoted })(template);
    if (error === undefined || error === null) expect(resolved).toEqual({ value });
    else expect(resolved).toEqual({ error: typeof error === "string" ? error : error.equals });
  });

  it("names the last of several unknown tags with its spaces", () => {
    expect(createTemplateFiller([])("{{args.a}} {{ args.b }}")).toEqual({ error: "failed to resolve {{ args.b }}" });
  });

  it("trims tags and leaves single brackets alone", () => {
    expect(createTemplateFiller([{ name: "a", value: "1" }])("{ {{ args.a }} } }}")).toEqual({ value: "{ 1 } }}" });
  });

  it("refuses an argument without a value even where no tag asks for it", () => {
    expect(createTemplateFiller([{ name: "a" }])("plain")).toEqual({ error: 'argument "a" was not supplied' });
  });

  it("refuses texts that get longer than any object, and those that follow", () => {
    const fill = createTemplateFiller([{ name: "a", value: "x".repeat(1024 * 1024) }]);
    expect(fill("{{args.a}}{{args.a}}{{args.a}}")).toHaveProperty("value.length", 3 * 1024 * 1024);
    const error = "the arguments make the spec longer than 4194304 characters";
    expect(fill("{{args.a}}{{args.a}}")).toEqual({ error });
    expect(fill("{{args.a}}")).toEqual({ error });
  });
});

describe("resolveExperimentArg", () => {
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
});
