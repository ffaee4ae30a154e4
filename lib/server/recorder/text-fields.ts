import { escapeText, toStorableJson } from "#lib/domain/history/escape-text.ts";
import { redactObject } from "#lib/domain/history/redact-object.ts";
import { redactText } from "#lib/domain/history/redact-text.ts";

/** A message as it may be stored. */
export function storableText(text: string): string {
  return escapeText(redactText(text)).text;
}

/** A name, phase or other identifier as it may be stored. */
export function storableName(text: string): string {
  return escapeText(text).text;
}

/** JSON of an object, redacted. */
export function storableObject(object: unknown): string {
  return toStorableJson(redactObject(object));
}

/** ISO 8601, or null for text that is no time. */
export function storableTime(text: string | undefined): string | null {
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}
