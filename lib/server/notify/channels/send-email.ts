import { readFile } from "node:fs/promises";
import { formatEmail } from "#lib/domain/notify/formats.ts";
import type { EmailChannelConfig } from "#lib/server/platform/config/notification-schema.ts";
import { noAnswer, type Sending, type SendResult } from "./post-json.ts";
import { readOptionalSecret } from "./read-secret.ts";

/** Sends a message by SMTP. Its Message-ID follows from the message's id: a repeat has the same. */
export async function sendEmail(
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
    return refused === 0 ? { ok: true } : { ok: true, note: `the server refused ${refused} of its recipients` };
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
