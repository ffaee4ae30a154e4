import { describe, expect, it } from "vitest";
import { readLines } from "./read-answer.ts";

async function* bytes(...chunks: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
}

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

const euro = new TextEncoder().encode("€");
const cases = [
  { name: "one chunk, two lines", chunks: ["a\nb\n"], lines: ["a", "b"] },
  { name: "a line over three chunks", chunks: ["a", "b", "c\n"], lines: ["abc"] },
  { name: "an unfinished last line is dropped", chunks: ["a\n{half"], lines: ["a"] },
  { name: "blank lines and CRLF", chunks: ["\n\r\na\r\n"], lines: ["a\r"] },
  { name: "a character cut in two", chunks: [euro.slice(0, 1), euro.slice(1), "\n"], lines: ["€"] },
  { name: "nothing", chunks: [], lines: [] },
];

describe("readLines", () => {
  it.each(cases)("$name", async ({ chunks, lines }) => {
    expect(await collect(readLines(bytes(...chunks)))).toEqual(lines);
  });

  it("gives up a line without an end, and reads no further", async () => {
    const mebibyte = new Uint8Array(1024 * 1024).fill(97);
    let read = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (; read < 100; read += 1) yield mebibyte;
    }
    await expect(collect(readLines(endless()))).rejects.toThrow(/longer than/);
    expect(read).toBe(4);
  });
});
