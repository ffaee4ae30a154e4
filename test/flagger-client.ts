import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";

/** The fields of a `webhooks` entry of a Canary that change how it is called. */
export type FlaggerHook = {
  /** May carry user and password, which Go sends as Basic authentication. */
  url: string;
  /** Of one attempt; the controller's default is 10 s. */
  timeoutMs?: number;
  retries?: number;
  disableTLS?: boolean;
  /** The address that it calls from; the system chooses one without it. */
  from?: string | undefined;
};

/** What Flagger makes of the answer. */
export type HookOutcome = {
  /** The gate passes, or the rollback is carried out. */
  passes: boolean;
  /** Of the last answer; undefined if none came. */
  status: number | undefined;
  attempts: number;
  /** The text of the error, which reaches an event of the Canary; empty if it passes. */
  error: string;
  /** The body of a refusal is that text. */
  bodyReachesEvent: boolean;
};

const maxRedirects = 10;
const [minWaitMs, maxWaitMs] = [1000, 30_000];

type Attempt = { status: number; body: string; retryAfter: string | undefined };

/**
 * Calls a hook as Flagger 1.44.0 does: `callWebhook` of pkg/controller/webhook.go with hashicorp/go-retryablehttp 0.7.8
 * on Go's client. Network errors, 429, and 5xx other than 501 are retried; redirects are followed, and a 301, 302 or
 * 303 turns POST into GET; a final status up to 202 passes. `wait` replaces the pauses between attempts.
 */
export async function callAsFlagger(
  { url, timeoutMs = 10_000, retries = 0, disableTLS = false, from }: FlaggerHook,
  payload: unknown,
  wait: (ms: number) => Promise<unknown> = sleep,
): Promise<HookOutcome> {
  const body = JSON.stringify(payload);
  for (let attempts = 1; ; attempts += 1) {
    const [answer, failure] = await follow({ url: new URL(url), method: "POST", body, timeoutMs, disableTLS, from });
    const status = answer?.status;
    const mayRetry = status === undefined ? failure?.mayRetry === true : isRetried(status);
    if (!mayRetry) {
      const passes = status !== undefined && status <= 202;
      const error = passes ? "" : (answer?.body ?? failure?.text ?? "");
      return { passes, status, attempts, error, bodyReachesEvent: answer !== undefined && !passes };
    }
    if (attempts > retries) {
      const error = `POST ${withoutPassword(url)} giving up after ${attempts} attempt(s)`;
      return { passes: false, status, attempts, error, bodyReachesEvent: false };
    }
    await wait(waitMs({ attempts, status, retryAfter: answer?.retryAfter }));
  }
}

function isRetried(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501);
}

type WaitFor = { attempts: number; status: number | undefined; retryAfter: string | undefined };

function waitMs({ attempts, status, retryAfter }: WaitFor): number {
  if ((status === 429 || status === 503) && /^\d+$/.test(retryAfter ?? "")) return Number(retryAfter) * 1000;
  return Math.min(maxWaitMs, minWaitMs * 2 ** (attempts - 1));
}

type Sending = Required<Pick<FlaggerHook, "timeoutMs" | "disableTLS">> &
  Pick<FlaggerHook, "from"> & { url: URL; method: string; body: string | undefined };
type Failure = { text: string; mayRetry: boolean };

async function follow(sending: Sending): Promise<[Attempt, undefined] | [undefined, Failure]> {
  let next = sending;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    try {
      const answer = await send(next);
      const { location } = answer;
      if (location === undefined || ![301, 302, 303, 307, 308].includes(answer.status)) return [answer, undefined];
      const url = new URL(location, next.url);
      // Go keeps the authentication for the same host.
      if (url.host === next.url.host) Object.assign(url, { username: next.url.username, password: next.url.password });
      const isKept = answer.status === 307 || answer.status === 308;
      next = { ...next, url, ...(isKept ? {} : { method: "GET", body: undefined }) };
    } catch (error) {
      const { code = "", message } = error as NodeJS.ErrnoException;
      return [undefined, { text: message, mayRetry: !/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code) }];
    }
  }
  return [undefined, { text: `stopped after ${maxRedirects} redirects`, mayRetry: false }];
}

async function send({
  url,
  method,
  body,
  timeoutMs,
  disableTLS,
  from,
}: Sending): Promise<Attempt & { location?: string }> {
  const { username, password } = url;
  const headers: Record<string, string | number> = {
    "user-agent": "Go-http-client/1.1",
    "accept-encoding": "gzip",
    ...(body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
    ...(username === "" ? {} : { authorization: `Basic ${basicOf({ username, password })}` }),
  };
  const start = url.protocol === "https:" ? requestHttps : requestHttp;
  const target = new URL(url);
  Object.assign(target, { username: "", password: "" });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const signal = AbortSignal.timeout(timeoutMs);
  const options = {
    method,
    headers,
    signal,
    ...(from === undefined ? {} : { localAddress: from }),
    ...(url.protocol === "https:" ? { rejectUnauthorized: !disableTLS } : {}),
  };
  const sent = start(target, options, resolve).on("error", reject);
  sent.end(body);
  const response = await promise;
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const { location, "retry-after": retryAfter } = response.headers;
  return {
    status: response.statusCode ?? 0,
    body: Buffer.concat(chunks).toString("utf8"),
    retryAfter,
    ...(location === undefined ? {} : { location }),
  };
}

function basicOf({ username, password }: { username: string; password: string }): string {
  return Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64");
}

function withoutPassword(url: string): string {
  const shown = new URL(url);
  if (shown.password !== "") shown.password = "xxxxx";
  return shown.href;
}
