import { GatehouseError, readError } from "./gatehouse-error.ts";
import { type Operations, operations, streamTypes } from "./generated/operations.ts";

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

type Name = keyof Operations;
/** What an operation takes: `path`, `query`, `body` and `header`, those that it has. */
export type Input<Operation extends Name> = Omit<Operations[Operation], "answer"> & CallOptions;
/** What it answers: the parsed JSON, or the `Response` if it is a stream or a table. */
export type Answer<Operation extends Name> = Operations[Operation]["answer"];

/** Every operation of the OpenAPI document as a function of its name. Each throws a `GatehouseError` if it fails. */
export type Client = {
  readonly [Operation in Name]: Record<never, never> extends Input<Operation>
    ? (input?: Input<Operation>) => Promise<Answer<Operation>>
    : (input: Input<Operation>) => Promise<Answer<Operation>>;
};

type AnyInput = CallOptions & {
  path?: Record<string, string | number>;
  query?: Record<string, string | number | boolean | null | undefined>;
  header?: Record<string, string | undefined>;
  body?: unknown;
};

export function createClient(options: ClientOptions): Client {
  const names = Object.keys(operations) as Name[];
  // The generated table and the generated types have the same names.
  return Object.fromEntries(
    names.map((name) => [name, (input: AnyInput = {}) => call(options, name, input)]),
  ) as unknown as Client;
}

async function call(options: ClientOptions, name: Name, input: AnyInput): Promise<unknown> {
  const [method = "", template = ""] = operations[name].split(" ");
  const address = `${options.url.replace(/(?<!\/)\/+$/, "")}${fillPath(template, input.path ?? {})}${formatQuery(input.query)}`;
  const accept = streamTypes[name];
  const headers = await collectHeaders(options, input, accept ?? "application/json");
  const timer = startTimer(options.timeoutMs ?? 30_000);
  const signals = input.signal === undefined ? [timer.signal] : [timer.signal, input.signal];
  try {
    const response = await (options.fetch ?? fetch)(address, {
      method,
      headers,
      // What a server redirects to must not get the token.
      redirect: "error",
      cache: "no-store",
      signal: AbortSignal.any(signals),
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    });
    if (!response.ok) throw await readError(response);
    return accept === undefined ? await readJson(response) : response;
  } catch (error) {
    if (input.signal?.aborted || error instanceof GatehouseError) throw error;
    const isLate = timer.signal.aborted;
    throw new GatehouseError({
      status: 0,
      code: isLate ? "timeout" : "network",
      detail: `Gatehouse does not answer at ${options.url}${isLate ? " in time" : ""}.`,
      cause: error,
    });
  } finally {
    timer.stop();
  }
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    const detail = "What answers is not Gatehouse: its answer is not JSON.";
    throw new GatehouseError({ status: response.status, code: "unreadable", detail, cause });
  }
}

async function collectHeaders(options: ClientOptions, input: AnyInput, accept: string): Promise<Headers> {
  const headers = new Headers({ accept, ...options.headers });
  const token = typeof options.token === "function" ? await options.token() : options.token;
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  if (input.body !== undefined) headers.set("content-type", "application/json");
  for (const [name, value] of Object.entries({ ...input.header, ...input.headers }))
    if (value !== undefined) headers.set(name, value);
  return headers;
}

function fillPath(template: string, values: Record<string, string | number>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? "");
    // `fetch` would read the dots as another path.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`path.${name} cannot be ${JSON.stringify(value)}`);
    return encodeURIComponent(value);
  });
}

function formatQuery(query: AnyInput["query"]): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === "" ? "" : `?${text}`;
}

function startTimer(ms: number): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ms);
  return { signal: controller.signal, stop: () => clearTimeout(timer) };
}
