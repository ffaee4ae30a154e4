import type { ChannelConfig } from "#lib/server/config/notification-schema.ts";
import { describeFailure } from "./post-json.ts";
import { isMissingSecret } from "./read-secret.ts";
import { sendEmail } from "./send-email.ts";
import { sendSlack } from "./send-slack.ts";
import { sendWebhook } from "./send-webhook.ts";
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
