import { describe, expect, it } from "vitest";
import type { LogLineRecord } from "#lib/contract/log.ts";
import { addLines, cleanLogText, emptyBuffer, type LogBuffer, leaveOutKnown } from "./log-buffer.ts";

const line = (pod: string, at: string | null, text: string): LogLineRecord => ({
  type: "line",
  pod,
  at: at === null ? null : `2026-11-20T08:00:${at}Z`,
  text,
});
const textsOf = ({ lines }: LogBuffer) => lines.map(({ text }) => text);
const add = (buffer: LogBuffer, ...records: LogLineRecord[]) => addLines(buffer, records, 100);

describe("addLines", () => {
  it("merges the lines of several pods by time, to the nanosecond", () => {
    const buffer = add(
      emptyBuffer,
      line("a", "01.000000002", "a2"),
      line("a", "03.5", "a4"),
      line("b", "01.000000001", "b1"),
      line("b", "02", "b3"),
    );
    expect(textsOf(buffer)).toEqual(["b1", "a2", "b3", "a4"]);
  });

  it("puts a late line into its place, and leaves earlier ones alone", () => {
    const first = add(emptyBuffer, line("a", "01", "1"), line("a", "05", "5"), line("a", "06", "6"));
    const merged = add(first, line("b", "04", "4"), line("b", "07", "7"));
    expect(textsOf(merged)).toEqual(["1", "4", "5", "6", "7"]);
    expect(merged.lines[0]).toBe(first.lines[0]);
  });

  it("keeps the order in which lines of one time came", () => {
    expect(textsOf(add(emptyBuffer, line("a", "01", "x"), line("b", "01", "y"), line("a", "01", "z")))).toEqual([
      "x",
      "y",
      "z",
    ]);
  });

  it("keeps a line without a time after its predecessor of the same pod", () => {
    const buffer = add(emptyBuffer, line("a", "01", "a1"), line("b", "09", "b9"), line("a", null, "a, no time"));
    expect(textsOf(buffer)).toEqual(["a1", "a, no time", "b9"]);
    expect(textsOf(add(buffer, line("a", null, "again")))).toEqual(["a1", "a, no time", "again", "b9"]);
  });

  it("keeps the newest lines, and counts what it dropped", () => {
    const many = Array.from({ length: 7 }, (_, index) => line("a", `0${index}`, String(index)));
    const buffer = addLines(addLines(emptyBuffer, many.slice(0, 4), 3), many.slice(4), 3);
    expect(textsOf(buffer)).toEqual(["4", "5", "6"]);
    expect(buffer.dropped).toBe(4);
    expect(new Set(buffer.lines.map(({ key }) => key)).size).toBe(3);
  });
});

describe("leaveOutKnown", () => {
  it("leaves out what was read before the answer was resumed", () => {
    const buffer = add(emptyBuffer, line("a", "01.1", "one"), line("b", "01.1", "one"), line("a", "01.2", "two"));
    const resumed = [
      line("a", "01.1", "one"),
      line("a", "01.2", "two"),
      line("a", "01.2", "new"),
      line("b", "02", "one"),
    ];
    expect(
      leaveOutKnown(buffer, resumed, Date.parse("2026-11-20T08:00:01Z")).map(({ text, pod }) => pod + text),
    ).toEqual(["anew", "bone"]);
  });
});

describe("cleanLogText", () => {
  it.each([
    ["plain text, \u{1f680} and \u6f22", "plain text, \u{1f680} and \u6f22"],
    ["\u001b[31m[error]\u001b[0m failed", "[error] failed"],
    ["\u001b[38;2;1;2;3mrgb\u001b[m", "rgb"],
    ["\u001b]0;a title\u0007text", "text"],
    ["\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\", "link"],
    ["\u001b(Bcharset \u001bMreverse", "charset reverse"],
    ["\u009b2Jclear", "clear"],
    ["a lonely \u001b", "a lonely \u241b"],
    ["tab\tstays", "tab\tstays"],
    ["over\rwrite\u0008\u0000", "over\u240dwrite\u2408\u2400"],
    ["user \u202egpj.exe", "user <U+202E>gpj.exe"],
    ["<script>alert(1)</script> & co", "<script>alert(1)</script> & co"],
  ])("%j", (text, shown) => {
    expect(cleanLogText(text)).toBe(shown);
  });
});
