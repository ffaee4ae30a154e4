import type { RunMetric } from "#lib/contract/analysis-run.ts";
import type { TemplateMetric } from "#lib/contract/template.ts";
import type { ProposableField } from "#lib/domain/delivery/backtest.ts";

export type RuleField = {
  name: ProposableField;
  label: string;
  /** The meaning of an empty field. */
  unset: string;
  isCondition?: boolean;
};

/** The rules that can be changed, in the order of the form. */
export const ruleFields: readonly RuleField[] = [
  { name: "successCondition", label: "Pass if", unset: "no condition", isCondition: true },
  { name: "failureCondition", label: "Fail if", unset: "no condition", isCondition: true },
  { name: "failureLimit", label: "Failed, at most", unset: "0" },
  { name: "inconclusiveLimit", label: "Inconclusive, at most", unset: "0" },
  { name: "consecutiveErrorLimit", label: "Error streak, at most", unset: "4" },
  { name: "consecutiveSuccessLimit", label: "Success streak", unset: "off" },
  { name: "count", label: "Measurements", unset: "until the run ends" },
  { name: "interval", label: "Interval", unset: "measured once" },
  { name: "initialDelay", label: "Initial delay", unset: "none" },
];

/** The rules of a metric as texts; an empty one is not set. */
export type Rules = Readonly<Record<ProposableField, string>>;

export function rulesOfTemplate(metric: TemplateMetric): Rules {
  return collect((name) => metric[name]);
}

export function rulesOfRun({ successCondition, failureCondition, limits }: RunMetric): Rules {
  const rules = { ...limits, successCondition, failureCondition };
  return collect((name) => rules[name]);
}

function collect(read: (name: ProposableField) => string | null): Rules {
  return Object.fromEntries(ruleFields.map(({ name }) => [name, read(name) ?? ""])) as Rules;
}
