import { basePath } from "#lib/client/base-path.ts";
import { openStream } from "#lib/client/request.ts";
import { sessionEnd } from "#lib/client/session.ts";
import type { ChangeEvent } from "#lib/contract/system.ts";
import { isGatehouseError } from "#packages/client/src/gatehouse-error.ts";
import { listen, readChange } from "#packages/client/src/listen.ts";
import type { SseEvent } from "#packages/client/src/parse-sse.ts";
import type { CallOptions } from "#packages/client/src/send.ts";

export type StreamState = "connecting" | "live" | "lost";

export type StreamStatus = {
  state: StreamState;
  /** Since when the state has lasted, by the browser's clock in milliseconds. */
  sinceMs: number;
  /** When anything was last received from the server, including heartbeats. */
  heardMs: number | undefined;
};

export type SharedStreamInput = {
  onChanges(changes: ChangeEvent[]): void;
  onReset(): void;
  onStatus(status: StreamStatus): void;
  onUnauthenticated(): void;
};

/** Messages between tabs. The leader holds the only connection; the others depend on its messages. */
type TabMessage =
  | { type: "hello" }
  | { type: "events"; events: SseEvent[] }
  | { type: "reset" }
  | { type: "status"; status: StreamStatus; lastEventId: string };

// Another Gatehouse below another path of the host has its own stream.
const name = `gatehouse-stream${basePath}`;

/**
 * Follows the change stream with one connection per browser. Browsers open six connections per origin, so one stream
 * per tab would block the seventh tab for good. Web Locks elect the leader, and pass the lead on when its tab closes.
 * Without Web Locks (plain HTTP on a host other than this one) every visible tab has its own stream.
 */
export function startSharedStream(input: SharedStreamInput): () => void {
  const stop = new AbortController();
  const channel = new BroadcastChannel(name);
  let lastEventId = "";
  let leads = false;
  let status: StreamStatus = { state: "connecting", sinceMs: Date.now(), heardMs: undefined };

  function setStatus(state: StreamState, heardMs = status.heardMs): void {
    status = { state, sinceMs: state === status.state ? status.sinceMs : Date.now(), heardMs };
    input.onStatus(status);
    if (leads) tell({ type: "status", status, lastEventId });
  }

  function tell(message: TabMessage): void {
    if (!stop.signal.aborted) channel.postMessage(message);
  }

  function takeEvents(events: SseEvent[]): void {
    const last = events.at(-1);
    if (last !== undefined && last.id !== "") lastEventId = last.id;
    if (events.some((event) => event.event === "reset")) input.onReset();
    const changes = events.flatMap((event) => readChange(event) ?? []);
    if (changes.length > 0) input.onChanges(changes);
  }

  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.type === "hello" && leads) tell({ type: "status", status, lastEventId });
    else if (data.type === "events") takeEvents(data.events);
    else if (data.type === "reset") input.onReset();
    else if (data.type === "status" && !leads) {
      lastEventId = data.lastEventId;
      status = data.status;
      input.onStatus(status);
    }
  };

  async function lead(): Promise<void> {
    leads = true;
    const { signal } = stop;
    const pauses = { firstPauseMs: 1_000, longestPauseMs: 30_000, pause };
    const open = (call: CallOptions) => openStream({ path: "/api/v1/stream", accept: "text/event-stream", ...call });
    for await (const news of listen({ open, signal, lastEventId, ...pauses })) {
      if (news.type === "heard") {
        if (news.events.length > 0) {
          takeEvents(news.events);
          tell({ type: "events", events: news.events });
        }
        lastEventId = news.id;
      }
      if (news.type === "lost") setStatus("lost");
      else setStatus("live", Date.now());
      // Nobody was notified of changes between the pages' first answers and this moment.
      if (news.type === "open" && !news.resumed) {
        input.onReset();
        tell({ type: "reset" });
      }
      if (news.type === "lost" && isGatehouseError(news.error) && news.error.status === 401) input.onUnauthenticated();
    }
  }

  tell({ type: "hello" });
  if (navigator.locks === undefined) void lead();
  else navigator.locks.request(name, { signal: stop.signal }, lead).catch(() => undefined);

  return () => {
    stop.abort();
    channel.close();
  };
}

/** Waits before it connects again. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    // When the network is back or the session is renewed, retry at once, regardless of the back-off.
    window.addEventListener("online", done);
    const unsubscribe = sessionEnd.subscribe(() => {
      if (!sessionEnd.snapshot()) done();
    });
    signal?.addEventListener("abort", done);
    function done(): void {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      unsubscribe();
      signal?.removeEventListener("abort", done);
      resolve();
    }
  });
}
