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

function matchRules<R extends NameRule, T>(input: Rules<R> & { readonly valueOf: (rule: R) => T }): RuleMatch<T> {
  const matched = new Map<string, T>();
  for (const { rule, names, error } of matchEach(input)) {
    if (error !== undefined) return { error };
    for (const name of names) matched.set(name, input.valueOf(rule));
  }
  return { matched };
}

/** Lists the rules that match no metric, with upstream's error text. `isBroken`: the rule never matches any. */
export function findIdleRules(
  input: Rules<NameRule>,
): { readonly index: number; readonly error: string; readonly isBroken: boolean }[] {
  return [...matchEach(input)].flatMap(({ index, error, fault }) => {
    if (error === undefined) return [];
    return [{ index, error: fault === undefined ? error : `${error}. ${fault}`, isBroken: fault !== undefined }];
  });
}

type NameRule = { readonly metricName: string };
type Rules<R extends NameRule> = {
  readonly kind: "dryRun" | "measurementRetention";
  readonly rules: readonly R[];
  readonly metrics: readonly Pick<MetricSpec, "name">[];
};
type Matched<R> = {
  readonly index: number;
  readonly rule: R;
  readonly names: readonly string[];
  readonly error?: string;
  /** Why the rule is no regular expression. */
  readonly fault?: string;
};

/** Matches rule by rule; all rules of a run share one budget. */
function* matchEach<R extends NameRule>({ kind, rules, metrics }: Rules<R>): Generator<Matched<R>> {
  const budget = new Budget();
  for (const [index, rule] of rules.entries()) {
    const { names = [], limit, fault } = namesMatching(rule.metricName, metrics, budget);
    const problem = limit ?? (names.length === 0 ? "Rule didn't match any metric name(s)" : undefined);
    const error = problem === undefined ? undefined : `${kind}[${index}]: ${problem}`;
    yield { index, rule, names, error, fault };
  }
}

/** Returns the names that a pattern matches, which of our limits it broke, or why it is no pattern. */
function namesMatching(
  pattern: string,
  metrics: readonly Pick<MetricSpec, "name">[],
  budget: Budget,
): { readonly names?: readonly string[]; readonly limit?: string; readonly fault?: string } {
  try {
    const compiled = compileRegex(pattern);
    budget.spend(300 + pattern.length * 40 + compiled.size * 40);
    return { names: metrics.map(({ name }) => name).filter((name) => matchesRegex(compiled, name, budget)) };
  } catch (error) {
    if (!isExpressionError(error)) throw error;
    return error.kind === "budget" ? { limit: error.message } : { fault: `'${pattern}': ${error.message}` };
  }
}
