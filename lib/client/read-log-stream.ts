import { activityHeaders } from "#lib/client/activity.ts";
import { openStream, type RequestInput } from "#lib/client/request.ts";
import type { LogRecord } from "#lib/contract/log.ts";
import { readArrivedLines } from "#packages/client/src/read-lines.ts";

/** Silence after which the connection counts as dead; the server sends a record every 10 s. */
const silenceMs = 35_000;

/**
 * Reads log records as they arrive, several at a time. Returns after the last one, or as soon as the connection is cut.
 * Throws `GatehouseError` if the request was refused.
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
  const headers = activityHeaders();
  const response = await openStream({ path, query, accept: "application/x-ndjson", headers, signal });
  try {
    for await (const records of readArrivedLines<LogRecord>(response, { silenceMs }))
      if (records.length > 0) onRecords(records);
  } catch (error) {
    // A cut connection is the caller's to judge: it knows whether the last record came.
    if (signal.aborted || !(error instanceof SyntaxError)) return;
    throw error;
  }
}
