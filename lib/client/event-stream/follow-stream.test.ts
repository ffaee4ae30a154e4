import { describe, expect, it } from "vitest";
import { type FollowStreamInput, followStream } from "#lib/client/event-stream/follow-stream.ts";

type Answer = { status?: number; chunks?: string[]; fails?: boolean; silent?: boolean };

/** Plays one scripted answer per connection, then stops the stream. */
async function play(answers: Answer[], silenceMs = 1_000) {
  const log: string[] = [];
  const stop = new AbortController();
  const delays: number[] = [];
  const sentIds: (string | null)[] = [];
  let lastEventId = "";
  let connection = 0;

  const fakeFetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    const answer = answers[connection++];
    if (answer === undefined) {
      stop.abort();
      throw new Error("script ended");
    }
    sentIds.push(new Headers(init?.headers).get("last-event-id"));
    if (answer.fails) throw new TypeError("connection refused");
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of answer.chunks ?? []) controller.enqueue(new TextEncoder().encode(chunk));
        if (answer.silent) init?.signal?.addEventListener("abort", () => controller.error(new Error("aborted")));
        else controller.close();
      },
    });
    return new Response(body, { status: answer.status ?? 200 });
  };

  const input: FollowStreamInput = {
    url: "/stream",
    signal: stop.signal,
    silenceMs,
    random: () => 1,
    fetch: fakeFetch as typeof fetch,
    sleep: async (ms) => {
      delays.push(ms);
    },
    lastEventId: () => lastEventId,
    onOpen: (resumed) => log.push(resumed ? "open resumed" : "open"),
    onHeard: () => undefined,
    onEvents: (events) => {
      for (const event of events) {
        lastEventId = event.id;
        log.push(`${event.event} ${event.id}`);
      }
    },
    onLost: () => log.push("lost"),
    onUnauthenticated: () => log.push("unauthenticated"),
  };
  await followStream(input);
  return { log, delays, sentIds };
}

describe("followStream", () => {
  it("resumes from the last event after the stream ends", async () => {
    const { log, sentIds } = await play([
      { chunks: ["id: 4\nevent: change\ndata: {}\n\n"] },
      { chunks: [": beat\n\n"] },
    ]);
    expect(log).toEqual(["open", "change 4", "lost", "open resumed", "lost"]);
    expect(sentIds).toEqual([null, "4"]);
  });

  it("waits longer after each failure, and briefly again once it was open", async () => {
    const { delays } = await play([{ fails: true }, { status: 503 }, { fails: true }, { chunks: [] }]);
    expect(delays).toEqual([2_000, 4_000, 8_000, 1_000]);
  });

  it("says so where nobody is signed in", async () => {
    const { log } = await play([{ status: 401 }]);
    expect(log).toEqual(["unauthenticated", "lost"]);
  });

  it("gives up a connection that falls silent", async () => {
    const { log } = await play([{ chunks: [": beat\n\n"], silent: true }], 20);
    expect(log).toEqual(["open", "lost"]);
  });
});
