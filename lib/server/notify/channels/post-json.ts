import { readFile } from "node:fs/promises";
import { Agent, type Dispatcher, request } from "undici";
import type { Message } from "#lib/domain/notify/compose-messages.ts";
import type { NotifiableEvent } from "#lib/domain/notify/notifiable-event.ts";

const usualAnswerBytes = 64 * 1024;
const longestRetryMs = 3_600_000;

export type Answer = {
  status: number;
  /** At most as much of the body as was asked for; for us to interpret, never to be stored or logged. */
  body: string;
  /** The body is longer. */
  isCut: boolean;
  /** From `Retry-After`, at most an hour. */
  retryAfterMs?: number;
};

/**
 * Posts JSON to an http or https address, or sends another request. Follows no redirect, waits for at most `timeoutMs`,
 * and reads a bounded part of the answer. Throws if there is no usable answer; `describeFailure` names the reason.
 */
export async function postJson({
  method = "POST",
  url,
  body,
  headers,
  caFile,
  timeoutMs,
  maxAnswerBytes = usualAnswerBytes,
  signal,
  now,
}: {
  method?: "GET" | "POST" | "PUT";
  url: string;
  /** Absent in a GET. */
  body?: string;
  headers: Record<string, string>;
  caFile?: string | undefined;
  timeoutMs: number;
  maxAnswerBytes?: number;
  signal: AbortSignal;
  now: Date;
}): Promise<Answer> {
  assertHttp(url);
  const ca = caFile === undefined ? undefined : await readFile(caFile, "utf8");
  const dispatcher = new Agent({ connect: { timeout: timeoutMs, ...(ca === undefined ? {} : { ca }) } });
  try {
    const response = await request(url, {
      method,
      ...(body === undefined ? {} : { body }),
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...{ "user-agent": "gatehouse", ...headers },
      },
      dispatcher,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const retryAfterMs = readRetryAfter(response, now);
    return {
      status: response.statusCode,
      ...(await readBounded(response.body, maxAnswerBytes)),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
  } finally {
    await dispatcher.destroy();
  }
}

function assertHttp(url: string): void {
  const { protocol } = URL.parse(url) ?? { protocol: undefined };
  if (protocol !== "http:" && protocol !== "https:") throw new Error("the address is not an http or https URL");
}

async function readBounded(
  body: Dispatcher.ResponseData["body"],
  maxBytes: number,
): Promise<Pick<Answer, "body" | "isCut">> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk as Uint8Array);
    chunks.push(bytes);
    size += bytes.length;
    if (size > maxBytes) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, maxBytes).toString("utf8"), isCut: size > maxBytes };
}

/** Reads how long to wait: by `Retry-After`, or until a used-up limit of requests begins anew. */
function readRetryAfter({ statusCode, headers }: Dispatcher.ResponseData, now: Date): number | undefined {
  const given = parseRetryAfter(headers["retry-after"], now);
  if (given !== undefined || (statusCode !== 403 && statusCode !== 429)) return given;
  const isUsedUp = [headers["x-ratelimit-remaining"], headers["ratelimit-remaining"]].includes("0");
  const reset = headers["x-ratelimit-reset"] ?? headers["ratelimit-reset"];
  if (!isUsedUp || typeof reset !== "string" || !/^\d{1,12}$/.test(reset)) return undefined;
  return Math.min(Math.max(0, Number(reset) * 1000 - now.getTime()), longestRetryMs);
}

/** Parses seconds or a date (RFC 9110, section 10.2.3). */
export function parseRetryAfter(header: string | string[] | undefined, now: Date): number | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), longestRetryMs);
}

/** Explains why there was no answer, by the error's code: the text of an error may repeat a URL that is a secret. */
export function describeFailure(error: unknown, timeoutMs: number): string {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each.name === "TimeoutError" || /TIMEOUT/.test(codeOf(each) ?? "")) return noAnswer(timeoutMs);
    const code = codeOf(each);
    if (code !== undefined && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return `no connection (${code})`;
  }
  if (error instanceof Error && error.message.startsWith("the address ")) return error.message;
  return "no answer that can be read";
}

export function noAnswer(timeoutMs: number): string {
  return `no answer within ${Math.ceil(timeoutMs / 1000)} s`;
}

function codeOf(error: Error): string | undefined {
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** An alert of Alertmanager, by the event that began it. */
export type AlertState = { event: NotifiableEvent; endedAt: Date | null };

/** Returns the result of an answer: any 2xx is a success, and a test says which. `who` begins the error. */
export function judgeAnswer({ shape }: Pick<Message, "shape">, answer: Answer, who?: string): SendResult {
  const { status, retryAfterMs } = answer;
  if (status >= 200 && status < 300) return shape === "test" ? { ok: true, note: `answered ${status}` } : { ok: true };
  const error = `${who === undefined ? "" : `${who} `}answered ${status}`;
  return { ok: false, error, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** Where a receiver keeps a message that can be changed: in Slack, its channel and time. */
export type Receipt = { channel: string; ts: string };

/** The result of one send. `error` contains neither a secret nor text from the receiver. */
export type SendResult =
  | { ok: true; note?: string; receipt?: Receipt }
  | { ok: false; error: string; retryAfterMs?: number };

/** One attempt to send one message. */
export type Sending = {
  message: Message;
  /** To Alertmanager: the alerts that the message is about, as they stand now. */
  alerts?: readonly AlertState[] | undefined;
  /** To Slack: the message that this one changes, as it reads now. */
  change?: { receipt: Receipt; message: Message } | undefined;
  /** To Slack: clicks are answered. */
  hasSlackActions?: boolean | undefined;
  /** Base URL of the links in the message. */
  publicUrl: string;
  /** By the database's clock. */
  now: Date;
  signal: AbortSignal;
};
