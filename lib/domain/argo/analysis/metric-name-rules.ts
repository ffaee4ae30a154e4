import { RE2JS } from "re2js";
import type { DryRunRule, MeasurementRetentionRule, MetricSpec } from "./types.ts";

/** Metrics by rule, or upstream's error text when a rule matches none. */
export type RuleMatch<T> = { readonly matched: ReadonlyMap<string, T> } | { readonly error: string };

/**
 * The metrics that run dry. A rule is an unanchored Go regular expression; one that does not compile matches nothing,
 * and a rule that matches nothing is an error (utils/analysis/helpers.go `GetDryRunMetrics`).
 */
export function dryRunMetrics(
  rules: readonly DryRunRule[] | undefined,
  metrics: readonly Pick<MetricSpec, "name">[],
): RuleMatch<true> {
  return matchRules({ kind: "dryRun", rules: rules ?? [], metrics, valueOf: () => true });
}

/**
 * The retention limit of each metric which a rule names; the last matching rule wins
 * (utils/analysis/helpers.go `GetMeasurementRetentionMetrics`).
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
  for (const [index, rule] of input.rules.entries()) {
    const names = input.metrics.map((metric) => metric.name).filter(nameMatcher(rule.metricName));
    if (names.length === 0) return { error: `${input.kind}[${index}]: Rule didn't match any metric name(s)` };
    for (const name of names) matched.set(name, input.valueOf(rule));
  }
  return { matched };
}

function nameMatcher(pattern: string): (name: string) => boolean {
  try {
    const compiled = RE2JS.compile(pattern);
    return (name) => compiled.matcher(name).find();
  } catch {
    return () => false;
  }
}
