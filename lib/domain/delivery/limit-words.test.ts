import { expect, it } from "vitest";
import { formatLimitUse } from "./limit-words.ts";

const counters = { count: 12, inconclusive: 4, failed: 1, error: 1, consecutiveError: 5 };
const limits = { inconclusiveLimit: "3", failureLimit: 0, consecutiveErrorLimit: 4 };

it.each<{ phase: string; name?: string; more?: Partial<typeof counters>; says: string | undefined }>([
  {
    phase: "Inconclusive",
    name: "success-rate",
    says: "4 of 13 success-rate measurements were inconclusive (3 allowed)",
  },
  { phase: "Inconclusive", says: "4 of 13 measurements were inconclusive (3 allowed)" },
  {
    phase: "Inconclusive",
    more: { count: 1, error: 0, inconclusive: 1 },
    says: "1 of 1 measurement was inconclusive (3 allowed)",
  },
  {
    phase: "Inconclusive",
    more: { count: 50_000, error: 0, inconclusive: 1000 },
    says: "1,000 of 50,000 measurements were inconclusive (3 allowed)",
  },
  { phase: "Failed", name: "latency", says: "1 of 13 latency measurements failed (0 allowed)" },
  { phase: "Error", name: "latency", says: "latency had 5 errors in a row (4 allowed)" },
  { phase: "Error", more: { consecutiveError: 1 }, says: "1 error in a row (4 allowed)" },
  { phase: "Successful", says: undefined },
])("$phase: $says", ({ phase, name, more, says }) => {
  const named = name === undefined ? {} : { name };
  expect(formatLimitUse({ ...named, phase, counters: { ...counters, ...more }, limits })).toBe(says);
});
