import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/fail-closed.md"), "utf8");
const rows = page.split("\n").flatMap((line) => {
  const [, rule, , , tests] = line.split("|").map((cell) => cell.trim());
  return rule !== undefined && /^FC-\d\d$/.test(rule) ? [{ rule, tests: tests ?? "" }] : [];
});
const rules = Array.from({ length: 31 }, (_, index) => `FC-${String(index + 1).padStart(2, "0")}`);

describe("docs/fail-closed.md", () => {
  it("has every rule once, in order", () => {
    expect(rows.map(({ rule }) => rule)).toEqual(rules);
  });

  it.each(rows)("$rule is tested where it says so", ({ rule, tests }) => {
    const file = /\(\.\.\/(test\/fail-closed\/[^)]+)\)/.exec(tests)?.[1] ?? "";
    expect(readFileSync(join(root, file), "utf8")).toMatch(new RegExp(`^describe\\("${rule} `, "m"));
  });
});
