import { formatCloudEvent } from "#lib/domain/notify/format-cloud-event.ts";
import type { WebhookChannelConfig } from "#lib/server/config/notification-schema.ts";
import { postJson } from "./post-json.ts";
import { needSecret, needSigningKey, readSecret } from "./read-secret.ts";
import type { Sending, SendResult } from "./sending.ts";
import { signWebhook } from "./sign-webhook.ts";

/** Posts a message as a signed CloudEvent. Any 2xx is a success. */
export async function sendWebhook(
  channel: WebhookChannelConfig,
  { message, publicUrl, now, signal }: Sending,
  timeoutMs: number,
): Promise<SendResult> {
  const url = channel.url ?? (await needSecret("URL", { file: channel.urlFile, variable: channel.urlEnv }));
  const key = await needSigningKey(channel);
  const token = await readSecret("token", { file: channel.tokenFile, variable: channel.tokenEnv });
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
