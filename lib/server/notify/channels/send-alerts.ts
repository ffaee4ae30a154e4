import { formatAlert } from "#lib/domain/notify/format-alerts.ts";
import type { AlertmanagerChannelConfig } from "#lib/server/platform/config/notification-schema.ts";
import { withoutEndSlashes } from "./end-slashes.ts";
import { judgeAnswer, postJson, type Sending, type SendResult } from "./post-json.ts";
import { readOptionalSecret, readUrl } from "./read-secret.ts";

/** Alerts stay open for so long after they were sent; they are sent again well before. */
const openForMs = 600_000;
const alertsPerPost = 500;

/** Posts alerts to Alertmanager's API v2. Repeating it changes nothing: an alert is identified by its labels. */
export async function sendAlerts(
  channel: AlertmanagerChannelConfig,
  { message, alerts = [], publicUrl, now, signal }: Sending,
  timeoutMs: number,
): Promise<SendResult> {
  const base = withoutEndSlashes(await readUrl(channel));
  const token = await readOptionalSecret("token", channel.token);
  const openUntil = new Date(now.getTime() + openForMs);
  let result: SendResult = { ok: true, note: "over before it was sent" };
  for (let from = 0; from < alerts.length; from += alertsPerPost) {
    const posted = alerts
      .slice(from, from + alertsPerPost)
      .map(({ event, endedAt }) => formatAlert(event, { publicUrl, now, endsAt: endedAt ?? openUntil }));
    const answer = await postJson({
      ...{ url: `${base}/api/v2/alerts`, body: JSON.stringify(posted), timeoutMs, signal, now },
      caFile: channel.caFile,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
    result = judgeAnswer(message, answer, "Alertmanager");
    if (!result.ok) return result;
  }
  return result;
}
