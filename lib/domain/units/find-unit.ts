import { matchesAny } from "#lib/domain/policy/match-glob.ts";
import { readPromqlUnit } from "./read-promql-unit.ts";

/** The units that the config sets for metrics, by patterns of their names. */
export type ConfiguredUnits = Readonly<Record<string, string>>;

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
export function findUnit({ metric, provider, query, known }: Measured, configured: ConfiguredUnits): string | null {
  const set = Object.entries(configured).find(([pattern]) => matchesAny([pattern], metric));
  if (set !== undefined) return set[1];
  if (known !== null) return known;
  return provider === "prometheus" && query !== null ? (readPromqlUnit(query) ?? null) : null;
}
