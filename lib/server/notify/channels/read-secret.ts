import { parseSigningKey, signingKeyRule } from "#lib/domain/notify/signing-key.ts";
import type { WebhookChannelConfig } from "#lib/server/platform/config/notification-schema.ts";
import { describeSecretPlace, isSecretPlace, readSecretPlace } from "#lib/server/platform/config/secret-place.ts";
import { hasBrand } from "#lib/util/has-brand.ts";

/** A secret is missing, empty or not usable. Its message names the place, never the value. */
class MissingSecretError extends Error {
  readonly brand = "missing-secret";
}

export function isMissingSecret(error: unknown): error is MissingSecretError {
  return hasBrand(error, "missing-secret");
}

/**
 * Reads a secret from the place that the config names. Read at each message, so that a new one is used at once. Throws
 * `MissingSecretError`.
 */
export async function readSecret(what: string, place: string): Promise<string> {
  const secret = await readSecretPlace(place);
  if (secret === undefined || secret === "")
    throw new MissingSecretError(`the ${what} was not found in ${describeSecretPlace(place)}`);
  return secret;
}

/** Reads a secret that is optional in the config. */
export async function readOptionalSecret(what: string, place: string | undefined): Promise<string | undefined> {
  return place === undefined ? undefined : readSecret(what, place);
}

/** Returns the address of a webhook, which may be a secret itself. */
export async function readUrl({ url }: { url: string }): Promise<string> {
  return isSecretPlace(url) ? readSecret("URL", url) : url;
}

/** Reads the key that a webhook is signed with. */
export async function readSigningKey({
  signingSecret,
}: Pick<WebhookChannelConfig, "signingSecret">): Promise<Uint8Array> {
  const key = parseSigningKey(await readSecret("signing secret", signingSecret));
  if (key !== undefined) return key;
  const place = describeSecretPlace(signingSecret);
  throw new MissingSecretError(`the signing secret in ${place} cannot be used: ${signingKeyRule}`);
}
