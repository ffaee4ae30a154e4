import type { SlackAppConfig } from "#lib/server/platform/config/notification-schema.ts";
import { readSecretPlace } from "#lib/server/platform/config/secret-place.ts";
import { type Answering, readBody, send } from "#lib/server/webhooks/hook-http.ts";
import { isSignedBy, parseClick, readSignature, type SlackClick } from "#lib/server/webhooks/slack-request.ts";

/** The request URL of the Slack app. */
export const slackPath = "/hooks/slack";

/** Takes the clicks in Slack. */
export type SlackClicks = {
  /** Undefined if the config has no Slack app. */
  app(): SlackAppConfig | undefined;
  now(): Date;
  /** Answers a click later, in Slack. Returns false if too many are being answered. */
  take(click: SlackClick): boolean;
};

/** Slack sends the message that was clicked along, with all of its texts. */
const maxBytes = 512 * 1024;
const readWithinMs = 2000;
const maxBodies = 8;
let bodies = 0;

/**
 * Answers a request of Slack, which waits three seconds: with 200 once the click is signed and readable. The click itself
 * is answered in Slack.
 */
export async function serveSlack({
  request,
  response,
  clicks,
}: Answering & { clicks: SlackClicks | undefined }): Promise<void> {
  const answer = (status: number, reason: string) => send({ request, response, status, body: { reason } });
  try {
    const app = clicks?.app();
    if (clicks === undefined) return answer(503, "starting");
    if (app === undefined) return answer(404, "not_found");
    if (request.method !== "POST") return answer(405, "method_not_allowed");
    const signature = readSignature(request.headers, clicks.now());
    if (signature === undefined) return answer(401, "bad_signature");
    if (bodies >= maxBodies) return answer(503, "busy");
    const body = await readOne(request);
    if (body.kind === "too_large") return answer(413, "payload_too_large");
    if (body.kind === "missing") return answer(400, "bad_payload");
    const secret = await readSecretPlace(app.signingSecret);
    if (secret === undefined || secret === "") return answer(503, "secret_unavailable");
    if (!isSignedBy(secret, body.bytes, signature)) return answer(401, "bad_signature");
    const click = parseClick(body.bytes);
    if (click === undefined) return answer(400, "bad_payload");
    if (click !== "nothing" && !clicks.take(click)) return answer(503, "busy");
    // A body could be taken for a new text of the message.
    response.writeHead(200, { "content-length": 0, "cache-control": "no-store" }).end();
  } catch {
    answer(503, "unavailable");
  }
}

async function readOne(request: Answering["request"]): ReturnType<typeof readBody> {
  bodies += 1;
  try {
    return await readBody(request, { deadline: performance.now() + readWithinMs, maxBytes });
  } finally {
    bodies -= 1;
  }
}
