import { describe, expect, it } from "vitest";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";
import { type DeletableRun, isTtlExceeded, selectRunsToDelete, ttlSeconds } from "./run-deletion.ts";
import type { AnalysisPhase, TtlStrategy } from "./types.ts";

describe("selectRunsToDelete", () => {
  type Case = {
    id: string;
    replicaSets: { podHash: string; deleting: boolean }[];
    runs: DeletableRun[];
    limits: { successful: number; unsuccessful: number };
    expect: { deleted?: string[]; deletedCount?: number };
  };

  it.each(loadCases<Case>("analysis-analysis-run-gc"))("$id", (testCase) => {
    const deleted = selectRunsToDelete(testCase).map((run) => run.name);
    if (testCase.expect.deleted !== undefined) expect([...deleted].sort()).toEqual([...testCase.expect.deleted].sort());
    else expect(deleted).toHaveLength(testCase.expect.deletedCount ?? -1);
  });

  it("deletes the oldest of each kind and never a running one", () => {
    const run = (name: string, phase: DeletableRun["phase"], createdAt: number) => ({
      name,
      phase,
      createdAt,
      podHash: "a",
    });
    const runs = [
      run("old-failed", "Failed", 1),
      run("old-ok", "Successful", 2),
      run("running", "Running", 0),
      run("new-ok", "Successful", 3),
      run("new-inconclusive", "Inconclusive", 4),
    ];
    const deleted = selectRunsToDelete({
      runs,
      replicaSets: [{ podHash: "a" }],
      limits: { successful: 1, unsuccessful: 1 },
    });
    expect(deleted.map(({ name }) => name)).toEqual(["old-ok", "old-failed"]);
  });
});

describe("isTtlExceeded", () => {
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
});
