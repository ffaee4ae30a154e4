import { knownLanguageOf, versionsOf } from "#lib/domain/argo/analysis/controller-language.ts";
import { compileCondition } from "#lib/domain/argo/analysis/evaluate-result.ts";
import {
  type ConditionFault,
  faultOn,
  findConditionFault,
  sampleResults,
} from "#lib/domain/argo/backtest/find-condition-fault.ts";
import type { TemplateProblem } from "#lib/domain/delivery/template-lab.ts";
import { isExpressionError } from "#lib/expr/errors.ts";
import { formatGoFloat } from "#lib/expr/go-number.ts";
import type { GoValue } from "#lib/expr/go-value.ts";
import { newestLanguage } from "#lib/expr/language.ts";
import { goValueOf } from "#lib/expr/typed-value.ts";

const older = "1.15.5";

type LintedCondition = ConditionFault & Pick<TemplateProblem, "severity">;

/**
 * Finds a fault for which this controller refuses a condition. If the version is unknown, a fault that only controllers
 * before 1.10 refuse is a warning. So is a condition that such a controller refuses for some type of result, or
 * evaluates differently.
 */
export function lintCondition(
  condition: string,
  { provider, controllerVersion }: { provider: string; controllerVersion: string | undefined },
): LintedCondition | undefined {
  const language = knownLanguageOf(controllerVersion);
  if (language !== older) {
    const fault = findConditionFault(condition);
    if (fault !== undefined) return { ...fault, severity: "error" };
    if (language !== undefined) return undefined;
  }
  const who = language === undefined ? versionsOf[older] : `Argo Rollouts ${controllerVersion}`;
  const fault = findConditionFault(condition, older);
  if (fault !== undefined) {
    const severity = language === undefined ? "warning" : "error";
    return { ...fault, text: `${who} cannot evaluate it: ${fault.text}`, severity };
  }
  return (
    findTypeFault(condition, { provider, who }) ?? (language === undefined ? findOtherReading(condition) : undefined)
  );
}

/** Finds a type of result that newer controllers accept and older ones refuse. */
function findTypeFault(
  condition: string,
  { provider, who }: { provider: string; who: string },
): LintedCondition | undefined {
  const samples = provider === "prometheus" ? sampleResults.filter(({ isNumeric }) => isNumeric) : sampleResults;
  for (const { name, value } of samples) {
    const fault = faultOn(value, condition) === undefined ? faultOn(value, condition, older) : undefined;
    if (fault === undefined) continue;
    return { ...fault, text: `${who} cannot evaluate it if the result is ${name}: ${fault.text}`, severity: "warning" };
  }
  return undefined;
}

/** At most this many numbers and lists of a condition are tried as results. */
const mostTried = 6;

/**
 * Finds a result for which older and newer controllers give different answers, such as [1] for `result == [1]`. Tries
 * the numbers and lists that the condition names.
 */
function findOtherReading(condition: string): LintedCondition | undefined {
  const numbers = [...new Set([1, ...readNumbers(condition)])].slice(0, mostTried);
  const lists =
    condition
      .match(/\[[^[\]]*\]/g)
      ?.slice(0, mostTried)
      .map(readNumbers) ?? [];
  const differences = [
    findDifference(condition, [...lists, ...numbers.map((number) => [number])], (value) => ({
      name: `[${value.map(formatGoFloat).join(",")}]`,
      value: goValueOf({ type: "[]float64", value }),
    })),
    findDifference(condition, numbers, (value) => ({
      name: formatGoFloat(value),
      value: goValueOf({ type: "float64", value }),
    })),
  ];
  const found = differences.find((difference) => difference !== undefined);
  return found === undefined ? undefined : { text: found, severity: "warning" };
}

function readNumbers(text: string): number[] {
  const found = text.match(/-?(?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi) ?? [];
  return found.map((number) => Number(number.replaceAll("_", ""))).filter(Number.isFinite);
}

/**
 * Compares the outcomes of both languages for results of one type. Conditions that one of them cannot evaluate are
 * compared elsewhere.
 */
function findDifference<Sample>(
  condition: string,
  samples: readonly Sample[],
  make: (sample: Sample) => { name: string; value: GoValue },
): string | undefined {
  const [first] = samples;
  if (first === undefined) return undefined;
  try {
    const { value } = make(first);
    const [newer, other] = [
      compileCondition(condition, value, newestLanguage),
      compileCondition(condition, value, older),
    ];
    for (const { name, value: result } of samples.map(make)) {
      const [isNow, was] = [newer(result, 0), other(result, 0)];
      if (isNow !== was)
        return `If the result is ${name}, the condition is ${was} in ${versionsOf[older]} and ${isNow} in later versions`;
    }
  } catch (error) {
    if (!isExpressionError(error)) throw error;
  }
  return undefined;
}
