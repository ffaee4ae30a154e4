import { formatTeams } from "#lib/domain/notify/format-teams.ts";
import type { TeamsChannelConfig } from "#lib/server/platform/config/notification-schema.ts";
import { judgeAnswer, postJson, type Sending, type SendResult } from "./post-json.ts";
import { readSecret } from "./read-secret.ts";

/** Posts a message as an Adaptive Card to a workflow of Teams. The workflow answers before it posts. */
export async function sendTeams(
  channel: TeamsChannelConfig,
  { message, publicUrl, now, signal }: Sending,
  timeoutMs: number,
): Promise<SendResult> {
  const url = await readSecret("webhook URL", channel.webhookUrl);
  const body = JSON.stringify(formatTeams(message, publicUrl));
  const answer = await postJson({ ...{ url, body, timeoutMs, signal, now }, headers: {} });
  return judgeAnswer(message, answer, "Teams");
}
