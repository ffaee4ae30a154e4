import { expect, it } from "vitest";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";
import { resolveArgs, resolveQuotedArgs } from "./resolve-template.ts";
import type { Argument } from "./types.ts";

type Case = {
  id: string;
  template: string;
  args: Argument[] | null;
  jsonQuoted: boolean;
  expect: { value?: string; error?: string | { equals: string } };
};

it.each(loadCases<Case>("analysis-resolve-template"))("$id", ({ template, args, jsonQuoted, expect: expected }) => {
  const { value, error } = expected;
  const resolved = (jsonQuoted ? resolveQuotedArgs : resolveArgs)(template, args ?? []);
  if (error === undefined || error === null) expect(resolved).toEqual({ value });
  else expect(resolved).toEqual({ error: typeof error === "string" ? error : error.equals });
});

it("names the last of several unknown tags with its spaces", () => {
  expect(resolveArgs("{{args.a}} {{ args.b }}", [])).toEqual({ error: "failed to resolve {{ args.b }}" });
});

it("trims tags and leaves single brackets alone", () => {
  expect(resolveArgs("{ {{ args.a }} } }}", [{ name: "a", value: "1" }])).toEqual({ value: "{ 1 } }}" });
});

it("refuses an argument without a value even where no tag asks for it", () => {
  expect(resolveArgs("plain", [{ name: "a" }])).toEqual({ error: 'argument "a" was not supplied' });
});
