import { expect, it } from "vitest";
import { redactBeginning } from "./redact-text.ts";

const token = `ghp_${"a1B2".repeat(9)}`;

it.each([0, 1, 5, 12, 19, 20, 30, token.length])(
  "shows no part of a token that ends %i characters behind the cut",
  (over) => {
    const padding = "x ".repeat(5000).slice(0, 10_000 - token.length + over);
    const shown = redactBeginning(`${padding} ${token} and more ${"y ".repeat(100)}`);
    expect(shown).not.toContain("ghp_");
    expect(shown.length).toBeLessThanOrEqual(10_000);
  },
);

it("redacts a shorter text as a whole", () => {
  expect(redactBeginning(`no: ${token}`)).toBe("no: [redacted]");
});

it("shows nothing of one word that is too long", () => {
  expect(redactBeginning("x".repeat(10_001))).toBe("");
});
