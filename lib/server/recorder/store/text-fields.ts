import { escapeText, toStorableJson } from "#lib/domain/storable/escape-text.ts";
import { redactObject, redactWithSecrets } from "#lib/domain/storable/redact-object.ts";
import { hideSecrets, redactText } from "#lib/domain/storable/redact-text.ts";

/** A message as it may be stored. `secrets` are those of the object that it belongs to. */
export function storableText(text: string, secrets: readonly string[] = []): string {
  return escapeText(hideSecrets(redactText(text), secrets)).text;
}

/** A name, phase or other identifier as it may be stored. */
export function storableName(text: string): string {
  return escapeText(text).text;
}

/** JSON of an object, redacted. */
export function storableObject(object: unknown): string {
  return toStorableJson(redactObject(object));
}

/** JSON of an object, redacted, and the literal secrets found in it: its texts elsewhere must not repeat them. */
export type StoredObject = { json: string; secrets: readonly string[] };

export function toStoredObject(object: unknown): StoredObject {
  const { value, secrets } = redactWithSecrets(object);
  return { json: toStorableJson(value), secrets };
}
