import { describe, expect, it } from "vitest";
import { cleanName, isBlank } from "./text.ts";

describe("cleanName", () => {
  it.each<[string, string, string | undefined]>([
    ["leaves a name", "On Call", "On Call"],
    [
      "leaves other scripts",
      "\u0440\u0435\u043b\u0438\u0437 \u62c5\u5f53",
      "\u0440\u0435\u043b\u0438\u0437 \u62c5\u5f53",
    ],
    ["takes marks of direction out", "on\u202ecall\u2069", "oncall"],
    ["takes zero-width characters out", "on\u200bcall\ufeff", "oncall"],
    ["puts it on one line", " On\n\tCall ", "On Call"],
    ["takes control characters out", "On\u0007Call\u001b[31m", "OnCall[31m"],
    ["cuts what is long, between characters", `${"a".repeat(99)}\u{1f680}b`, `${"a".repeat(99)}\u{1f680}`],
    ["has nothing of nothing", "\u200b \u3164", undefined],
  ])("%s", (_, text, expected) => {
    expect(cleanName(text)).toBe(expected);
  });
});

describe("isBlank", () => {
  it.each<[string, string, boolean]>([
    ["nothing", "", true],
    ["spaces and a line break", " \t\r\n", true],
    ["a no-break space", "\u00a0", true],
    ["a zero-width space", "\u200b\u200b", true],
    ["a zero-width joiner and a word joiner", "\u200d\u2060", true],
    ["marks of direction", "\u202e\u2066\u2069", true],
    ["a soft hyphen", "\u00ad", true],
    ["a byte order mark", "\ufeff", true],
    ["a tag character", "\u{e0041}", true],
    ["a Hangul filler, which counts as a letter", "\u3164\u115f\uffa0", true],
    ["a variation selector", "\ufe0f", true],
    ["an empty Braille cell", "\u2800", true],
    ["a line separator", "\u2028", true],
    ["a null and a delete", "\0\u007f", true],
    ["half of a pair", "\ud800", true],
    ["zero", "0", false],
    ["a full stop", ".", false],
    ["a word among them", "\u200bok\u00a0", false],
    ["letters of another script", "\u306f\u3044", false],
    ["an emoji with its joiners", "\u{1f469}\u200d\u{1f680}", false],
  ])("%s", (_, text, expected) => {
    expect(isBlank(text)).toBe(expected);
  });
});
