import type { Client } from "./create-client.ts";
import { isGatehouseError } from "./gatehouse-error.ts";
import type { ChangeEvent } from "./generated/operations.ts";
import { readText } from "./read-lines.ts";

/**
 * - `open`: the stream is connected. Unless it is `resumed`, changes may have been missed: read again what you show.
 * - `change`: something changed; read it again.
 * - `reset`: Gatehouse no longer knows the place that the stream was to resume at: read everything again.
 *
 * `id` is the place after the event, for `lastEventId` of a later `follow`.
 */
export type StreamEvent =
  | { type: "open"; resumed: boolean }
  | { type: "change"; id: string; change: ChangeEvent }
  | { type: "reset"; id: string };

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

/**
 * Yields what changes until the signal aborts or the caller stops. It connects again after a failure and resumes by
 * Last-Event-ID. Throws a `GatehouseError` that another try cannot mend, such as `unauthenticated`.
 */
export async function* follow(
  client: Pick<Client, "stream">,
  { signal, lastEventId = "", silenceMs = 40_000, firstPauseMs = 500, longestPauseMs = 10_000 }: FollowOptions = {},
): AsyncGenerator<StreamEvent, void, undefined> {
  let id = lastEventId;
  let pauseMs = firstPauseMs;
  while (!signal?.aborted) {
    const attempt = new AbortController();
    const stop = () => attempt.abort();
    signal?.addEventListener("abort", stop);
    let watchdog = setTimeout(stop, silenceMs);
    const heard = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(stop, silenceMs);
    };
    try {
      const headers: Record<string, string> = id === "" ? {} : { "last-event-id": id };
      const response = await client.stream({ signal: attempt.signal, headers });
      heard();
      yield { type: "open", resumed: id !== "" };
      for await (const message of readMessages(response, heard)) {
        pauseMs = firstPauseMs;
        if (message.id !== "") id = message.id;
        if (message.event === "reset") yield { type: "reset", id };
        if (message.event === "change") yield { type: "change", id, change: JSON.parse(message.data) as ChangeEvent };
        if (signal?.aborted) return;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (isGatehouseError(error) && !error.isTransient) throw error;
    } finally {
      clearTimeout(watchdog);
      signal?.removeEventListener("abort", stop);
      attempt.abort();
    }
    await rest(pauseMs, signal);
    pauseMs = Math.min(longestPauseMs, pauseMs * 2);
  }
}

type Message = { id: string; event: string; data: string };

/** Reads server-sent events. Comments, which keep the connection alive, count as heard. */
async function* readMessages(response: Pick<Response, "body">, heard: () => void): AsyncGenerator<Message> {
  let text = "";
  for await (const chunk of readText(response)) {
    heard();
    text += chunk;
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const lines = block.split(/\r?\n/);
      const valuesOf = (field: string) =>
        lines
          .filter((line) => line.startsWith(`${field}:`))
          .map((line) => line.slice(field.length + 1).replace(/^ /, ""));
      const [event = "message"] = valuesOf("event").slice(-1);
      yield { id: valuesOf("id").at(-1) ?? "", event, data: valuesOf("data").join("\n") };
    }
  }
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
