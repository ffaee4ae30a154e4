import { describe, expect, it } from "vitest";
import { createClient, follow, type StreamEvent } from "./index.ts";

type Answer = { status?: number; chunks?: string[]; fails?: boolean; silent?: boolean };

/** Plays one answer per connection, and ends the stream after the last. */
async function play(answers: Answer[], options: { lastEventId?: string; silenceMs?: number } = {}) {
  const stop = new AbortController();
  const sentIds: (string | null)[] = [];
  const rest = [...answers];
  const client = createClient({
    url: "http://127.0.0.1",
    fetch: async (_, init = {}) => {
      const answer = rest.shift();
      if (answer === undefined) {
        stop.abort();
        throw new TypeError("the play is over");
      }
      sentIds.push(new Headers(init.headers).get("last-event-id"));
      if (answer.fails) throw new TypeError("fetch failed");
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          for (const chunk of answer.chunks ?? []) controller.enqueue(new TextEncoder().encode(chunk));
          if (answer.silent) init.signal?.addEventListener("abort", () => controller.error(new Error("aborted")));
          else controller.close();
        },
      });
      return new Response(body, { status: answer.status ?? 200 });
    },
  });
  const events: StreamEvent[] = [];
  const pauses = { firstPauseMs: 1, longestPauseMs: 2 };
  for await (const event of follow(client, { signal: stop.signal, ...pauses, ...options })) events.push(event);
  return { events, sentIds };
}

const change = { kind: "rollout", id: "demo/a/Rollout/é", op: "upsert" };
const message = `id: 4\nevent: change\ndata: ${JSON.stringify(change)}\n\n`;

describe("following changes", () => {
  it("yields changes and resets however the stream is cut, and leaves out comments", async () => {
    const text = `: beat\n\n${message}id: 5\r\nevent: reset\r\ndata: {}\r\n\r\n`;
    for (const size of [1, 7, text.length]) {
      const chunks = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      const { events } = await play([{ chunks }]);
      expect(events).toEqual([
        { type: "open", resumed: false },
        { type: "change", id: "4", change },
        { type: "reset", id: "5" },
      ]);
    }
  });

  it("connects again after an end or a failure, and resumes after the last event", async () => {
    const { events, sentIds } = await play([
      { chunks: [message] },
      { fails: true },
      { status: 503 },
      { chunks: [": beat\n\n"] },
    ]);
    expect(sentIds).toEqual([null, "4", "4", "4"]);
    expect(events.map(({ type }) => type)).toEqual(["open", "change", "open"]);
    expect(events.at(-1)).toEqual({ type: "open", resumed: true });
  });

  it("resumes where the caller says", async () => {
    expect((await play([{}], { lastEventId: "9" })).sentIds).toEqual(["9"]);
  });

  it("gives up a connection that falls silent", async () => {
    const { events } = await play([{ chunks: [": beat\n\n"], silent: true }, {}], { silenceMs: 20 });
    expect(events).toEqual([
      { type: "open", resumed: false },
      { type: "open", resumed: false },
    ]);
  });

  it("passes on what another try cannot mend", async () => {
    await expect(play([{ status: 401 }])).rejects.toMatchObject({ code: "unauthenticated" });
  });
});
