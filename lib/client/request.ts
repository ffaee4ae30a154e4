import { activityHeaders } from "#lib/client/activity.ts";
import { ApiError, parseErrorBody } from "#lib/client/api-error.ts";
import { withBasePath } from "#lib/client/base-path.ts";
import { noteServerDate } from "#lib/client/server-clock.ts";

export type RequestInput = {
  method?: "GET" | "POST" | "DELETE";
  /** Path such as `/api/v1/me`, without the base path. */
  path: string;
  /** Undefined, null and empty values are left out. */
  query?: Record<string, string | number | null | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
};

/**
 * Calls the API of this origin and returns the parsed JSON. Throws `ApiError` for every failure except an abort. The
 * body is read once, as text.
 */
export async function request<Answer>({
  method = "GET",
  path,
  query,
  body,
  headers,
  signal,
}: RequestInput): Promise<Answer> {
  const init: RequestInit = {
    method,
    credentials: "same-origin",
    cache: "no-store",
    redirect: "error",
    headers: {
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...activityHeaders(),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  };
  let response: Response;
  let text: string;
  try {
    response = await fetch(withBasePath(path) + formatQuery(query), init);
    noteServerDate(response.headers.get("date"), Date.now());
    text = await response.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError({
      status: 0,
      code: "network",
      detail: "Gatehouse did not answer. Check the connection, then try again.",
    });
  }
  const requestId = response.headers.get("x-request-id") ?? undefined;
  if (!response.ok) throw parseErrorBody(response.status, text, requestId);
  return parseAnswer<Answer>(response.status, text, requestId);
}

/** Parses a successful response. The contract guarantees its shape, so no schema library is shipped to the browser. */
function parseAnswer<Answer>(status: number, text: string, requestId: string | undefined): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    throw new ApiError({ status, code: "unreadable", detail: "The server's answer is not JSON.", requestId });
  }
}

export function formatQuery(query: RequestInput["query"]): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null && value !== "") params.set(name, String(value));
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}
