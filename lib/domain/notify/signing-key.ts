const prefix = "whsec_";
const minBytes = 16;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The rule for a secret of Standard Webhooks, as a text; it never contains the secret. */
export const signingKeyRule = `after ${prefix} it must be base64 of at least ${minBytes} bytes`;

/**
 * Parses the key that webhooks are signed with: a secret that begins with `whsec_` is base64, any other is taken as it
 * is. Returns undefined if it breaks `signingKeyRule`: decoded leniently it could be empty.
 */
export function parseSigningKey(secret: string): Uint8Array | undefined {
  if (!secret.startsWith(prefix)) return Buffer.from(secret, "utf8");
  const encoded = secret.slice(prefix.length);
  const key = Buffer.from(encoded, "base64");
  return base64.test(encoded) && key.toString("base64") === encoded && key.length >= minBytes ? key : undefined;
}
