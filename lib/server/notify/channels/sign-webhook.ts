import { createHmac } from "node:crypto";

/**
 * Returns the headers of Standard Webhooks (standardwebhooks.com, version 1): the signature is the base64 of the
 * HMAC-SHA256 of `id.timestamp.body`. A secret that begins with `whsec_` is base64; any other is taken as it is.
 */
export function signWebhook({
  id,
  body,
  secret,
  now,
}: {
  id: string;
  body: string;
  secret: string;
  now: Date;
}): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret, "utf8");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`, "utf8").digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}
