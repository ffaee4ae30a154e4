import { describe, expect, it } from "vitest";
import { mergeMessages, type RunMessage } from "./run-message.ts";
import { halt, started, tellMessages, timeAt } from "./testing/run-messages.ts";

const events = (texts: Parameters<typeof tellMessages>[0]): RunMessage[] =>
  tellMessages(texts).map((message) => ({ ...message, source: "event" }));

describe("mergeMessages", () => {
  it.each<{ name: string; reported: RunMessage[]; merged: [number, string, number | undefined][] }>([
    {
      name: "drops what both told",
      reported: [...tellMessages([[0.4, started]]), ...events([[0, started]])],
      merged: [[0.4, "webhook", undefined]],
    },
    {
      name: "adds what only the events told, in order",
      reported: [...tellMessages([[10, started]]), ...events([[5, halt("x")]])],
      merged: [
        [5, "event", 1],
        [10, "webhook", undefined],
      ],
    },
    {
      name: "keeps the same text of another time",
      reported: [...tellMessages([[0, started]]), ...events([[10, started]])],
      merged: [
        [0, "webhook", undefined],
        [10, "event", 1],
      ],
    },
    {
      name: "counts the occurrences that the webhook did not tell",
      reported: [
        ...tellMessages([
          [0, halt("x")],
          [20, halt("x")],
        ]),
        ...events([[30, halt("x"), 4]]),
      ],
      merged: [
        [0, "webhook", undefined],
        [20, "webhook", undefined],
        [30, "event", 2],
      ],
    },
    {
      name: "matches each message once",
      reported: [
        ...tellMessages([[0, started]]),
        ...events([
          [0, started],
          [1, started],
        ]),
      ],
      merged: [
        [0, "webhook", undefined],
        [1, "event", 1],
      ],
    },
  ])("$name", ({ reported, merged }) => {
    const wanted = merged.map(([seconds, source, count]) => ({ at: timeAt(seconds), source, count }));
    expect(mergeMessages(reported).map(({ at, source, count }) => ({ at, source, count }))).toEqual(wanted);
  });
});
