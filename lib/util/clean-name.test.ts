import { expect, it } from "vitest";
import { cleanName } from "./clean-name.ts";

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
