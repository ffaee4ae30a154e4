import { z } from "zod";
import { formatSlack } from "#lib/domain/notify/format-slack.ts";
import type { SlackChannelConfig } from "#lib/server/platform/config/notification-schema.ts";
import { parseJson } from "#lib/util/json.ts";
import { withoutEndSlashes } from "./end-slashes.ts";
import { judgeAnswer, postJson, type Sending, type SendResult } from "./post-json.ts";
import { readOptionalSecret, readSecret } from "./read-secret.ts";

const word = z.string().regex(/^[a-z0-9_]{1,60}$/);

/** A method of Slack's API answers 200 even if it refuses. `channel` and `ts` name the message from then on. */
const ApiAnswer = z.object({
  ok: z.boolean(),
  error: word.optional().catch(undefined),
  channel: z
    .string()
    .regex(/^[A-Z0-9]{1,40}$/)
    .optional()
    .catch(undefined),
  ts: z
    .string()
    .regex(/^[0-9.]{1,40}$/)
    .optional()
    .catch(undefined),
});

/** A message that cannot be changed any more: trying again is of no use. */
const unchangeable = ["message_not_found", "cant_update_message", "edit_window_closed", "channel_not_found"];

/**
 * Posts a message to Slack: to an incoming webhook, or as a bot with chat.postMessage. Once a wait of a bot's message is
 * over, chat.update changes that message; a webhook cannot.
 */
export async function sendSlack(
  channel: SlackChannelConfig,
  { message, change, hasSlackActions, publicUrl, now, signal }: Sending,
  timeoutMs: number,
): Promise<SendResult> {
  if (message.shape === "resolve" && (change === undefined || channel.webhookUrl !== undefined))
    return { ok: true, note: "there is no message to change" };
  const body = formatSlack(change?.message ?? message, { publicUrl, hasActions: hasSlackActions === true });
  const common = { timeoutMs, signal, now };
  if (channel.webhookUrl !== undefined) {
    const url = await readSecret("webhook URL", channel.webhookUrl);
    const answer = await postJson({ ...common, url, body: JSON.stringify(body), headers: {} });
    return judgeAnswer(message, answer, "Slack");
  }
  const token = await readOptionalSecret("token", channel.token);
  const answer = await postJson({
    ...common,
    url: `${withoutEndSlashes(channel.apiUrl)}/${change === undefined ? "chat.postMessage" : "chat.update"}`,
    body: JSON.stringify({
      ...body,
      ...(change?.receipt ?? { channel: channel.channel }),
      metadata: { event_type: "gatehouse_message", event_payload: { id: (change?.message ?? message).id } },
    }),
    headers: { "content-type": "application/json; charset=utf-8", authorization: `Bearer ${token}` },
  });
  const said = ApiAnswer.safeParse(parseJson(answer.body)).data;
  if (answer.status !== 200) return judgeAnswer(message, answer, "Slack");
  if (said?.ok !== true) return refused(said?.error, change !== undefined);
  const { channel: id, ts } = said;
  const receipt = change === undefined && id !== undefined && ts !== undefined ? { receipt: { channel: id, ts } } : {};
  return { ...judgeAnswer(message, answer, "Slack"), ...receipt };
}

function refused(error: string | undefined, isChange: boolean): SendResult {
  if (isChange && error !== undefined && unchangeable.includes(error))
    return { ok: true, note: `the message stays as it is: ${error}` };
  return { ok: false, error: `Slack refused it: ${error ?? "answer not understood"}` };
}
