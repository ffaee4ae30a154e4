export type EscapedText = { text: string; escaped: boolean };

/** Matches NUL and lone surrogates: PostgreSQL stores neither. */
const unstorable = /\0|\p{Surrogate}/gu;

/** Writes what PostgreSQL cannot store as `\uXXXX`. `escaped` is true if the text differs from the one received. */
export function escapeText(text: string): EscapedText {
  if (!text.includes("\0") && text.isWellFormed()) return { text, escaped: false };
  return { text: text.replace(unstorable, escapeUnit), escaped: true };
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Returns JSON text that a `jsonb` column accepts; keys and strings are escaped as `escapeText` does. */
export function toStorableJson(value: unknown): string {
  const json = JSON.stringify(value) ?? "null";
  // JSON doubles a backslash of the text itself, so this may match too much but never too little.
  return /\\u(0000|d[89a-f])/i.test(json) ? (JSON.stringify(escapeDeep(value)) ?? "null") : json;
}

/** Returns the value of that JSON, as Prisma's client takes it. */
export function toStorableValue(value: unknown): unknown {
  return JSON.parse(toStorableJson(value));
}

function escapeDeep(value: unknown): unknown {
  if (typeof value === "string") return escapeText(value).text;
  if (Array.isArray(value)) return value.map(escapeDeep);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [escapeText(key).text, escapeDeep(inner)]));
}

/** A time as Kubernetes writes it. Parsing one takes several times as long as this test. */
const kubernetesTime = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3])(:[0-5]\d){2}(\.\d{1,6})?Z$/;

export function isTime(text: string): boolean {
  return kubernetesTime.test(text) || !Number.isNaN(Date.parse(text));
}

/** Formats a time in UTC as ISO 8601; null for text that is not a time. */
export function storableTime(text: string | undefined): string | null {
  // Nothing to change, and this is the hot path.
  if (text === undefined || kubernetesTime.test(text)) return text ?? null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}
