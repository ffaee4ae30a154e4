import { escapeText, toStorableJson } from "#lib/domain/storable/escape-text.ts";
import { redactObject, redactWithSecrets } from "#lib/domain/storable/redact-object.ts";
import { hideSecrets, redactText } from "#lib/domain/storable/redact-text.ts";

/** Returns a message as it may be stored. `secrets` are those of the object that it belongs to. */
export function storableText(text: string, secrets: readonly string[] = []): string {
  return escapeText(hideSecrets(redactText(text), secrets)).text;
}

/** Returns a name, phase or other identifier as it may be stored. */
export function storableName(text: string): string {
  return escapeText(text).text;
}

/** Returns the JSON of an object, redacted. */
export function storableObject(object: unknown): string {
  return toStorableJson(redactObject(object));
}

/** A redacted object, its JSON, and the literal secrets found in it: the object's other texts must not repeat them. */
export type StoredObject = { value: unknown; json: string; secrets: readonly string[] };

export function toStoredObject(object: unknown): StoredObject {
  const { value, secrets } = redactWithSecrets(object);
  return { value, json: toStorableJson(value), secrets };
}
