import { createHmac } from "node:crypto";
import { formatCloudEvent } from "#lib/domain/notify/formats.ts";
import type { ChannelConfig, WebhookChannelConfig } from "#lib/server/platform/config/notification-schema.ts";
import { describeFailure, postJson } from "./post-json.ts";
import { isMissingSecret, readOptionalSecret, readSigningKey, readUrl } from "./read-secret.ts";
import { sendEmail } from "./send-email.ts";
import { sendSlack } from "./send-slack.ts";
import type { Sending, SendResult } from "./sending.ts";

const defaultTimeoutMs = 10_000;

/** Sends a message to its channel, once. Never rejects: whatever happens is a result. */
export async function sendMessage(
  channel: ChannelConfig,
  sending: Sending,
  timeoutMs = defaultTimeoutMs,
): Promise<SendResult> {
  try {
    switch (channel.type) {
      case "slack":
        return await sendSlack(channel, sending, timeoutMs);
      case "webhook":
        return await sendWebhook(channel, sending, timeoutMs);
      case "email":
        return await sendEmail(channel, sending, timeoutMs);
    }
  } catch (error) {
    if (isMissingSecret(error)) return { ok: false, error: error.message };
    return { ok: false, error: describeFailure(error, timeoutMs) };
  }
}

/** Posts a message as a signed CloudEvent. Any 2xx is a success. */
async function sendWebhook(
  channel: WebhookChannelConfig,
  { message, publicUrl, now, signal }: Sending,
  timeoutMs: number,
): Promise<SendResult> {
  const url = await readUrl(channel);
  const key = await readSigningKey(channel);
  const token = await readOptionalSecret("token", channel.token);
  const body = JSON.stringify(formatCloudEvent(message, publicUrl));
  const { status, retryAfterMs } = await postJson({
    ...{ url, body, timeoutMs, signal, now, caFile: channel.caFile },
    headers: {
      "content-type": "application/cloudevents+json; charset=utf-8",
      ...signWebhook({ id: message.id, body, key, now }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
  });
  if (status >= 200 && status < 300) return { ok: true };
  return { ok: false, error: `answered ${status}`, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/**
 * Returns the headers of Standard Webhooks (standardwebhooks.com, version 1): the signature is the base64 of the
 * HMAC-SHA256 of `id.timestamp.body`.
 */
function signWebhook({
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
