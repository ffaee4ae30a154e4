import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, isApiError, isTransient, parseErrorBody } from "#lib/client/api-error.ts";
import { formatQuery, type RequestInput } from "#lib/client/request.ts";
import type { ChangeEvent } from "#lib/contract/system.ts";
import { readLimited } from "#lib/util/read-limited.ts";
import { CommandError } from "../command-line.ts";
import { type Connection, readConnection } from "./connection.ts";

type Query = RequestInput["query"];
export type StreamEvent = { event: "change"; data: ChangeEvent } | { event: "reset" } | { event: "open" };

/** The API of a Gatehouse, called as the owner of the token. Every failure is an `ApiError` with a message to show. */
export type RemoteApi = {
  url: string;
  get<Answer>(path: string, query?: Query): Promise<Answer>;
  post<Answer>(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Yields changes until the signal aborts; reconnects after a failure. `open`: changes may have been missed. */
  follow(signal: AbortSignal): AsyncGenerator<StreamEvent>;
};

const answerMs = 30_000;
/** Larger than any page of the API. Another server may answer at the address. */
const maxAnswerBytes = 64 * 1024 * 1024;
/** A change names a few objects. */
const maxEventLength = 1024 * 1024;

export function connectApi({ url, token }: Connection = readConnection()): RemoteApi {
  const call = async (path: string, init: RequestInit): Promise<Response> => {
    const headers = { accept: "application/json", authorization: `Bearer ${token}`, ...init.headers };
    let response: Response;
    try {
      response = await fetch(`${url}${path}`, { redirect: "error", ...init, headers });
    } catch (error) {
      if (init.signal?.aborted && !isTimeout(init.signal)) throw error;
      throw new ApiError({ status: 0, code: "network", detail: `Gatehouse does not answer at ${url}.` });
    }
    if (response.ok) return response;
    const requestId = response.headers.get("x-request-id") ?? undefined;
    throw parseErrorBody(response.status, (await readLimited(response.body, maxAnswerBytes)) ?? "", requestId);
  };
  const read = async <Answer>(path: string, init: RequestInit): Promise<Answer> => {
    const response = await call(path, { ...init, signal: AbortSignal.timeout(answerMs) });
    try {
      return JSON.parse((await readLimited(response.body, maxAnswerBytes)) ?? "") as Answer;
    } catch {
      throw new ApiError({
        status: response.status,
        code: "unreadable",
        detail: `What answers at ${url} is not Gatehouse: its answer is not JSON.`,
      });
    }
  };
  return {
    url,
    get: (path, query) => read(path + formatQuery(query), { method: "GET" }),
    post: (path, body, headers) =>
      read(path, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", ...headers },
      }),
    follow: (signal) => follow(call, signal),
  };
}

const isTimeout = (signal: AbortSignal) => (signal.reason as Error | undefined)?.name === "TimeoutError";

async function* follow(
  call: (path: string, init: RequestInit) => Promise<Response>,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  for (let pauseMs = 500; !signal.aborted; pauseMs = Math.min(10_000, pauseMs * 2)) {
    try {
      const response = await call("/api/v1/stream", { signal, headers: { accept: "text/event-stream" } });
      yield { event: "open" };
      for await (const event of readEvents(response)) {
        pauseMs = 500;
        yield event;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isApiError(error) && !isTransient(error)) throw error;
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }
}

/** Reads server-sent events; comments, which keep the connection alive, are left out. */
export async function* readEvents(response: Pick<Response, "body">): AsyncGenerator<StreamEvent> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    if (text.length > maxEventLength) throw new Error("an event of the stream does not end");
    for (const block of blocks) {
      const field = (name: string) => block.match(new RegExp(`^${name}: (.*)$`, "m"))?.[1];
      const [event, data] = [field("event"), field("data")];
      if (event === "reset") yield { event };
      if (event === "change" && data !== undefined) yield { event, data: JSON.parse(data) as ChangeEvent };
    }
  }
}

/** Runs a command against Gatehouse: an API error becomes a `CommandError` of one line, with the reason. */
export async function withApi(use: (api: RemoteApi) => Promise<number>): Promise<number> {
  const api = connectApi();
  try {
    return await use(api);
  } catch (error) {
    if (!isApiError(error)) throw error;
    const again = error.code === "unauthenticated" ? " Run gatehouse login, or give another GATEHOUSE_TOKEN." : "";
    const params = error.problem?.invalidParams?.map(({ name, reason }) => `${name}: ${reason}`) ?? [];
    throw new CommandError([error.message, ...params].join(" ") + again);
  }
}
