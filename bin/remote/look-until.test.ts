import { describe, expect, it } from "vitest";
import type { StreamEvent } from "#packages/client/src/follow.ts";
import { lookUntil } from "./look-until.ts";

/** A stream that tells what `tell` is given, until the signal aborts; `fail` ends it with an error. */
function createStream() {
  const events: StreamEvent[] = [];
  let failure: Error | undefined;
  let wake = () => {};
  return {
    tell: (id: string) => {
      events.push({ type: "change", id: "", change: { kind: "rollout", id, op: "upsert" } });
      wake();
    },
    fail: (error: Error) => {
      failure = error;
      wake();
    },
    follow: async function* (signal: AbortSignal): AsyncGenerator<StreamEvent> {
      signal.addEventListener("abort", () => wake());
      while (!signal.aborted) {
        if (failure !== undefined) throw failure;
        const event = events.shift();
        if (event !== undefined) yield event;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
  };
}

const soon = { everyMs: 60_000, leastRestMs: 1 };

describe("looking until something is seen", () => {
  it("looks at once, and again after a change that concerns it", async () => {
    const stream = createStream();
    const looks: number[] = [];
    const seen = await lookUntil({
      ...soon,
      api: stream,
      signal: AbortSignal.timeout(120_000),
      concerns: ({ id }) => id === "mine",
      look: async () => {
        looks.push(looks.length);
        stream.tell(looks.length === 1 ? "other" : "mine");
        if (looks.length === 1) setTimeout(() => stream.tell("mine"), 20);
        return looks.length === 3;
      },
    });
    expect([seen, looks.length]).toEqual([true, 3]);
  });

  it("looks once for many changes at a time", async () => {
    const stream = createStream();
    let looks = 0;
    await lookUntil({
      ...soon,
      leastRestMs: 30,
      api: stream,
      signal: AbortSignal.timeout(120_000),
      concerns: () => true,
      look: async () => {
        looks += 1;
        for (let index = 0; index < 100; index++) stream.tell("mine");
        return looks === 3;
      },
    });
    expect(looks).toBe(3);
  });

  it("looks now and then even if nothing is told, and ends with the signal", async () => {
    let looks = 0;
    const ended = new AbortController();
    const look = async () => {
      looks += 1;
      if (looks === 3) ended.abort();
      return false;
    };
    const seen = await lookUntil({
      api: createStream(),
      signal: ended.signal,
      concerns: () => true,
      look,
      everyMs: 5,
      leastRestMs: 1,
    });
    expect([seen, looks]).toEqual([false, 3]);
  });

  it("passes on that the stream is refused", async () => {
    const stream = createStream();
    const looking = lookUntil({
      ...soon,
      api: stream,
      signal: AbortSignal.timeout(120_000),
      concerns: () => true,
      look: async () => {
        stream.fail(new Error("the token has expired"));
        return false;
      },
    });
    await expect(looking).rejects.toThrow("the token has expired");
  });
});
