import { describe, expect, it } from "vitest";
import { diffLines, foldSame } from "#components/ui/spec-diff.tsx";

const signs = { same: " ", removed: "-", added: "+" };
const show = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, text }) => `${signs[kind]}${text}`);

describe("diffLines", () => {
  it.each([
    { name: "the same", before: "a\nb", after: "a\nb", lines: [" a", " b"] },
    { name: "a changed line", before: "a\nb\nc", after: "a\nB\nc", lines: [" a", "-b", "+B", " c"] },
    { name: "an added line", before: "a\nc", after: "a\nb\nc", lines: [" a", "+b", " c"] },
    { name: "a removed line", before: "a\nb\nc", after: "a\nc", lines: [" a", "-b", " c"] },
    { name: "lines that repeat", before: "x\nx", after: "x\nx\nx", lines: [" x", " x", "+x"] },
    {
      name: "what stays between two changes",
      before: "a\nkeep\nb",
      after: "c\nkeep\nd",
      lines: ["-a", "+c", " keep", "-b", "+d"],
    },
    { name: "from nothing", before: "", after: "a", lines: ["-", "+a"] },
  ])("$name", ({ before, after, lines }) => {
    expect(show(before, after)).toEqual(lines);
  });

  it("gives back both texts", () => {
    const before = "a\nb\nc\nd\nb\na";
    const after = "b\na\nd\nc\nb";
    const lines = diffLines(before, after);
    const side = (kind: "removed" | "added") =>
      lines
        .filter((line) => line.kind === "same" || line.kind === kind)
        .map(({ text }) => text)
        .join("\n");
    expect(side("removed")).toBe(before);
    expect(side("added")).toBe(after);
  });

  it("tells two huge texts as replaced instead of taking for ever", () => {
    const long = (word: string) => Array.from({ length: 3_000 }, (_, index) => `${word} ${index}`).join("\n");
    const lines = diffLines(`head\n${long("a")}`, `head\n${long("b")}`);
    expect(lines[0]).toEqual({ kind: "same", text: "head" });
    expect(lines).toHaveLength(6_001);
    expect(lines.filter(({ kind }) => kind === "removed")).toHaveLength(3_000);
  });
});

describe("foldSame", () => {
  const lines = (text: string) =>
    [...text].map((letter) => ({ kind: letter === "+" ? ("added" as const) : ("same" as const), text: letter }));

  it.each([
    { text: "abc+def", context: 1, rows: [2, "c", "+", "d", 2] },
    { text: "ab+cd", context: 1, rows: ["a", "b", "+", "c", "d"] },
    { text: "+", context: 3, rows: ["+"] },
    { text: "abcd", context: 3, rows: [4] },
    { text: "+abcde+", context: 1, rows: ["+", "a", 3, "e", "+"] },
  ])("$text with $context around", ({ text, context, rows }) => {
    expect(foldSame(lines(text), context).map((row) => (row.kind === "folded" ? row.count : row.text))).toEqual(rows);
  });
});
