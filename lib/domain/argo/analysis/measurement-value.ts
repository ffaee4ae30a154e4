import type { Measurement, MetricSpec } from "./types.ts";

export type MeasurementValueKind =
  | "number"
  | "nan"
  | "+inf"
  | "-inf"
  | "array"
  | "object"
  | "string"
  | "empty"
  | "unparsable";

/**
 * The parsed text of a measurement's value. `number` is the value itself, or the first element of an array, as the
 * float64 that conditions see: a whole number above 2^53 is the nearest one. It is absent if that is not finite, or 0
 * for another number.
 */
export type ParsedMeasurementValue = { readonly kind: MeasurementValueKind; readonly number?: number };

// Each digit can be matched in only one way: otherwise a long value of digits would take quadratic time.
const numberText = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/**
 * Parses `measurement.value`, whose format is the provider's own: a number, NaN or ±Inf, JSON, lists with NaN inside,
 * Go's list format (`[1 6.6]`, `[[0.1 0.2]]`), or plain text. Never throws.
 */
export function parseMeasurementValue(text: string | undefined): ParsedMeasurementValue {
  const trimmed = text?.trim() ?? "";
  if (trimmed === "" || trimmed === "null" || trimmed === "<nil>") return { kind: "empty" };
  const special = specialKind(trimmed);
  if (special !== undefined) return { kind: special };
  if (numberText.test(trimmed)) return withNumber("number", readNumber(trimmed));
  if (trimmed.startsWith("[")) return parseArray(trimmed);
  if (trimmed.startsWith("{")) return { kind: isJson(trimmed) ? "object" : "unparsable" };
  if (trimmed.startsWith('"')) return { kind: isJson(trimmed) ? "string" : "unparsable" };
  return { kind: "string" };
}

function specialKind(text: string): "nan" | "+inf" | "-inf" | undefined {
  if (text === "NaN") return "nan";
  if (text === "+Inf" || text === "Inf") return "+inf";
  return text === "-Inf" ? "-inf" : undefined;
}

function withNumber(kind: "number" | "array", number: number | undefined): ParsedMeasurementValue {
  return number === undefined ? { kind } : { kind, number };
}

/** Returns undefined if too large or too small for a double. */
function readNumber(text: string): number | undefined {
  const number = Number(text);
  if (!Number.isFinite(number)) return undefined;
  return number === 0 && /^[^eE]*[1-9]/.test(text) ? undefined : number;
}

/** Returns whether the text can be parsed as JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Parses lists of both notations as lists of texts; only the first leaf matters for the number. */
function parseArray(text: string): ParsedMeasurementValue {
  if (isJson(text)) return withNumber("array", firstJsonNumber(text));
  const list = listTokens(text);
  if (list === undefined) return { kind: "unparsable" };
  const [first] = list;
  return withNumber("array", first !== undefined && numberText.test(first) ? readNumber(first) : undefined);
}

/** Reads the first number of JSON with a list from the text: lists in it may be nested. */
function firstJsonNumber(text: string): number | undefined {
  const first = /^\s*(?:\[\s*)+([^\s,\]]*)/.exec(text)?.[1] ?? "";
  return numberText.test(first) ? readNumber(first) : undefined;
}

/**
 * Returns the elements of a bracketed list of any depth, separated by commas or blanks; undefined if brackets do not
 * match.
 */
export function listTokens(text: string): readonly string[] | undefined {
  let depth = 0;
  const tokens: string[] = [];
  for (const match of text.matchAll(/[[\]]|[^\s,[\]]+|[\s,]+/g)) {
    const [token] = match;
    if (token === "[") depth++;
    else if (token === "]") depth--;
    else if (!/^[\s,]/.test(token)) tokens.push(token);
    const isEnd = match.index + token.length === text.length;
    if (depth < 0 || (depth === 0 && !isEnd)) return undefined;
  }
  return depth === 0 ? tokens : undefined;
}

/**
 * Returns whether the controller ended the measurement before it had a result. The phase then says how the provider answers to an
 * end: until 1.9.3 a Job's is Successful, since 1.10 Inconclusive (argo-rollouts metricproviders/job, analysis.go).
 */
export function isCutOff({ message = "" }: Pick<Measurement, "message">): boolean {
  return message.toLowerCase() === "metric terminated";
}

/**
 * Returns whether the controller accepted the measurement without evaluating a condition: a web provider does so with a
 * body that is not JSON (argoproj/argo-rollouts#4535, all releases up to 1.10.2). With a `jsonPath` the value may also be
 * a text within JSON, which is evaluated.
 */
export function isUnevaluated(metric: Pick<MetricSpec, "provider">, { phase, value }: Measurement): boolean {
  const web = metric.provider?.web;
  if (web === undefined || phase !== "Successful") return false;
  return !hasPath(web) && !isJson(value ?? "");
}

function hasPath(web: unknown): boolean {
  return typeof web === "object" && web !== null && "jsonPath" in web && web.jsonPath !== "" && web.jsonPath !== null;
}
