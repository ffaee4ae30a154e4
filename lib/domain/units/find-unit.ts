import { matchesAny } from "#lib/domain/policy/match-glob.ts";

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

const suffixes: readonly { pattern: RegExp; unit: string }[] = [
  { pattern: /_(?:milliseconds|millis|ms)(?:_bucket|_sum)?$/, unit: "ms" },
  { pattern: /_(?:seconds|duration_seconds)(?:_bucket|_sum)?$/, unit: "s" },
  { pattern: /_bytes(?:_bucket|_sum)?$/, unit: "B" },
  { pattern: /_(?:percent|percentage)$/, unit: "%" },
];

/** Functions that turn a value into another quantity: a rate, a count, a time. */
const converting =
  /\b(?:rate|irate|increase|delta|idelta|deriv|changes|resets|count|count_values|count_over_time|absent|absent_over_time|time|timestamp|stddev|stdvar|stddev_over_time|stdvar_over_time|ln|log2|log10|exp|sqrt|sgn|scalar|group)\b/;

/**
 * Reads the unit of a PromQL query's result from the names of its series, which end with their base unit by Prometheus'
 * own convention. Understands plain aggregations and quantiles, means of `_sum` by `_count`, shares (`ratio`), and a
 * factor of 100 or 1000. Undefined for everything else.
 */
export function readPromqlUnit(query: string): string | undefined {
  const text = query
    .replaceAll(/#[^\n]*/g, " ")
    .replaceAll(/"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|'(?:[^'\\]|\\[\s\S])*(?:'|\\?$)|`[^`]*(?:`|$)/g, " ")
    .replaceAll(/\{[^{}]*\}/g, " ")
    .replaceAll(/\[[^[\]]*\]/g, " ")
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^()]*\)/g, " ")
    .trim();
  const factor = /\*\s*(100|1000|1e3)\s*$/.exec(text)?.[1] ?? /^(100|1000|1e3)\s*\*/.exec(text)?.[1];
  const rest = text.replace(/\*\s*(?:100|1000|1e3)\s*$/, "").replace(/^(?:100|1000|1e3)\s*\*/, "");
  if (/[+*%^<>=!-]|\b(?:and|or|unless|bool|offset)\b/.test(rest.replaceAll(/\b\d+e-\d+\b/g, " "))) return undefined;
  const parts = rest.split("/");
  if (parts.length > 2) return undefined;
  const base = parts.length === 2 ? readQuotient(rest, parts) : readPlain(rest);
  if (factor === undefined) return base === "ratio" && !isShare(parts) ? undefined : base;
  if (factor === "100") return base === "ratio" ? "%" : undefined;
  return base === "s" ? "ms" : undefined;
}

function readPlain(text: string): string | undefined {
  const isQuantile = /\bhistogram_quantile\b/.test(text);
  return converting.test(text) && !isQuantile ? undefined : onlyUnitOf(text);
}

/** A sum of durations by their count is a mean; a quotient of like things has no unit. */
function readQuotient(text: string, [above = "", below = ""]: readonly string[]): string | undefined {
  const counted = namesOf(below).filter((name) => /_count$/.test(name));
  if (counted.length > 0 && namesOf(above).some((name) => /_sum$/.test(name))) return onlyUnitOf(above);
  return onlyUnitOf(text) === undefined && namesOf(text).every((name) => unitOf(name) === undefined)
    ? "ratio"
    : undefined;
}

/** A part of the same series, or failures of something, is a fraction of 1; another quotient may be any number. */
function isShare([above = "", below = ""]: readonly string[]): boolean {
  const [part, whole] = [new Set(namesOf(above)), new Set(namesOf(below))];
  return part.size === 1 && whole.size === 1 && [...part].every((name) => whole.has(name) || isOfFailures(name));
}

function isOfFailures(name: string): boolean {
  return name.endsWith("_total") && (/_errors?_total$/.test(name) || name.includes("_fail"));
}

function onlyUnitOf(text: string): string | undefined {
  const units = new Set(namesOf(text).map(unitOf));
  const [unit] = units;
  return units.size === 1 ? unit : undefined;
}

/** Returns the names of series: words that no parenthesis follows. */
function namesOf(text: string): string[] {
  const words = text.matchAll(/(?<![\w:])\d*(?<name>[A-Za-z_:][\w:]*)(?![\w:])(?!\s*\()/g);
  return [...words].map(({ groups }) => groups?.name ?? "");
}

function unitOf(name: string): string | undefined {
  return suffixes.find(({ pattern }) => pattern.test(name))?.unit;
}
