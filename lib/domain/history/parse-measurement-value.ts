export type MeasurementValue = {
  kind: "number" | "nan" | "+inf" | "-inf" | "array" | "object" | "string" | "empty" | "unparsable";
  /** For `number`, and for an array of exactly one number. */
  number?: number;
};

/**
 * What a measurement's text holds. Providers write numbers as Go prints them (`NaN`, `+Inf`), vectors as `[0.9,0.8]`,
 * web and job results as JSON; text that is none of these is a string or, where it began as JSON, unparsable.
 */
export function parseMeasurementValue(text: string): MeasurementValue {
  const trimmed = text.trim();
  if (trimmed === "") return { kind: "empty" };
  if (/^[+-]?nan$/i.test(trimmed)) return { kind: "nan" };
  if (/^\+?inf(inity)?$/i.test(trimmed)) return { kind: "+inf" };
  if (/^-inf(inity)?$/i.test(trimmed)) return { kind: "-inf" };
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return numberOf(Number(trimmed));
  if (trimmed.startsWith("[")) return parseArray(trimmed);
  const parsed = parseJson(trimmed);
  if (trimmed.startsWith("{")) return { kind: parsed === undefined ? "unparsable" : "object" };
  if (trimmed.startsWith('"') && parsed === undefined) return { kind: "unparsable" };
  return { kind: "string" };
}

function numberOf(number: number): MeasurementValue {
  if (Number.isFinite(number)) return { kind: "number", number };
  return { kind: number > 0 ? "+inf" : "-inf" };
}

/** Go prints vectors with bare NaN and Inf inside, which JSON does not know. */
function parseArray(text: string): MeasurementValue {
  const parsed = parseJson(text.replace(/(?<=[[,\s])[+-]?(NaN|Inf)(?=[\],\s])/g, "null"));
  if (!Array.isArray(parsed)) return { kind: "unparsable" };
  const [only] = parsed;
  return parsed.length === 1 && typeof only === "number" ? { kind: "array", number: only } : { kind: "array" };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
