import { expect, it } from "vitest";
import { timingFor } from "./record-clusters.ts";

it.each([
  { staleAfterSeconds: 10, readEveryMs: 3333, watchSeconds: 3 },
  { staleAfterSeconds: 20, readEveryMs: 6667, watchSeconds: 6 },
  { staleAfterSeconds: 60, readEveryMs: 20_000, watchSeconds: 20 },
  { staleAfterSeconds: 3600, readEveryMs: 20_000, watchSeconds: 25 },
])("seeks contact three times within $staleAfterSeconds s", ({ staleAfterSeconds, readEveryMs, watchSeconds }) => {
  const timing = timingFor(staleAfterSeconds);
  expect(Math.round(timing.readEveryMs)).toBe(readEveryMs);
  expect(timing.watchSeconds).toBe(watchSeconds);
  expect(timing.staleAfterMs).toBe(staleAfterSeconds * 1000);
});
