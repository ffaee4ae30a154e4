import { describe, expect, it } from "vitest";
import { type LogLine, splitLogLines } from "./split-log-lines.ts";

const encoder = new TextEncoder();

/** Splits a text at every multiple of `size` bytes. */
async function* chunksOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = encoder.encode(text);
  // One buffer for all chunks, as a network stack may do.
  const shared = new Uint8Array(size);
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size);
    shared.set(part);
    yield shared.subarray(0, part.length);
  }
}

async function split(text: string, size: number, maxLineBytes = 1000): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  for await (const line of splitLogLines(chunksOf(text, size), { maxLineBytes })) lines.push(line);
  return lines;
}

const texts = (lines: readonly LogLine[]) => lines.map(({ text }) => text);

describe("splitLogLines", () => {
  const story = "première ligne\n\u6f22\u5b57 \u{1f680}\n\nlast without an end";
  it.each([1, 2, 3, 4, 5, 7, 1000])("gives the same lines for chunks of %i bytes", async (size) => {
    expect(texts(await split(story, size))).toEqual([
      "première ligne",
      "\u6f22\u5b57 \u{1f680}",
      "",
      "last without an end",
    ]);
  });

  it("has no lines for nothing, and none after a final line feed", async () => {
    expect(await split("", 3)).toEqual([]);
    expect(texts(await split("one\n", 3))).toEqual(["one"]);
  });

  it.each([1, 3, 1000])("drops the rest of a line that is too long, and says how much (chunks of %i)", async (size) => {
    const lines = await split(`${"x".repeat(25)}\nshort\n`, size, 10);
    expect(lines).toEqual([
      { text: "x".repeat(10), bytes: 25, droppedBytes: 15 },
      { text: "short", bytes: 5, droppedBytes: 0 },
    ]);
  });

  it("cuts between characters, never within one", async () => {
    const [line] = await split("ab\u{1f680}\u{1f680}\n", 1, 8);
    expect(line).toEqual({ text: "ab\u{1f680}", bytes: 10, droppedBytes: 2 });
    const [accent] = await split("aé", 1000, 2);
    expect(accent?.text).toBe("a");
  });

  it("takes the carriage return of a Windows line end as part of the end", async () => {
    expect(texts(await split("one\r\ntwo\rhalf\r\n", 4))).toEqual(["one", "two\rhalf"]);
  });

  it("shows bytes that are not UTF-8 as replacement characters, and goes on", async () => {
    async function* bytes(): AsyncGenerator<Uint8Array> {
      yield Uint8Array.of(0x61, 0xff, 0xfe, 0x62, 0x0a, 0x63, 0x0a);
    }
    const lines: string[] = [];
    for await (const { text } of splitLogLines(bytes(), { maxLineBytes: 100 })) lines.push(text);
    expect(lines).toEqual(["a\ufffd\ufffdb", "c"]);
  });

  it("reads no further than it is asked to", async () => {
    let read = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      while (true) {
        read += 1;
        yield encoder.encode("line\n");
      }
    }
    const lines = splitLogLines(endless(), { maxLineBytes: 100 });
    await lines.next();
    await lines.next();
    expect(read).toBe(2);
    await lines.return();
  });
});
