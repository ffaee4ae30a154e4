import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readFileLines } from "./audit.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-lines-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

// A stream hands out 64 KiB at a time: the cut falls into the second line, and into a character of three bytes.
const long = "\u2028".repeat(40_000);
const cases = [
  { name: "an empty file has none", text: "", lines: [] },
  { name: "a last line needs no end", text: "a\nb", lines: ["a", "b"] },
  { name: "an empty line is a line", text: "a\n\nb\n", lines: ["a", "", "b"] },
  { name: "only a line feed ends one", text: "a\u2028b\u2029c\rd\ne", lines: ["a\u2028b\u2029c\rd", "e"] },
  { name: "a line may be longer than what is read at once", text: `a\n${long}\nb\n`, lines: ["a", long, "b"] },
];

describe("readFileLines", () => {
  it.each(cases)("$name", async ({ text, lines }) => {
    const file = join(folder, "text");
    writeFileSync(file, text);
    const found: string[] = [];
    for await (const line of readFileLines(file)) found.push(line);
    expect(found).toEqual(lines);
  });
});
