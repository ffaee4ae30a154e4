import { createHmac } from "node:crypto";
import type { WebhookChannelConfig } from "#lib/server/platform/config/notification-schema.ts";
import { type Answer, postJson } from "./post-json.ts";
import { readOptionalSecret, readSigningKey, readUrl } from "./read-secret.ts";

/** Posts a CloudEvent to a webhook, signed. Throws as `postJson` does, or for a missing secret. */
export async function postSigned(
  channel: Pick<WebhookChannelConfig, "url" | "signingSecret" | "token" | "caFile">,
  {
    id,
    event,
    now,
    ...limits
  }: { id: string; event: unknown; now: Date; signal: AbortSignal; timeoutMs: number; maxAnswerBytes?: number },
): Promise<Answer> {
  const url = await readUrl(channel);
  const key = await readSigningKey(channel);
  const token = await readOptionalSecret("token", channel.token);
  const body = JSON.stringify(event);
  return postJson({
    ...{ url, body, now, caFile: channel.caFile, ...limits },
    headers: {
      "content-type": "application/cloudevents+json; charset=utf-8",
      ...signWebhook({ id, body, key, now }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
  });
}

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
