import { z } from "zod";
import { withoutEndSlashes } from "#lib/server/notify/channels/end-slashes.ts";
import { postJson } from "#lib/server/notify/channels/post-json.ts";
import { readSecret } from "#lib/server/notify/channels/read-secret.ts";
import type { PersonName } from "#lib/server/people/auth/find-person-actor.ts";
import type { SlackAppConfig } from "#lib/server/platform/config/notification-schema.ts";
import { parseJson } from "#lib/util/json.ts";

const answerWithinMs = 3000;

const UserInfo = z.object({
  ok: z.literal(true),
  user: z.object({
    id: z.string(),
    team_id: z.string(),
    deleted: z.boolean().optional(),
    is_bot: z.boolean().optional(),
    is_stranger: z.boolean().optional(),
    is_email_confirmed: z.boolean().optional(),
    profile: z.object({ email: z.email().max(320).optional() }),
  }),
});

/**
 * Names the person behind a user of Slack: as the config says, else by the e-mail address that Slack has confirmed, if
 * there is a token to ask with. Undefined for anyone else.
 */
export async function findSlackPerson(app: SlackAppConfig, user: string, now: Date): Promise<PersonName | undefined> {
  const subject = Object.hasOwn(app.users, user) ? app.users[user] : undefined;
  if (subject !== undefined) return { subject };
  if (app.token === undefined) return undefined;
  const token = await readSecret("token", app.token);
  const answer = await postJson({
    method: "GET",
    url: `${withoutEndSlashes(app.apiUrl)}/users.info?${new URLSearchParams({ user })}`,
    headers: { authorization: `Bearer ${token}` },
    timeoutMs: answerWithinMs,
    signal: AbortSignal.timeout(answerWithinMs),
    now,
  });
  const info = answer.status === 200 ? UserInfo.safeParse(parseJson(answer.body)).data?.user : undefined;
  if (info === undefined || info.id !== user || info.team_id !== app.team) return undefined;
  const { deleted, is_bot: isBot, is_stranger: isStranger, is_email_confirmed: isConfirmed, profile } = info;
  const isOurs = deleted !== true && isBot !== true && isStranger !== true && isConfirmed !== false;
  return isOurs && profile.email !== undefined ? { email: profile.email } : undefined;
}
