import { knownLanguageOf, versionsOf } from "#lib/domain/argo/analysis/controller-language.ts";
import {
  type ConditionFault,
  faultOn,
  findConditionFault,
  sampleResults,
} from "#lib/domain/argo/backtest/find-condition-fault.ts";
import type { TemplateProblem } from "#lib/domain/delivery/template-lab.ts";

const older = "1.15.5";

type LintedCondition = ConditionFault & Pick<TemplateProblem, "severity">;

/**
 * Finds what this controller refuses in a condition. If its version is not known, what only controllers before 1.10
 * refuse is a warning. So is a condition that such a controller refuses for some type of result.
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
  return findTypeFault(condition, { provider, who });
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
