import { isGatehouseError } from "./gatehouse-error.ts";
import type { ChangeEvent } from "./generated/operations.ts";
import { createSseParser, type SseEvent } from "./parse-sse.ts";
import { readText } from "./read-body.ts";
import type { CallOptions } from "./send.ts";

export type FollowOptions = {
  /** Ends the iteration. */
  signal?: AbortSignal | undefined;
  /** Resumes after this event. */
  lastEventId?: string | undefined;
  /** After this silence the connection counts as dead; Gatehouse sends a comment every 15 s. Default: 40 s. */
  silenceMs?: number;
  /** The first pause before it connects again; it doubles up to `longestPauseMs`. Defaults: 0.5 s and 10 s. */
  firstPauseMs?: number;
  longestPauseMs?: number;
};

type Connection = {
  open(call: CallOptions): Promise<Pick<Response, "body">>;
  pause?(ms: number, signal: AbortSignal | undefined): Promise<void>;
  random?(): number;
};

/**
 * - `open`: the stream is connected; `resumed` if it was asked to go on after a known event.
 * - `heard`: something arrived, if only a heartbeat. `id` is the place after it.
 * - `lost`: the stream ended, or `error` was thrown. It connects again after a pause.
 */
type News =
  | { type: "open"; resumed: boolean }
  | { type: "heard"; id: string; events: SseEvent[] }
  | { type: "lost"; error: unknown };

/** Reads the stream of changes until the signal aborts. Connects again, with growing pauses, after whatever failure. */
export async function* listen({
  open,
  signal,
  lastEventId: id = "",
  silenceMs = 40_000,
  firstPauseMs = 500,
  longestPauseMs = 10_000,
  pause = rest,
  random = Math.random,
}: FollowOptions & Connection): AsyncGenerator<News, void, undefined> {
  for (let failures = 0; !signal?.aborted; ) {
    const parser = createSseParser();
    let isHeard = false;
    let error: unknown;
    try {
      const headers: Record<string, string> = id === "" ? {} : { "last-event-id": id };
      const response = await open({ signal, headers });
      yield { type: "open", resumed: id !== "" };
      for await (const text of readText(response, silenceMs)) {
        isHeard = true;
        const events = parser.push(text);
        id = parser.lastId() || id;
        yield { type: "heard", id, events };
      }
    } catch (thrown) {
      error = thrown;
    }
    if (signal?.aborted) return;
    yield { type: "lost", error };
    failures = isHeard ? 0 : failures + 1;
    // Spread, so that not everyone returns at once after a restart.
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** failures) * (0.5 + random() / 2);
    await pause(Math.max(pauseMs, askedPauseMs(error)), signal);
  }
}

/** Returns the change that an event tells; none if it tells something else. */
export function readChange({ event, data }: SseEvent): ChangeEvent | undefined {
  if (event !== "change") return undefined;
  try {
    const value: unknown = JSON.parse(data);
    // The API's contract guarantees the rest.
    return typeof value === "object" && value !== null && "kind" in value && "id" in value
      ? (value as ChangeEvent)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the pause that the server asked for with `Retry-After`, but five minutes at most. */
function askedPauseMs(error: unknown): number {
  return isGatehouseError(error) ? Math.min(error.retryAfterSeconds ?? 0, 300) * 1000 : 0;
}

/** Waits, but not longer than until the signal aborts. */
function rest(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
  });
}
