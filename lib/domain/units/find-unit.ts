import { matchesAny } from "#lib/domain/policy/match-glob.ts";
import { readPromqlUnit } from "./read-promql-unit.ts";

/** A unit that the config sets for metrics, by patterns of their names. */
export type ConfiguredUnit = { readonly metrics: readonly string[]; readonly unit: string };

type Measured = {
  metric: string;
  /** The source of the values, such as `prometheus`. */
  provider: string | null;
  query: string | null;
  /** The unit according to the rules' own provider. */
  known: string | null;
};

/**
 * Finds the unit of a metric's values: the config's first unit for the metric, then the one from its provider, then the
 * one that the query implies. Null if that is not certain: no unit is better than a wrong one.
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
