import { describe, expect, it } from "vitest";
import { GatehouseError } from "./gatehouse-error.ts";
import { listen } from "./listen.ts";

type Answer = { status?: number; retryAfterSeconds?: number; chunks?: string[]; silent?: boolean };

/** Plays one answer per connection, then stops the stream. */
async function play(answers: Answer[], silenceMs = 1_000) {
  const log: string[] = [];
  const stop = new AbortController();
  const delays: number[] = [];
  const sentIds: (string | undefined)[] = [];
  const rest = [...answers];
  const open = async ({ headers }: { headers?: Record<string, string> | undefined }) => {
    const answer = rest.shift();
    if (answer === undefined) {
      stop.abort();
      throw new Error("the play is over");
    }
    sentIds.push(headers?.["last-event-id"]);
    const { status, retryAfterSeconds, chunks = [], silent = false } = answer;
    if (status !== undefined) throw new GatehouseError({ status, code: "unreadable", detail: "", retryAfterSeconds });
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        if (!silent) controller.close();
      },
      cancel: () => {
        log.push("cancelled");
      },
    });
    return { body };
  };
  const pauses = { firstPauseMs: 1_000, longestPauseMs: 30_000, random: () => 1 };
  const pause = async (ms: number) => {
    delays.push(ms);
  };
  for await (const news of listen({ open, pause, ...pauses, signal: stop.signal, silenceMs })) {
    if (news.type === "open") log.push(news.resumed ? "open resumed" : "open");
    else if (news.type === "heard") log.push(...news.events.map(({ event, id }) => `${event} ${id}`));
    else log.push(news.error instanceof GatehouseError ? `lost ${news.error.status}` : "lost");
  }
  return { log, delays, sentIds };
}

describe("listening", () => {
  it("resumes from the last event after the stream ends", async () => {
    const { log, sentIds } = await play([
      { chunks: ["id: 4\nevent: change\ndata: {}\n\n"] },
      { chunks: [": beat\n\n"] },
    ]);
    expect(log).toEqual(["open", "change 4", "lost", "open resumed", "lost"]);
    expect(sentIds).toEqual([undefined, "4"]);
  });

  it("waits for as long as the server asks, within limits", async () => {
    const answers = [10, 0, 86_400].map((retryAfterSeconds) => ({ status: 429, retryAfterSeconds }));
    expect((await play(answers)).delays).toEqual([10_000, 4_000, 300_000]);
  });

  it("resumes after a heartbeat, which has the newest id", async () => {
    const beat = ": still here\nid: 9\n\n";
    expect((await play([{ chunks: ["id: 4\ndata: {}\n\n", beat] }, {}])).sentIds).toEqual([undefined, "9"]);
  });

  it("waits longer after each failure, and briefly again once something came", async () => {
    const failures = [{ status: 0 }, { status: 503 }, {}];
    const { delays, log } = await play([...failures, { chunks: [": beat\n\n"] }, { status: 401 }]);
    expect(delays).toEqual([2_000, 4_000, 8_000, 1_000, 2_000]);
    expect(log).toEqual(["lost 0", "lost 503", "open", "lost", "open", "lost", "lost 401"]);
  });

  it("gives up a connection that falls silent", async () => {
    const { log } = await play([{ chunks: [": beat\n\n"], silent: true }], 20);
    expect(log).toEqual(["open", "cancelled", "lost"]);
  });
});
