import { readFile } from "node:fs/promises";
import { parseSigningKey, signingKeyRule } from "#lib/domain/notify/signing-key.ts";
import { readNamedVariable } from "#lib/server/platform/config/environment.ts";
import type { WebhookChannelConfig } from "#lib/server/platform/config/notification-schema.ts";
import { hasBrand } from "#lib/util/has-brand.ts";

/** A secret is missing, empty or not usable. Its message names the place, never the value. */
class MissingSecretError extends Error {
  readonly brand = "missing-secret";
}

export function isMissingSecret(error: unknown): error is MissingSecretError {
  return hasBrand(error, "missing-secret");
}

type Place = { file: string | undefined; variable: string | undefined };

/**
 * Reads a secret from the file or the environment variable that the config names; undefined if it names neither. Read at
 * each message, so that a new one is used at once. Throws `MissingSecretError`.
 */
export async function readSecret(what: string, { file, variable }: Place): Promise<string | undefined> {
  if (file === undefined && variable === undefined) return undefined;
  const text =
    file === undefined ? readNamedVariable(variable ?? "") : await readFile(file, "utf8").catch(() => undefined);
  const secret = text?.trim();
  if (secret === undefined || secret === "")
    throw new MissingSecretError(`the ${what} was not found in ${nameOf({ file, variable })}`);
  return secret;
}

/** Reads one that must be there. */
export async function needSecret(what: string, place: Place): Promise<string> {
  const secret = await readSecret(what, place);
  if (secret === undefined) throw new MissingSecretError(`the config names no place of the ${what}`);
  return secret;
}

/** Reads the key that a webhook is signed with. */
export async function needSigningKey(channel: WebhookChannelConfig): Promise<Uint8Array> {
  const place = { file: channel.signingSecretFile, variable: channel.signingSecretEnv };
  const key = parseSigningKey(await needSecret("signing secret", place));
  if (key === undefined)
    throw new MissingSecretError(`the signing secret in ${nameOf(place)} cannot be used: ${signingKeyRule}`);
  return key;
}

function nameOf({ file, variable }: Place): string {
  return file === undefined ? `environment variable ${variable}` : `file ${file}`;
}
