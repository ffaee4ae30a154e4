import { createSseParser, type SseEvent } from "#lib/client/event-stream/parse-sse.ts";
import { computeBackoff } from "#lib/util/compute-backoff.ts";

export type StreamSignals = {
  /** The stream answered; `resumed` says whether it was asked to resume after a known event. */
  onOpen(resumed: boolean): void;
  /** Something arrived, even if only a heartbeat. */
  onHeard(): void;
  onEvents(events: SseEvent[]): void;
  onLost(): void;
  onUnauthenticated(): void;
};

export type FollowStreamInput = StreamSignals & {
  url: string;
  /** The last known event, updated by the caller. */
  lastEventId(): string;
  fetch: typeof fetch;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  random(): number;
  /** Silence after which the stream counts as dead; the server sends a comment every 15 s. */
  silenceMs?: number;
  signal: AbortSignal;
};

const delays = { firstMs: 1_000, longestMs: 30_000 };

/**
 * Reads the change stream until `signal` aborts, and reconnects with back-off. Uses `fetch` and not EventSource for two
 * reasons: heartbeats must be noticed (a silent connection is dead), and a 401 must be distinguished from an outage.
 */
export async function followStream(input: FollowStreamInput): Promise<void> {
  let failures = 0;
  while (!input.signal.aborted) {
    const opened = await readOnce(input);
    if (input.signal.aborted) return;
    input.onLost();
    failures = opened ? 0 : failures + 1;
    await input.sleep(computeBackoff({ ...delays, doublings: failures, random: input.random() }), input.signal);
  }
}

/** Opens the stream once and reads it to its end; returns whether it was open at all. */
async function readOnce(input: FollowStreamInput): Promise<boolean> {
  const attempt = new AbortController();
  const stop = () => attempt.abort();
  input.signal.addEventListener("abort", stop);
  const watchdog = startWatchdog(input.silenceMs ?? 40_000, stop);
  let opened = false;
  try {
    const lastEventId = input.lastEventId();
    const response = await input.fetch(input.url, {
      headers: { accept: "text/event-stream", ...(lastEventId === "" ? {} : { "last-event-id": lastEventId }) },
      cache: "no-store",
      credentials: "same-origin",
      redirect: "error",
      signal: attempt.signal,
    });
    if (response.status === 401) input.onUnauthenticated();
    if (!response.ok || response.body === null) return false;
    opened = true;
    input.onOpen(lastEventId !== "");
    await readBody(response.body, input, watchdog.reset);
  } catch {
    // Aborted, refused or disconnected: the caller waits and retries.
  } finally {
    watchdog.stop();
    input.signal.removeEventListener("abort", stop);
    attempt.abort();
  }
  return opened;
}

async function readBody(body: ReadableStream<Uint8Array>, signals: StreamSignals, heard: () => void): Promise<void> {
  const parser = createSseParser();
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    heard();
    signals.onHeard();
    const events = parser.push(value);
    if (events.length > 0) signals.onEvents(events);
  }
}

function startWatchdog(silenceMs: number, onSilence: () => void): { reset(): void; stop(): void } {
  let timer = setTimeout(onSilence, silenceMs);
  return {
    reset() {
      clearTimeout(timer);
      timer = setTimeout(onSilence, silenceMs);
    },
    stop: () => clearTimeout(timer),
  };
}
