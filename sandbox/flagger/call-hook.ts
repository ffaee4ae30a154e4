/** Why a call did not pass: its text is what upstream's error says. */
export type HookAnswer = { isPassed: true } | { isPassed: false; error: string };

export type HookCall = { url: string; payload: Record<string, unknown>; timeoutMs: number; retries: number };

export type HookClient = (call: HookCall) => Promise<HookAnswer>;

type Reply = { status: number; body: string; retryAfterSeconds: number | undefined };
type Failure = { error: string; isRetriable: boolean };

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
const MOST_REDIRECTS = 10;
const LAST_PASSING_STATUS = 202;

/**
 * Creates a client that calls hooks as upstream does (pkg/controller/webhook.go callWebhook of flagger 1.44.0, with
 * go-retryablehttp 0.7.8): POST, credentials of the URL as Basic, redirects followed, network errors, 429 and 5xx other
 * than 501 retried. A final status up to 202 passes. Timeouts are in real time.
 */
export function createHookClient(sleep: (delayMs: number) => Promise<void>): HookClient {
  return async (call) => {
    for (let attempt = 0; ; attempt++) {
      const result = await send(call);
      const mayPass = "status" in result && !isRetried(result.status);
      if (mayPass || (!("status" in result) && !result.isRetriable) || attempt >= call.retries) {
        return judge(call, result, attempt + 1);
      }
      await sleep(waitMs(attempt, result));
    }
  };
}

function judge({ url }: HookCall, result: Reply | Failure, attempts: number): HookAnswer {
  const gaveUp = `POST ${redact(url)} giving up after ${attempts} attempt(s)`;
  if (!("status" in result)) {
    return { isPassed: false, error: `${gaveUp}: ${result.error}` };
  }
  if (isRetried(result.status)) {
    return { isPassed: false, error: gaveUp };
  }
  return result.status <= LAST_PASSING_STATUS ? { isPassed: true } : { isPassed: false, error: result.body };
}

function isRetried(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501);
}

function waitMs(attempt: number, result: Reply | Failure): number {
  const namesWait = "status" in result && (result.status === 429 || result.status === 503);
  const retryAfterMs =
    namesWait && result.retryAfterSeconds !== undefined ? result.retryAfterSeconds * 1000 : undefined;
  return retryAfterMs ?? Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt);
}

/** Sends one attempt, with the redirects that it leads to. */
async function send({ url, payload, timeoutMs }: HookCall): Promise<Reply | Failure> {
  const signal = AbortSignal.timeout(timeoutMs);
  let target = new URL(url);
  let method = "POST";
  try {
    for (let redirects = 0; ; redirects++) {
      const response = await request(target, { method, payload, signal });
      const location = response.headers.get("location");
      if (![301, 302, 303, 307, 308].includes(response.status) || location === null) {
        return readReply(response);
      }
      await response.body?.cancel();
      if (redirects >= MOST_REDIRECTS) {
        return { error: `Post ${quoted(url)}: stopped after ${MOST_REDIRECTS} redirects`, isRetriable: false };
      }
      target = resolveLocation(target, location);
      if (response.status <= 303) {
        method = "GET";
      }
    }
  } catch (error) {
    return { error: `Post ${quoted(url)}: ${reasonOf(error, target)}`, isRetriable: !isCertificateError(error) };
  }
}

function request(
  target: URL,
  { method, payload, signal }: { method: string; payload: Record<string, unknown>; signal: AbortSignal },
): Promise<Response> {
  const plain = new URL(target);
  plain.username = "";
  plain.password = "";
  const headers: Record<string, string> = { "user-agent": "Go-http-client/1.1" };
  if (target.username !== "") {
    const credentials = `${decodeURIComponent(target.username)}:${decodeURIComponent(target.password)}`;
    headers.authorization = `Basic ${Buffer.from(credentials).toString("base64")}`;
  }
  const body = method === "POST" ? JSON.stringify(payload) : undefined;
  if (body !== undefined) {
    headers["content-type"] = "application/json";
  }
  return fetch(plain, { method, headers, signal, redirect: "manual", ...(body === undefined ? {} : { body }) });
}

/** Keeps the credentials for a location without a host, as Go does. */
function resolveLocation(from: URL, location: string): URL {
  const to = new URL(location, from);
  if (!/^(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(location)) {
    to.username = from.username;
    to.password = from.password;
  }
  return to;
}

async function readReply(response: Response): Promise<Reply> {
  const retryAfter = Number(response.headers.get("retry-after") ?? "x");
  return {
    status: response.status,
    body: await response.text(),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  };
}

function isCertificateError(error: unknown): boolean {
  const { code = "" } = (error as { cause?: { code?: string } }).cause ?? {};
  return /CERT|UNABLE_TO_(GET|VERIFY)/.test(code);
}

function reasonOf(error: unknown, target: URL): string {
  if (error instanceof Error && error.name === "TimeoutError") {
    return "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";
  }
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  if (cause?.code === "ECONNREFUSED") {
    return `dial tcp ${target.host}: connect: connection refused`;
  }
  return cause?.message ?? String(error);
}

function redact(url: string): string {
  const parsed = new URL(url);
  if (parsed.password !== "") {
    parsed.password = "xxxxx";
  }
  return parsed.href;
}

function quoted(url: string): string {
  const parsed = new URL(url);
  if (parsed.password !== "") {
    parsed.password = "***";
  }
  return JSON.stringify(parsed.href);
}
