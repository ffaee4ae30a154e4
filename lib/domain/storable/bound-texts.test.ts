import { expect, it } from "vitest";
import { boundTexts } from "./bound-texts.ts";

const few = { "job-name": "check", "job-namespace": "shop" };
const long = "x".repeat(40_000);

it("keeps what is short as it is", () => {
  expect(boundTexts(few)).toEqual(few);
});

it("cuts only the long ones, to one length, and says how long they were", () => {
  const { analysis = "", analysisJSON = "", ...others } = boundTexts({ analysis: long, analysisJSON: long, ...few });
  expect(others).toEqual(few);
  for (const text of [analysis, analysisJSON]) expect(text).toMatch(/^x+… \(cut: it has 40000 characters\)$/);
  expect(analysis.length + analysisJSON.length).toBeGreaterThan(16_000);
  expect(analysis.length + analysisJSON.length).toBeLessThan(16 * 1024 + 100);
});

it("says how many are left out because there are too many, or by their long names", () => {
  const many = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`name-${index}`, "x"]));
  const bound = boundTexts({ [long]: "y", ...many });
  expect(Object.keys(bound)).toHaveLength(65);
  expect(bound["…"]).toBe("7 more not stored");
});

it("stays within bounds if every text is long", () => {
  const many = Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`${index}${"n".repeat(250)}`, long]));
  expect(JSON.stringify(boundTexts(many)).length).toBeLessThan(24 * 1024);
});
