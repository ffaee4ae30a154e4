import { z } from "zod";
import { formatPagerDuty } from "#lib/domain/notify/format-pagerduty.ts";
import type { PagerDutyChannelConfig } from "#lib/server/platform/config/notification-schema.ts";
import { parseJson } from "#lib/util/json.ts";
import { withoutEndSlashes } from "./end-slashes.ts";
import { judgeAnswer, postJson, type Sending, type SendResult } from "./post-json.ts";
import { readSecret } from "./read-secret.ts";

/** Says why an event is refused; the errors beside it may repeat the event. */
const Refusal = z.object({ status: z.string().regex(/^[a-z][a-z ]{1,40}$/) });

/**
 * Sends what a message asks for to PagerDuty's Events API v2. A repeat has the same dedup key, which opens nothing new. A
 * test opens an incident and resolves it.
 */
export async function sendPagerDuty(
  channel: PagerDutyChannelConfig,
  { message, publicUrl, now, signal }: Sending,
  timeoutMs: number,
): Promise<SendResult> {
  const routingKey = await readSecret("routing key", channel.routingKey);
  const url = `${withoutEndSlashes(channel.apiUrl)}/v2/enqueue`;
  let result: SendResult = { ok: true };
  for (const action of actionsOf(message.shape)) {
    const body = JSON.stringify(formatPagerDuty(message, { publicUrl, routingKey, action }));
    const answer = await postJson({ ...{ url, body, timeoutMs, signal, now }, headers: {} });
    const said = answer.status === 400 ? Refusal.safeParse(parseJson(answer.body)).data : undefined;
    result = said === undefined ? judgeAnswer(message, answer, "PagerDuty") : refusedAs(said.status);
    if (!result.ok) return result;
  }
  return result;
}

function refusedAs(status: string): SendResult {
  return { ok: false, error: `PagerDuty refused it: ${status}` };
}

function actionsOf(shape: Sending["message"]["shape"]): ("trigger" | "acknowledge" | "resolve")[] {
  if (shape === "test") return ["trigger", "resolve"];
  return [shape === "acknowledge" || shape === "resolve" ? shape : "trigger"];
}
