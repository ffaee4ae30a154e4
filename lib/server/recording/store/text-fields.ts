import { boundTexts } from "#lib/domain/storable/bound-texts.ts";
import { escapeText, toStorableJson } from "#lib/domain/storable/escape-text.ts";
import { isSecretName, type Redaction, redactObject, redactWithSecrets } from "#lib/domain/storable/redact-object.ts";
import { hideSecrets, redacted, redactText } from "#lib/domain/storable/redact-text.ts";
import type { ObjectEntry } from "./batch-types.ts";

/** In characters: messages of controllers and events have some hundred. */
const longestText = 64 * 1024;
/** Longer than credentials with a known format, so that none is cut before it is recognised. */
const margin = 8 * 1024;

/**
 * Returns a message as it may be stored, cut to 64 Ki characters. `secrets` are those of the object that it belongs to.
 */
export function storableText(text: string, secrets: readonly string[] = []): string {
  if (text.length <= longestText) return escapeText(hideSecrets(redactText(text), secrets)).text;
  const shown = redactText(hideSecrets(text, secrets).slice(0, longestText + margin));
  return escapeText(`${shown.slice(0, longestText)}…`).text;
}

/**
 * Returns the JSON of foreign texts by name as it may be stored, bounded by `boundTexts`; null without any text.
 * `secrets` are those of the object that they belong to.
 */
export function storableTexts(
  texts: Readonly<Record<string, string>> | undefined,
  secrets: readonly string[],
): string | null {
  if (texts === undefined) return null;
  const shown = Object.entries(texts).map(([name, text]) => [
    storableText(name, secrets),
    isSecretName(name) ? redacted : storableText(text, secrets),
  ]);
  return shown.length === 0 ? null : toStorableJson(boundTexts(Object.fromEntries(shown)));
}

/** Returns a name, phase or other identifier as it may be stored. */
export function storableName(text: string): string {
  return escapeText(text).text;
}

/** Returns the JSON of an object, redacted. */
export function storableObject(object: unknown): string {
  return toStorableJson(redactObject(object));
}

/** Redacts a part of an entry's object, unless a thread has done so. */
export function redactPart(part: unknown, { redaction }: Pick<ObjectEntry, "redaction">): Redaction {
  return redaction !== undefined && redaction.part === part ? redaction : redactWithSecrets(part);
}

/** A redacted object, its JSON, and the literal secrets found in it: the object's other texts must not repeat them. */
export type StoredObject = Redaction & { json: string };

/** Redacts a part of the entry's object, or takes it as a thread redacted it. */
export function toStoredObject(part: unknown, entry: Pick<ObjectEntry, "redaction">): StoredObject {
  const redaction = redactPart(part, entry);
  return { ...redaction, json: toStorableJson(redaction.value) };
}
