import type { MetricSpec } from "#lib/domain/argo/analysis/types.ts";
import { validateMetric } from "#lib/domain/argo/analysis/validate-metrics.ts";
import {
  type FaultyField,
  type ProposableField,
  type Proposal,
  proposableFields,
} from "#lib/domain/delivery/backtest.ts";
import { languages } from "#lib/expr/language.ts";
import { parseGoDuration } from "#lib/util/duration.ts";
import { findConditionFault } from "./find-condition-fault.ts";

/** Returns the metric with the proposed rules. Tags of arguments in them are not filled in. */
export function proposeMetric(metric: MetricSpec, proposal: Proposal): MetricSpec {
  const proposed: Record<string, unknown> = { ...metric };
  for (const field of proposableFields) {
    const value = proposal[field];
    if (value === undefined) continue;
    if (value === null || value === "") delete proposed[field];
    else proposed[field] = value;
  }
  // Every proposable field may hold the values that a proposal may have, or is checked by `findFaults`.
  return { ...(proposed as MetricSpec), name: metric.name };
}

/** Lists the faults of a proposal that do not depend on the run. Rules with tags of arguments are left to each run. */
export function findFaults(proposal: Proposal): FaultyField[] {
  return [...conditionFaults(proposal), ...durationFaults(proposal), ...limitFaults(proposal)];
}

function conditionFaults(proposal: Proposal): FaultyField[] {
  return (["successCondition", "failureCondition"] as const).flatMap((field) => {
    const condition = proposal[field];
    if (typeof condition !== "string" || condition === "" || hasTags(condition)) return [];
    // Each run is replayed in the language of its controller: only a condition that fits none is refused.
    const faults = languages.map((language) => findConditionFault(condition, language));
    const fault = faults.includes(undefined) ? undefined : faults.at(-1);
    return fault === undefined ? [] : [{ field, ...fault }];
  });
}

function durationFaults(proposal: Proposal): FaultyField[] {
  return (["interval", "initialDelay"] as const).flatMap((field) => {
    const text = proposal[field];
    if (text === undefined || text === null || text === "" || hasTags(text)) return [];
    if (typeof text === "number") return [{ field, text: "A duration needs a unit, such as 30s." }];
    const parsed = parseGoDuration(text);
    return "error" in parsed ? [{ field, text: parsed.error }] : [];
  });
}

const limits = [
  "failureLimit",
  "inconclusiveLimit",
  "consecutiveErrorLimit",
  "consecutiveSuccessLimit",
  "count",
] as const satisfies readonly ProposableField[];

/** The controller reads text that is not a number as 0: here it is a fault. */
function limitFaults(proposal: Proposal): FaultyField[] {
  return limits.flatMap((field): FaultyField[] => {
    const value = proposal[field];
    if (value === undefined || value === null || value === "" || hasTags(value)) return [];
    if (!/^[+-]?[0-9]{1,9}$/.test(String(value))) return [{ field, text: "It must be a whole number." }];
    const lowest = field === "failureLimit" ? -1 : 0;
    return Number(value) < lowest ? [{ field, text: `It must be at least ${lowest}.` }] : [];
  });
}

function hasTags(value: string | number): boolean {
  return String(value).includes("{{");
}

/** Returns why a metric with its arguments filled in is invalid; its source is not judged. */
export function findInvalidRules(metric: MetricSpec): string | undefined {
  return validateMetric({ ...metric, provider: { prometheus: {} } });
}
