import { activityHeaders } from "#lib/client/activity.ts";
import { ApiError, parseErrorBody } from "#lib/client/api-error.ts";
import { withBasePath } from "#lib/client/base-path.ts";
import { formatQuery, type RequestInput } from "#lib/client/request.ts";
import type { LogRecord } from "#lib/contract/log.ts";

/** Silence after which the connection counts as dead; the server sends a record every 10 s. */
const silenceMs = 35_000;

/**
 * Reads log records as they arrive, several at a time. Returns after the last one, or as soon as the connection is cut.
 * Throws `ApiError` if the request was refused.
 */
export async function readLogStream({
  path,
  query,
  signal,
  onRecords,
}: {
  path: string;
  query: RequestInput["query"];
  signal: AbortSignal;
  onRecords: (records: LogRecord[]) => void;
}): Promise<void> {
  const dead = new AbortController();
  const init: RequestInit = {
    credentials: "same-origin",
    cache: "no-store",
    redirect: "error",
    headers: { accept: "application/x-ndjson", ...activityHeaders() },
    signal: AbortSignal.any([signal, dead.signal]),
  };
  let response: Response;
  try {
    response = await fetch(withBasePath(path) + formatQuery(query), init);
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ApiError({ status: 0, code: "network", detail: "Gatehouse did not answer. Check the connection." });
  }
  if (!response.ok || response.body === null)
    throw parseErrorBody(response.status, await response.text(), response.headers.get("x-request-id") ?? undefined);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    while (true) {
      const timer = setTimeout(() => dead.abort(), silenceMs);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      if (lines.length > 0) onRecords(lines.map((line) => JSON.parse(line) as LogRecord));
    }
  } catch (error) {
    // A cut connection is the caller's to judge: it knows whether the last record came.
    if (signal.aborted || !(error instanceof SyntaxError)) return;
    throw error;
  }
}
