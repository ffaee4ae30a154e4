import { describeAnswer, GatehouseError, readError } from "./gatehouse-error.ts";
import { readWhole } from "./read-body.ts";

export type ClientOptions = {
  /** Where Gatehouse answers, with a path if it is behind one: `https://example.com/gatehouse`. */
  url: string;
  /** An API token, or a function that returns one for each request. Without one, a browser sends its session. */
  token?: string | (() => string | Promise<string>) | undefined;
  /** How long to wait for an answer, in ms; for a stream, until it begins. Default: 30 s. */
  timeoutMs?: number;
  /** Sent with every request. */
  headers?: Record<string, string>;
  /** Replaces the global `fetch`, for a proxy or a test. */
  fetch?: typeof fetch;
};

export type CallOptions = { signal?: AbortSignal | undefined; headers?: Record<string, string> | undefined };

/** Values that are undefined, null or empty are left out. */
export type Query = Record<string, string | number | boolean | null | undefined>;

export type SendInput = {
  signal?: AbortSignal | undefined;
  headers?: Record<string, string | undefined> | undefined;
  method?: string | undefined;
  /** Such as `/api/v1/me`. */
  path: string;
  query?: Query | undefined;
  /** Sent as JSON, unless it is a form. */
  body?: unknown;
  /** What the answer may be. Default: JSON. */
  accept?: string | undefined;
};

/** Says what a person reads if there is no answer, or none of Gatehouse. */
type Words = { noAnswer: string; noJson: string };

/** Both throw a `GatehouseError` for every failure, but the reason of `signal` if that aborts. */
export type Sender = {
  /** Returns the parsed answer. The API's contract guarantees its shape. */
  request<Answer>(input: SendInput): Promise<Answer>;
  /** Returns the answer as soon as it begins. */
  open(input: SendInput): Promise<Response>;
};

/** Creates what sends requests to one Gatehouse. */
export function createSender(options: ClientOptions, words: Words = wordsAbout(options.url)): Sender {
  const send = async <Answer>(input: SendInput, read: (response: Response) => Answer | Promise<Answer>) => {
    const { signal } = input;
    const headers = await collectHeaders(options, input);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), options.timeoutMs ?? 30_000);
    try {
      const response = await (options.fetch ?? fetch)(`${options.url}${input.path}${formatQuery(input.query)}`, {
        method: input.method ?? "GET",
        headers,
        // What a server redirects to must not get the token.
        redirect: "error",
        cache: "no-store",
        signal: signal === undefined ? late.signal : AbortSignal.any([late.signal, signal]),
        ...formatBody(input.body),
      });
      if (!response.ok) throw await readError(response);
      return await read(response);
    } catch (error) {
      if (signal?.aborted || error instanceof GatehouseError) throw error;
      const code = late.signal.aborted ? "timeout" : "network";
      throw new GatehouseError({ status: 0, code, detail: words.noAnswer, cause: error });
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    request: <Answer>(input: SendInput) => send(input, (response) => readJson<Answer>(response, words.noJson)),
    open: (input) => send(input, (response) => response),
  };
}

function wordsAbout(url: string): Words {
  return {
    noAnswer: `Gatehouse does not answer at ${url}.`,
    noJson: `What answers at ${url} is not Gatehouse: its answer is not JSON.`,
  };
}

async function collectHeaders(options: ClientOptions, { accept, body, headers: own }: SendInput): Promise<Headers> {
  const headers = new Headers({ accept: accept ?? "application/json", ...options.headers });
  const token = typeof options.token === "function" ? await options.token() : options.token;
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  if (body !== undefined && !isForm(body)) headers.set("content-type", "application/json");
  for (const [name, value] of Object.entries(own ?? {})) if (value !== undefined) headers.set(name, value);
  return headers;
}

const isForm = (body: unknown): body is URLSearchParams => body instanceof URLSearchParams;

function formatBody(body: unknown): { body?: string | URLSearchParams } {
  if (body === undefined) return {};
  return { body: isForm(body) ? body : JSON.stringify(body) };
}

/** Writes a query with its question mark; empty without values. */
export function formatQuery(query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== "") params.set(name, String(value));
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

async function readJson<Answer>(response: Response, noJson: string): Promise<Answer> {
  const text = await readWhole(response);
  try {
    return JSON.parse(text) as Answer;
  } catch (cause) {
    throw new GatehouseError({ ...describeAnswer(response), code: "unreadable", detail: noJson, cause });
  }
}
