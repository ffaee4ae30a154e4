import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import { RolloutPath } from "#lib/contract/rollout.ts";
import { slackActions } from "#lib/domain/notify/format-slack.ts";
import type { WaitPlace } from "#lib/domain/notify/formats.ts";
import { findingSeverities } from "#lib/domain/oversight/rule.ts";
import { parseJson } from "#lib/util/json.ts";

/** A request that was signed longer ago may be a repeat of one that was overheard. */
const validSeconds = 300;

type Signature = { timestamp: string; signature: string };

/** Reads the signature of a request; undefined if it has none in this form, or if it is too old or too new. */
export function readSignature(headers: IncomingHttpHeaders, now: Date): Signature | undefined {
  const { "x-slack-request-timestamp": timestamp, "x-slack-signature": signature } = headers;
  if (typeof timestamp !== "string" || !/^\d{1,12}$/.test(timestamp)) return undefined;
  if (typeof signature !== "string" || !/^v0=[0-9a-f]{64}$/.test(signature)) return undefined;
  return Math.abs(now.getTime() / 1000 - Number(timestamp)) > validSeconds ? undefined : { timestamp, signature };
}

/** Compares the signature with that of the body as it was received (docs.slack.dev: verifying requests), in constant time. */
export function isSignedBy(secret: string, body: Buffer, { timestamp, signature }: Signature): boolean {
  const expected = createHmac("sha256", secret).update(`v0:${timestamp}:`).update(body).digest();
  return timingSafeEqual(expected, Buffer.from(signature.slice("v0=".length), "hex"));
}

const slackId = z.string().regex(/^[A-Z0-9]{3,40}$/);
const Payload = z.object({
  user: z.object({ id: slackId, team_id: slackId.nullish() }),
  response_url: z.string().max(2000).optional(),
  actions: z.array(z.object({ action_id: z.string(), value: z.string().max(2000).optional() })).min(1),
});
const Wait = RolloutPath.extend({
  since: z.iso.datetime(),
  severity: z.enum(findingSeverities),
}) satisfies z.ZodType<WaitPlace>;

/** A click on one of our buttons. `team`: the workspace of the person. */
export type SlackClick = {
  action: keyof typeof slackActions;
  user: string;
  team: string | undefined;
  wait: z.infer<typeof Wait>;
  /** Where the reply is posted to. */
  responseUrl: string | undefined;
};

/**
 * Parses the form that Slack posts. `nothing`: a click that needs no answer, such as one on a link, or something else
 * than a click. Undefined if it cannot be read.
 */
export function parseClick(body: Buffer): SlackClick | "nothing" | undefined {
  const payload = new URLSearchParams(body.toString("utf8")).get("payload");
  const value = payload === null ? undefined : parseJson(payload);
  const { type } = z.object({ type: z.string() }).safeParse(value).data ?? {};
  if (type === undefined) return undefined;
  if (type !== "block_actions") return "nothing";
  const { user, response_url: responseUrl, actions: [clicked] = [] } = Payload.safeParse(value).data ?? {};
  if (user === undefined || clicked === undefined) return undefined;
  const action = (["claim", "snooze"] as const).find((each) => slackActions[each] === clicked.action_id);
  if (action === undefined) return "nothing";
  const wait = Wait.safeParse(parseJson(clicked.value ?? "")).data;
  return wait && { action, user: user.id, team: user.team_id ?? undefined, wait, responseUrl };
}
