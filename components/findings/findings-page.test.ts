import { expect, it } from "vitest";
import { describeOpen } from "#components/findings/findings-page.tsx";

it.each([
  {
    open: { critical: 1, warning: 0, info: 3 },
    words: "1 critical and 3 info open. The menu counts critical and warning only.",
  },
  { open: { critical: 1, warning: 2, info: 0 }, words: "1 critical and 2 warning open." },
  { open: { critical: 0, warning: 0, info: 0 }, words: "" },
])("explains the number in the menu: $words", ({ open, words }) => {
  expect(describeOpen(open)).toBe(words);
});
