import type { z } from "zod";
import { linkTo } from "#lib/domain/notify/notifiable-event.ts";
import type { DeploymentsChannelConfig } from "#lib/server/platform/config/notification-schema.ts";
import { hasBrand } from "#lib/util/has-brand.ts";
import { parseJson } from "#lib/util/json.ts";
import { cleanLine, cutText } from "#lib/util/text.ts";
import type { Ask, Reporting } from "./code-host.ts";
import { withoutEndSlashes } from "./end-slashes.ts";
import { type Answer, judgeAnswer, postJson, type Sending, type SendResult } from "./post-json.ts";
import { readSecret } from "./read-secret.ts";
import { reportToGitHub } from "./report-to-github.ts";
import { reportToGitLab } from "./report-to-gitlab.ts";

class RefusedError extends Error {
  readonly brand = "refused-by-code-host";
  readonly result: SendResult;
  constructor(result: SendResult) {
    super("a code host refused a request");
    this.result = result;
  }
}

const longestDescription = 140;

/**
 * Makes a deployment of a release, or finds the one that was made before, and sets its state. Repeating it changes
 * nothing. A test reads something that takes the token.
 */
export async function sendDeployment(
  channel: DeploymentsChannelConfig,
  { message, publicUrl, now, signal }: Sending,
  timeoutMs: number,
): Promise<SendResult> {
  const token = await readSecret("token", channel.token);
  const { isGitHub, who, base } = describeHost(channel);
  const send = ({ method, path, body }: { method: "GET" | "POST" | "PUT"; path: string; body?: unknown }) =>
    postJson({
      ...{ method, url: `${base}${path}`, timeoutMs, signal, now, caFile: channel.caFile },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      maxAnswerBytes: longestAnswer,
      headers: {
        authorization: `Bearer ${token}`,
        ...(isGitHub ? { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" } : {}),
      },
    });
  if (message.shape === "test") {
    const answer = await send({ method: "GET", path: isGitHub ? "/rate_limit" : "/version" });
    const result = judgeAnswer(message, answer, who);
    return result.ok ? { ...result, note: `${result.note ?? ""}; nothing was created` } : result;
  }
  const [event] = message.events;
  // Of the time before the channel had this type.
  if (event?.deployment === undefined) return { ok: true, note: "it is about no deployment" };
  const ask: Ask = async (request, form) => read(await send(request), { form, who, what: wordOf(request) });
  const report: Reporting = {
    ...event.deployment,
    key: message.incidentId ?? message.id,
    description: cutText(cleanLine(event.title), longestDescription),
    link: linkTo(publicUrl, event.path),
  };
  try {
    await (isGitHub ? reportToGitHub(ask, report) : reportToGitLab(ask, report));
    return { ok: true };
  } catch (error) {
    if (isRefused(error)) return error.result;
    throw error;
  }
}

/** A list of 100 deployments, each with the person who made it. */
const longestAnswer = 2 * 1024 * 1024;

function describeHost({ provider, apiUrl }: DeploymentsChannelConfig) {
  const base = withoutEndSlashes(apiUrl);
  return provider === "github"
    ? { isGitHub: true, who: "GitHub", base }
    : { isGitHub: false, who: "GitLab", base: `${base}/api/v4` };
}

/** Names a request in an error, without names from outside. */
function wordOf({ method, path }: { method: string; path: string }): string {
  const last = /(deployments|statuses|environments)(?:\/\d+)?(?:\?|$)/.exec(path)?.[1] ?? "a request";
  return `${method} ${last}`;
}

type Reading<Body> = { form: z.ZodType<Body>; who: string; what: string };

function read<Body>(answer: Answer, { form, who, what }: Reading<Body>): Body {
  const judged = judgeAnswer({ shape: "single" }, answer, who);
  if (!judged.ok) throw new RefusedError({ ...judged, error: `${judged.error} to ${what}` });
  const body = form.safeParse(answer.isCut ? undefined : parseJson(answer.body));
  if (!body.success) throw new RefusedError({ ok: false, error: `${who} answered ${what} in an unknown form` });
  return body.data;
}

function isRefused(error: unknown): error is RefusedError {
  return hasBrand(error, "refused-by-code-host");
}
