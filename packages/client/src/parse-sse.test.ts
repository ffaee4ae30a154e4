import { describe, expect, it } from "vitest";
import { createSseParser } from "./parse-sse.ts";

type Case = { name: string; chunks: string[]; events: { id: string; event: string; data: string }[] };

const cases: Case[] = [
  {
    name: "a whole event",
    chunks: ["id: 7\nevent: change\ndata: {}\n\n"],
    events: [{ id: "7", event: "change", data: "{}" }],
  },
  {
    name: "an event cut anywhere",
    chunks: ["id: 7\neve", "nt: change\nda", "ta: {}\n", "\n"],
    events: [{ id: "7", event: "change", data: "{}" }],
  },
  { name: "a comment is no event", chunks: [": beat\n\n"], events: [] },
  {
    name: "CRLF cut between CR and LF",
    chunks: ["data: a\r", "\n\r", "\n"],
    events: [{ id: "", event: "message", data: "a" }],
  },
  {
    name: "several data lines",
    chunks: ["data: a\ndata: b\n\n"],
    events: [{ id: "", event: "message", data: "a\nb" }],
  },
  {
    name: "the id stays for later events, the name does not",
    chunks: ["id: 1\nevent: change\ndata: a\n\ndata: b\n\n"],
    events: [
      { id: "1", event: "change", data: "a" },
      { id: "1", event: "message", data: "b" },
    ],
  },
  { name: "an event without data is dropped", chunks: ["event: change\n\n"], events: [] },
  {
    name: "only one leading space is dropped",
    chunks: ["data:  a\n\n"],
    events: [{ id: "", event: "message", data: " a" }],
  },
  { name: "an unfinished event waits", chunks: ["data: a\n"], events: [] },
];

describe("createSseParser", () => {
  it.each(cases)("$name", ({ chunks, events }) => {
    const parser = createSseParser();
    expect(chunks.flatMap((chunk) => parser.push(chunk))).toEqual(events);
  });

  it("keeps the id of an event without data, such as the heartbeat", () => {
    const parser = createSseParser();
    expect(parser.push(": still here\nid: 9\n\n")).toEqual([]);
    expect(parser.lastId()).toBe("9");
  });

  it("gives up an event that does not end", () => {
    const piece = "x".repeat(100_000);
    for (const start of ["event: change\ndata: ", "data: a\n"]) {
      const parser = createSseParser();
      parser.push(start);
      expect(() => {
        for (let index = 0; index < 11; index += 1) parser.push(start === "data: a\n" ? `data: ${piece}\n` : piece);
      }).toThrow("an event of the stream does not end");
    }
  });
});
