import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { escapeSlack } from "#lib/domain/notify/format-slack.ts";
import { linkTo, pathOfRollout } from "#lib/domain/notify/notifiable-event.ts";
import { auditRefusal } from "#lib/server/audit/audit-refusal.ts";
import { withoutEndSlashes } from "#lib/server/notify/channels/end-slashes.ts";
import { postJson } from "#lib/server/notify/channels/post-json.ts";
import { readSecret } from "#lib/server/notify/channels/read-secret.ts";
import { findPersonActor, type PersonName } from "#lib/server/people/auth/find-person-actor.ts";
import { findWait } from "#lib/server/people/permission/find-wait.ts";
import { isServiceError, ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { SlackAppConfig } from "#lib/server/platform/config/notification-schema.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { assertSchemaReady } from "#lib/server/process/assert-schema-ready.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";
import type { SlackClicks } from "#lib/server/webhooks/serve-slack.ts";
import type { SlackClick } from "#lib/server/webhooks/slack-request.ts";
import { parseJson } from "#lib/util/json.ts";
import { claimWait } from "./claim.ts";
import { snooze } from "./snooze.ts";

/** A reply in Slack: all in the channel see what was done, and only the person sees why it was not. */
type Reply = { text: string; isForAll: boolean };

const maxAtOnce = 16;
const replyWithinMs = 5000;
const snoozeMinutes = 60;

const servers = new WeakMap<WebRuntime, SlackClicks>();

/** Returns what takes the clicks of a process's runtime. */
export function slackClicksOf(runtime: WebRuntime): SlackClicks {
  const known = servers.get(runtime) ?? createSlackClicks(runtime);
  servers.set(runtime, known);
  return known;
}

function createSlackClicks(runtime: WebRuntime): SlackClicks {
  const app = () => runtime.config().config.notifications.slack;
  let underWay = 0;

  async function answer(click: SlackClick, slack: SlackAppConfig): Promise<void> {
    try {
      const reply = await answerSlackClick({ runtime, slack, click }).catch((error: unknown) => {
        runtime.log.warn({ err: error }, "a click in Slack could not be answered");
        return refuse(`It could not be done. Use the page: ${linkOf(runtime, click.wait)}`);
      });
      await post({ runtime, slack, click, reply });
    } catch (error) {
      runtime.log.warn({ err: error }, "a reply to Slack could not be sent");
    } finally {
      underWay -= 1;
    }
  }

  return {
    app,
    now: () => runtime.now(),
    take(click) {
      const slack = app();
      if (slack === undefined || underWay >= maxAtOnce) return false;
      underWay += 1;
      void answer(click, slack);
      return true;
    },
  };
}

type Answering = { runtime: WebRuntime; slack: SlackAppConfig; click: SlackClick };

/** Claims or snoozes a wait as the person who clicked, with the rights and the audit entry of the page. */
async function answerSlackClick({ runtime, slack, click }: Answering): Promise<Reply> {
  const { publicUrl } = runtime.config().config;
  if (click.team !== slack.team) return refuse("Only people of the workspace that Gatehouse belongs to can do this.");
  await assertSchemaReady(runtime);
  const name = await findSlackPerson(slack, click.user, runtime.now());
  const person = name === undefined ? ({ kind: "unknown" } as const) : await findPersonActor(runtime, name);
  if (person.kind === "unknown")
    return refuse(
      `Gatehouse does not know who you are. An admin can name you, as ${click.user}, in notifications.slack.users.`,
    );
  if (person.kind === "signed-out")
    return refuse(`Sign in to Gatehouse, then press the button again: ${linkTo(publicUrl, "/inbox")}`);
  const ctx: ServiceContext = { runtime, actor: person.actor, requestId: randomUUID() };
  try {
    return await act(ctx, click);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    if (error.code === "forbidden") await auditForbidden(ctx, click, error);
    return refuse(`${escapeSlack(error.message)} ${linkOf(runtime, click.wait)}`);
  }
}

async function act(ctx: ServiceContext, { action, user, wait }: SlackClick): Promise<Reply> {
  const { severity, since, ...path } = wait;
  const via = { via: "slack", slackUser: user } as const;
  const what = escapeSlack(`${path.namespace}/${path.name}`);
  const who = escapeSlack(ctx.actor.name);
  if (action === "claim") {
    const { expiresAt } = await claimWait({ ctx, input: { ...path, since }, via });
    return { text: `${who} is on ${what} until ${timeOf(expiresAt)}.`, isForAll: true };
  }
  const row = await findWait(ctx, path);
  // The message shows a wait, not a view: it may be put off as long as it is that wait, and no more severe.
  if (row.attention_since?.getTime() !== Date.parse(since) || row.attention_severity !== severity)
    throw new ServiceError("stale_view", "It changed since this message. Look again, then snooze it.", {
      changes: null,
    });
  const now = await readDatabaseTime(ctx.runtime.pool);
  const until = new Date(now.getTime() + snoozeMinutes * 60_000).toISOString();
  await snooze({ ctx, input: { ...path, reason: "Snoozed in Slack", viewDigest: row.view_digest, until }, via });
  return { text: `${who} snoozed ${what} until ${timeOf(until)}.`, isForAll: true };
}

/** As every endpoint does, for what a service has not audited itself. */
async function auditForbidden(ctx: ServiceContext, { action, user }: SlackClick, error: ServiceError): Promise<void> {
  const detail = { endpoint: action, via: "slack", slackUser: user };
  await auditRefusal({ ctx, error, asked: { code: "access.refused", detail }, place: action });
}

function refuse(text: string): Reply {
  return { text, isForAll: false };
}

function linkOf(runtime: WebRuntime, path: ObjectRef): string {
  return linkTo(runtime.config().config.publicUrl, pathOfRollout(path));
}

/** Slack shows the time in the zone of each reader. */
function timeOf(time: string): string {
  return `<!date^${Math.floor(Date.parse(time) / 1000)}^{time}|${time}>`;
}

const replyHosts = ["hooks.slack.com", "hooks.slack-gov.com"];

async function post({ runtime, slack, click, reply }: Answering & { reply: Reply }): Promise<void> {
  const url = URL.parse(click.responseUrl ?? "");
  if (url === null) return;
  const isSlack = url.protocol === "https:" && replyHosts.includes(url.host);
  if (!isSlack && url.origin !== URL.parse(slack.apiUrl)?.origin) return;
  const body = {
    response_type: reply.isForAll ? "in_channel" : "ephemeral",
    ...{ replace_original: false, text: reply.text },
  };
  await postJson({
    ...{ url: url.href, body: JSON.stringify(body), headers: {}, timeoutMs: replyWithinMs },
    ...{ signal: AbortSignal.timeout(replyWithinMs), now: runtime.now() },
  });
}

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
async function findSlackPerson(app: SlackAppConfig, user: string, now: Date): Promise<PersonName | undefined> {
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
