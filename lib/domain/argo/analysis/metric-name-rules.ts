import { Budget } from "#lib/expr/budget.ts";
import { isExpressionError } from "#lib/expr/errors.ts";
import { compileRegex, matchesRegex } from "#lib/expr/regex.ts";
import type { DryRunRule, MeasurementRetentionRule, MetricSpec } from "./types.ts";

/** Metrics by rule, or upstream's error text when a rule matches none. */
export type RuleMatch<T> = { readonly matched: ReadonlyMap<string, T> } | { readonly error: string };

/**
 * Returns the metrics that run dry. A rule is an unanchored Go regular expression; one that does not compile matches
 * nothing, and a rule that matches nothing is an error (utils/analysis/helpers.go `GetDryRunMetrics`).
 */
export function dryRunMetrics(
  rules: readonly DryRunRule[] | undefined,
  metrics: readonly Pick<MetricSpec, "name">[],
): RuleMatch<true> {
  return matchRules({ kind: "dryRun", rules: rules ?? [], metrics, valueOf: () => true });
}

/**
 * Returns the retention limit of each metric that a rule names; the last matching rule wins (utils/analysis/helpers.go
 * `GetMeasurementRetentionMetrics`).
 */
export function measurementRetentionLimits(
  rules: readonly MeasurementRetentionRule[] | undefined,
  metrics: readonly Pick<MetricSpec, "name">[],
): RuleMatch<number> {
  return matchRules({
    kind: "measurementRetention",
    rules: rules ?? [],
    metrics,
    valueOf: (rule) => rule.limit ?? 0,
  });
}

function matchRules<R extends { readonly metricName: string }, T>(input: {
  readonly kind: string;
  readonly rules: readonly R[];
  readonly metrics: readonly Pick<MetricSpec, "name">[];
  readonly valueOf: (rule: R) => T;
}): RuleMatch<T> {
  const matched = new Map<string, T>();
  const budget = new Budget();
  for (const [index, rule] of input.rules.entries()) {
    const names = namesMatching(rule.metricName, input.metrics, budget);
    if (typeof names === "string") return { error: `${input.kind}[${index}]: ${names}` };
    if (names.length === 0) return { error: `${input.kind}[${index}]: Rule didn't match any metric name(s)` };
    for (const name of names) matched.set(name, input.valueOf(rule));
  }
  return { matched };
}

/** Returns the names that a pattern matches, or which of our limits it broke; all rules of a run share one budget. */
function namesMatching(
  pattern: string,
  metrics: readonly Pick<MetricSpec, "name">[],
  budget: Budget,
): readonly string[] | string {
  try {
    const compiled = compileRegex(pattern);
    budget.spend(300 + pattern.length * 40 + compiled.size * 40);
    return metrics.map(({ name }) => name).filter((name) => matchesRegex(compiled, name, budget));
  } catch (error) {
    if (!isExpressionError(error)) throw error;
    return error.kind === "budget" ? error.message : [];
  }
}
