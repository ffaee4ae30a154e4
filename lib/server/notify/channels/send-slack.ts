import { z } from "zod";
import { formatSlack } from "#lib/domain/notify/formats.ts";
import type { SlackChannelConfig } from "#lib/server/platform/config/notification-schema.ts";
import { parseJson } from "#lib/util/json.ts";
import { type Answer, postJson } from "./post-json.ts";
import { readOptionalSecret, readSecret } from "./read-secret.ts";
import type { Sending, SendResult } from "./sending.ts";

/** chat.postMessage answers 200 even if it refuses a message. */
const ApiAnswer = z.object({
  ok: z.boolean(),
  error: z
    .string()
    .regex(/^[a-z0-9_]{1,60}$/)
    .optional(),
});

/** Posts a message to Slack: to an incoming webhook, or as a bot with chat.postMessage. */
export async function sendSlack(
  channel: SlackChannelConfig,
  { message, publicUrl, now, signal }: Sending,
  timeoutMs: number,
): Promise<SendResult> {
  const body = formatSlack(message, publicUrl);
  const common = { timeoutMs, signal, now };
  if (channel.webhookUrl !== undefined) {
    const url = await readSecret("webhook URL", channel.webhookUrl);
    return judge(await postJson({ ...common, url, body: JSON.stringify(body), headers: {} }));
  }
  const token = await readOptionalSecret("token", channel.token);
  const answer = await postJson({
    ...common,
    url: `${channel.apiUrl.replace(/(?<!\/)\/+$/, "")}/chat.postMessage`,
    body: JSON.stringify({
      ...body,
      channel: channel.channel,
      metadata: { event_type: "gatehouse_message", event_payload: { id: message.id } },
    }),
    headers: { "content-type": "application/json; charset=utf-8", authorization: `Bearer ${token}` },
  });
  const said = ApiAnswer.safeParse(parseJson(answer.body));
  if (answer.status === 200 && said.data?.ok !== true)
    return { ok: false, error: `Slack refused it: ${said.data?.error ?? "answer not understood"}` };
  return judge(answer);
}

function judge({ status, retryAfterMs }: Answer): SendResult {
  if (status >= 200 && status < 300) return { ok: true };
  return { ok: false, error: `Slack answered ${status}`, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}
