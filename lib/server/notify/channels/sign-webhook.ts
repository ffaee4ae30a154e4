import { createHmac } from "node:crypto";

/**
 * Returns the headers of Standard Webhooks (standardwebhooks.com, version 1): the signature is the base64 of the
 * HMAC-SHA256 of `id.timestamp.body`.
 */
export function signWebhook({
  id,
  body,
  key,
  now,
}: {
  id: string;
  body: string;
  key: Uint8Array;
  now: Date;
}): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`, "utf8").digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}
