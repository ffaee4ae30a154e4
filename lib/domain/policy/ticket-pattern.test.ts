import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { explainBadPattern, findTicket, makeSampleTicket } from "./ticket-pattern.ts";

describe("findTicket", () => {
  it.each<{ pattern: string; reason: string; ticket: string | undefined }>([
    { pattern: "CHG\\d+", reason: "see CHG1234: metrics are fine", ticket: "CHG1234" },
    { pattern: "CHG\\d+", reason: "CHG1, then CHG22", ticket: "CHG1" },
    { pattern: "CHG\\d+", reason: "CHG", ticket: undefined },
    { pattern: "CHG\\d+", reason: "chg1234", ticket: undefined },
    { pattern: "CHG\\d+", reason: "", ticket: undefined },
    // Neither a part of a word nor the beginning of a longer number.
    { pattern: "CHG\\d{4}", reason: "CHG12345", ticket: undefined },
    { pattern: "CHG\\d{4}", reason: "XCHG1234", ticket: undefined },
    { pattern: "CHG\\d{4}", reason: "ÄCHG1234", ticket: undefined },
    { pattern: "CHG\\d{4}", reason: "XCHG1234 CHG5678", ticket: "CHG5678" },
    { pattern: "CHG\\d{4}", reason: "(CHG1234)", ticket: "CHG1234" },
    { pattern: "#\\d{1,3}", reason: "closes#12.", ticket: "#12" },
    { pattern: "CHG\\d+|INC-?\\d+", reason: "INC-7 after CHG1", ticket: "INC-7" },
    { pattern: "A|AB?C?", reason: "ABC", ticket: "ABC" },
    { pattern: "[A-Z]{2,5}-\\d+", reason: "OPS-17", ticket: "OPS-17" },
    { pattern: "[A-Z]{2,5}-\\d+", reason: "A-1 LONGER-2", ticket: undefined },
    { pattern: "[A-Z0-9.\\]-]+!", reason: "x A-1.]!", ticket: "A-1.]!" },
    { pattern: "\\w+\\.\\w*", reason: "a b_1.", ticket: "b_1." },
    { pattern: "a*b", reason: "aaaa aab", ticket: "aab" },
    // The earliest way wins, even if it ends last.
    { pattern: "a b+|b", reason: "a bb", ticket: "a bb" },
    { pattern: "\\w+", reason: "x".repeat(101), ticket: undefined },
    { pattern: "CHG\\d+", reason: `${" ".repeat(1993)}CHG1234`, ticket: "CHG1234" },
    { pattern: "CHG\\d+", reason: `${" ".repeat(2000)}CHG1234`, ticket: undefined },
    { pattern: "(bad)", reason: "(bad)", ticket: undefined },
  ])("finds $ticket in $reason by $pattern", ({ pattern, reason, ticket }) => {
    expect(findTicket(pattern, reason)).toBe(ticket);
  });

  it("finds what a regular expression would find", () => {
    const atoms = fc.constantFrom("a", "b", "-", "\\d", "[ab]", "[0-2-]", "\\.");
    const counts = fc.constantFrom("", "", "?", "*", "+", "{2}", "{1,3}", "{2,}");
    const choice = fc
      .array(fc.tuple(atoms, counts), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.flat().join(""));
    const pattern = fc.array(choice, { minLength: 1, maxLength: 3 }).map((choices) => choices.join("|"));
    const text = fc.string({ unit: fc.constantFrom("a", "b", "-", "1", "2", ".", " ", "c"), maxLength: 12 });
    fc.assert(
      fc.property(pattern, text, (source, reason) => {
        fc.pre(explainBadPattern(source) === undefined);
        const places = Array.from({ length: reason.length }, (_, start) => start);
        // As a word, from each place, the longest: alternatives of RegExp take the first that matches.
        const longest = places.map((start) => {
          const ends = places.map((end) => end + 1).filter((end) => end > start);
          return ends.findLast((end) => isWhole(source, reason, start, end));
        });
        const start = longest.findIndex((end) => end !== undefined);
        expect(findTicket(source, reason)).toBe(start === -1 ? undefined : reason.slice(start, longest[start]));
      }),
      { numRuns: 2000 },
    );
  });

  it("takes no longer for a hostile reason", () => {
    const began = performance.now();
    for (const pattern of ["[!.]{1,98}X", "\\w*\\w*\\w*\\w*\\w*-", "[a ]*[a ]*[a ]*[a ]*X"])
      for (const letter of ["!", "a", "a "]) findTicket(pattern, letter.repeat(2000));
    expect(performance.now() - began).toBeLessThan(2000);
  });
});

function isWhole(source: string, text: string, start: number, end: number): boolean {
  const isInWord = (place: number) => /^\w\w$/.test(text.slice(Math.max(0, place - 1), place + 1));
  return !isInWord(start) && !isInWord(end) && new RegExp(`^(?:${source})$`).test(text.slice(start, end));
}

describe("explainBadPattern", () => {
  it.each(["CHG\\d+", "CHG\\d{7,10}", "[A-Z][A-Z0-9]+-\\d+", "a|b", "\\(\\d+\\)", "[\\]\\\\]x"])(
    "takes %s",
    (pattern) => {
      expect(explainBadPattern(pattern)).toBeUndefined();
    },
  );

  it.each<[pattern: string, why: RegExp]>([
    ["", /without a ticket/],
    ["A|", /without a ticket/],
    ["\\d*", /without a ticket/],
    ["(A+)+", /"\(" is not supported here: for the character itself, write \\\(/],
    ["CHG.*", /"\." is not supported/],
    ["^CHG\\d+$", /leave out \^ and \$/],
    ["\\bCHG", /"\\b" is not supported/],
    ["\\1", /"\\1" is not supported/],
    ["A\\", /not supported/],
    ["{", /"\{" is not supported/],
    ["A**", /"\*" is not supported/],
    ["A{2,1}", /matches nothing/],
    ["A{0}B", /matches nothing/],
    ["A{101}", /at most 100 characters/],
    ["[A-Z", /no end/],
    ["[]", /no end, or is empty/],
    ["[^A]", /excludes/],
    ["[Z-A]", /range Z-A is empty/],
    ["ß", /ASCII/],
    ["A".repeat(101), /at most 100 characters/],
  ])("refuses %s", (pattern, why) => {
    expect(explainBadPattern(pattern)).toMatch(why);
  });
});

describe("makeSampleTicket", () => {
  it.each([
    ["CHG\\d+", "CHG1234"],
    ["[A-Z]{3}-\\d{2,}", "ABC-1234"],
    ["INC-?\\d{7}|CHG\\d+", "INC1234567"],
    ["(bad)", ""],
  ])("makes one of %s", (pattern, sample) => {
    expect(makeSampleTicket(pattern)).toBe(sample);
  });
});
