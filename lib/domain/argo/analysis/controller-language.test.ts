import { describe, expect, it } from "vitest";
import type { Language } from "#lib/expr/language.ts";
import type { TypedValue } from "#lib/expr/typed-value.ts";
import { readCase } from "#test/fixtures/cases/read-case.ts";
import { knownLanguageOf, languageOfController } from "./controller-language.ts";
import { evaluateResult } from "./evaluate-result.ts";
import type { AnalysisPhase } from "./types.ts";

describe("languageOfController", () => {
  it.each<[string | undefined, Language, boolean]>([
    ["v1.9.3+d1a2b3c", "1.15.5", false],
    ["1.9.0", "1.15.5", false],
    ["v1.8.4", "1.15.5", false],
    ["1.7.0-rc1", "1.15.5", false],
    ["1.6.6", "1.15.5", true],
    ["0.10.2", "1.15.5", true],
    ["1.10.0", "1.17.7", false],
    ["v1.10.2+abc", "1.17.7", false],
    ["2.0.0", "1.17.7", false],
    ["v99.99.99+unknown", "1.17.7", true],
    ["latest", "1.17.7", true],
    ["", "1.17.7", true],
    [undefined, "1.17.7", true],
  ])("%s has %s, assumed: %s", (version, language, isAssumed) => {
    expect(languageOfController(version)).toEqual({ language, isAssumed });
    expect(knownLanguageOf(version)).toBe(isAssumed ? undefined : language);
  });
});

const one: TypedValue = { type: "[]float64", value: [1] };
const object: TypedValue = { type: "json", value: { text: "é", list: [2, 1], rows: [{ v: 2 }, { v: 1 }], none: null } };

describe("conditions that the languages evaluate differently", () => {
  it.each<[string, TypedValue, AnalysisPhase, AnalysisPhase]>([
    ["max(result) < 3", one, "Error", "Successful"],
    ["result == [1]", one, "Failed", "Successful"],
    ["result != [1]", one, "Successful", "Failed"],
    ["[1] in [result]", one, "Failed", "Successful"],
    ["uniq(result)[0] == 1", one, "Error", "Successful"],
    ["reverse(result)[0] == 1", one, "Error", "Successful"],
    ["concat(result, [2])[1] == 2", one, "Error", "Successful"],
    ["flatten(result)[0] == 1", one, "Error", "Successful"],
    ["sum(result, # * 2) == 2", one, "Error", "Successful"],
    ["mean(1, 3) < 3", one, "Error", "Successful"],
    ["result?.[0] == 1", one, "Error", "Successful"],
    ["if result[0] > 0 { true } else { false }", one, "Error", "Successful"],
    ["0 < result[0] < 2", one, "Error", "Successful"],
    ["let x = 1; x; result[0] == x", one, "Error", "Successful"],
    ["all(result, # > 0,)", one, "Error", "Successful"],
    ["0b1 == 1", one, "Error", "Successful"],
    ["`a` == 'a'", one, "Error", "Successful"],
    ["'\\u{61}' == 'a'", one, "Error", "Successful"],
    ["'abc'[0:1] == 'a'", one, "Error", "Successful"],
    ["1 + 1 not in [2]", one, "Successful", "Failed"],
    ["findIndex(result, # > 1) != 0", one, "Successful", "Error"],
    ["len(result.text) == 1", object, "Failed", "Successful"],
    ["result.none contains 'a'", object, "Error", "Failed"],
    ["sortBy(result.rows, 'v')[0].v == 1", object, "Successful", "Failed"],
    ["sortBy(result.rows, .v)[0].v == 1", object, "Error", "Successful"],
    ["max(result.list) == result.list", object, "Successful", "Failed"],
    ["get(result.list, 'a') == nil", object, "Successful", "Error"],
    ["nil in result", object, "Failed", "Error"],
    ["bitand(3, 1) == 1", one, "Error", "Successful"],
    ["result[0] >= 0.95 && result[0] < 2", one, "Successful", "Successful"],
  ])("%s", (successCondition, result, older, newer) => {
    expect(evaluateResult({ result, successCondition, language: "1.15.5" }).phase).toBe(older);
    expect(evaluateResult({ result, successCondition, language: "1.17.7" }).phase).toBe(newer);
  });

  it("are those of the case", () => {
    const conditions = readCase("13-language-of-the-controller/conditions.txt").trim().split("\n");
    const phasesIn = (language: Language) =>
      conditions.map((successCondition) => evaluateResult({ result: one, successCondition, language }).phase);
    expect(phasesIn("1.15.5")).toEqual(["Error", "Failed"]);
    expect(phasesIn("1.17.7")).toEqual(["Successful", "Successful"]);
  });
});

type Answer = TypedValue & { successCondition: string; failureCondition: string } & Record<"older" | "newer", string>;

describe("generated conditions", () => {
  const { cases } = JSON.parse(readCase("13-language-of-the-controller/phases.json")) as { cases: Answer[] };

  it.each([
    ["older", "1.15.5"],
    ["newer", "1.17.7"],
  ] as const)("give the phases of the %s controller", (controller, language) => {
    const wrong = cases.filter(({ type, value, successCondition, failureCondition, ...phases }) => {
      const { phase } = evaluateResult({ result: { type, value }, successCondition, failureCondition, language });
      return phase !== phases[controller];
    });
    expect(wrong).toEqual([]);
  });
});
