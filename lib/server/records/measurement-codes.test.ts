import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ParsedValue } from "#lib/contract/analysis-run.ts";
import { runPhases } from "#lib/domain/delivery/run-phase.ts";
import { decodeKind, decodePhase, encodePhase, encodeValue, kindCodes } from "./measurement-codes.ts";

describe("the stored form of a measurement", () => {
  it("keeps every phase, also one that we do not know", () => {
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...runPhases, "", "S", "?", "?S"), fc.string()), (word) => {
        expect(decodePhase(encodePhase(word))).toBe(word);
      }),
    );
    expect(new Set(runPhases.map(encodePhase)).size).toBe(runPhases.length);
    expect(runPhases.map((phase) => encodePhase(phase).length)).toEqual(runPhases.map(() => 1));
  });

  it("keeps every kind of value", () => {
    const kinds = ParsedValue.shape.kind.options;
    expect(kinds.map((kind) => decodeKind(kindCodes[kind]))).toEqual(kinds);
  });

  it.each([
    { text: "0.95", kind: "number", number: 0.95, stored: "" },
    { text: "[0.9992138364779874]", kind: "array", number: 0.9992138364779874, stored: "" },
    { text: "-12", kind: "number", number: -12, stored: "" },
    { text: "0.950", kind: "number", number: 0.95, stored: "0.950" },
    { text: "1e3", kind: "number", number: 1000, stored: "1e3" },
    { text: "[0.95]", kind: "number", number: 0.95, stored: "[0.95]" },
    { text: "[0.95, 1]", kind: "array", number: 0.95, stored: "[0.95, 1]" },
    // PostgreSQL writes 5e-05.
    { text: "0.00005", kind: "number", number: 0.00005, stored: "0.00005" },
    { text: "-0", kind: "number", number: -0, stored: "-0" },
    { text: "1000000000000000", kind: "number", number: 1e15, stored: "1000000000000000" },
    { text: "NaN", kind: "nan", number: undefined, stored: "NaN" },
    { text: "", kind: "empty", number: undefined, stored: "" },
    { text: undefined, kind: "empty", number: undefined, stored: null },
  ] as const)("of $text is $stored", ({ text, kind, number, stored }) => {
    expect(encodeValue(text, number === undefined ? { kind } : { kind, number })).toBe(stored);
  });
});
