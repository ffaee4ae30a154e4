import { expect, it } from "vitest";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";
import { isTtlExceeded, ttlSeconds } from "./ttl.ts";
import type { AnalysisPhase, TtlStrategy } from "./types.ts";

type Case = {
  id: string;
  ttlStrategy: TtlStrategy;
  phase: AnalysisPhase;
  completedSecondsAgo: number;
  expect: { expired: boolean };
};

const now = Date.parse("2026-01-01T00:00:00Z");

it.each(loadCases<Case>("analysis-ttl"))("$id", ({ ttlStrategy, phase, completedSecondsAgo, expect: expected }) => {
  const completedAt = now - completedSecondsAgo * 1000;
  expect(isTtlExceeded({ ttlStrategy, phase, completedAt, now })).toBe(expected.expired);
});

it("takes 0 seconds as a limit", () => {
  const ttlStrategy = { secondsAfterSuccess: 0, secondsAfterCompletion: 60 };
  expect(isTtlExceeded({ ttlStrategy, phase: "Successful", completedAt: now - 1000, now })).toBe(true);
  expect(isTtlExceeded({ ttlStrategy, phase: "Successful", completedAt: now - 999, now })).toBe(false);
});

it("never deletes a running run, nor one without a completion time", () => {
  const ttlStrategy = { secondsAfterCompletion: 0 };
  expect(isTtlExceeded({ ttlStrategy, phase: "Running", completedAt: 0, now })).toBe(false);
  expect(isTtlExceeded({ ttlStrategy, phase: "Failed", completedAt: undefined, now })).toBe(false);
  expect(ttlSeconds({ secondsAfterFailure: 5 }, "Inconclusive")).toBeUndefined();
});
