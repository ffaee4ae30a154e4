import { readFile } from "node:fs/promises";
import { formatCdEvent } from "#lib/domain/notify/format-cd-event.ts";
import { formatEmail, formatWebhook } from "#lib/domain/notify/formats.ts";
import type {
  CdEventsChannelConfig,
  ChannelConfig,
  EmailChannelConfig,
  WebhookChannelConfig,
} from "#lib/server/platform/config/notification-schema.ts";
import { describeFailure, judgeAnswer, noAnswer, type Sending, type SendResult } from "./post-json.ts";
import { postSigned } from "./post-signed.ts";
import { isMissingSecret, readOptionalSecret } from "./read-secret.ts";
import { sendAlerts } from "./send-alerts.ts";
import { sendDeployment } from "./send-deployment.ts";
import { sendPagerDuty } from "./send-pagerduty.ts";
import { sendSlack } from "./send-slack.ts";
import { sendTeams } from "./send-teams.ts";

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
      case "pagerduty":
        return await sendPagerDuty(channel, sending, timeoutMs);
      case "alertmanager":
        return await sendAlerts(channel, sending, timeoutMs);
      case "teams":
        return await sendTeams(channel, sending, timeoutMs);
      case "cdevents":
        return await sendCdEvent(channel, sending, timeoutMs);
      case "deployments":
        return await sendDeployment(channel, sending, timeoutMs);
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
  const event = formatWebhook(message, publicUrl);
  return judgeAnswer(message, await postSigned(channel, { id: message.id, event, now, signal, timeoutMs }));
}

/** Posts the end of a release as a signed CDEvent. Any 2xx is a success. */
async function sendCdEvent(
  channel: CdEventsChannelConfig,
  { message, publicUrl, now, signal }: Sending,
  timeoutMs: number,
): Promise<SendResult> {
  const event = formatCdEvent(message, publicUrl);
  // Of the time before the channel had this type.
  if (event === undefined) return { ok: true, note: "it is about no release" };
  return judgeAnswer(message, await postSigned(channel, { id: message.id, event, now, signal, timeoutMs }));
}

/** Sends a message by SMTP. Its Message-ID follows from the message's id: a repeat has the same. */
async function sendEmail(
  channel: EmailChannelConfig,
  { message, publicUrl, now, signal }: Sending,
  timeoutMs: number,
): Promise<SendResult> {
  const pass = await readOptionalSecret("password", channel.password);
  const ca = channel.caFile === undefined ? undefined : await readFile(channel.caFile, "utf8");
  // Loaded with the first mail: most recorders send none.
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    host: channel.host,
    port: channel.port,
    secure: channel.security === "tls",
    requireTLS: channel.security === "starttls",
    ignoreTLS: channel.security === "none",
    ...(channel.user === undefined ? {} : { auth: { user: channel.user, pass } }),
    ...(ca === undefined ? {} : { tls: { ca } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const { subject, text, html } = formatEmail(message, publicUrl);
  const ended = Promise.withResolvers<never>();
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const onEnd = (): void => ended.reject(new Error("deadline"));
  deadline.addEventListener("abort", onEnd, { once: true });
  try {
    const sent = await Promise.race([
      transport.sendMail({
        ...{ from: channel.from, to: channel.to, subject, text, html, date: now },
        messageId: `<${message.id}@${new URL(publicUrl).hostname}>`,
        headers: { "Auto-Submitted": "auto-generated" },
      }),
      ended.promise,
    ]);
    const refused = sent.rejected?.length ?? 0;
    if (refused > 0) return { ok: true, note: `the server refused ${refused} of its recipients` };
    return message.shape === "test" ? { ok: true, note: "accepted for all recipients" } : { ok: true };
  } catch (error) {
    return { ok: false, error: deadline.aborted ? noAnswer(timeoutMs) : describeSmtp(error) };
  } finally {
    deadline.removeEventListener("abort", onEnd);
    transport.close();
  }
}

/** Names code and command of a refusal; its text is the server's, and may hold anything. */
function describeSmtp(error: unknown): string {
  if (!(error instanceof Error)) return "the server could not be used";
  const { code, responseCode, command } = error as Error & {
    code?: unknown;
    responseCode?: unknown;
    command?: unknown;
  };
  const parts = [
    typeof responseCode === "number" ? `answered ${responseCode}` : "no use of the server",
    ...(isWord(command) ? [`at ${command}`] : []),
    ...(isWord(code) ? [`(${code})`] : []),
  ];
  return parts.join(" ");
}

function isWord(value: unknown): value is string {
  return typeof value === "string" && /^[A-Z][A-Z0-9_ ]{1,40}$/.test(value);
}
