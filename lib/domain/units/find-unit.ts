import { matchesAny } from "#lib/domain/policy/match-glob.ts";
import { readPromqlUnit } from "./read-promql-unit.ts";

/** A unit that the config sets for metrics, by patterns of their names. */
export type ConfiguredUnit = { readonly metrics: readonly string[]; readonly unit: string };

type Measured = {
  metric: string;
  /** The source of the values, such as `prometheus`. */
  provider: string | null;
  query: string | null;
  /** The unit that the rules' own provider knows. */
  known: string | null;
};

/**
 * Finds the unit of a metric's values: the first of the config that names the metric, then the one that its provider
 * knows, then what the query shows. Null if that is not certain: no unit is better than a wrong one.
 */
export function findUnit(
  { metric, provider, query, known }: Measured,
  configured: readonly ConfiguredUnit[],
): string | null {
  const set = configured.find(({ metrics }) => matchesAny(metrics, metric));
  if (set !== undefined) return set.unit;
  if (known !== null) return known;
  return provider === "prometheus" && query !== null ? (readPromqlUnit(query) ?? null) : null;
}
