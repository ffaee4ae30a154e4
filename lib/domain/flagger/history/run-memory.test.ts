import { describe, expect, it } from "vitest";
import { canaryOf } from "#lib/domain/flagger/view/testing/sample-canary.ts";
import { type RunMemory, rememberRun } from "./run-memory.ts";

type Status = { phase: string; lastAppliedSpec?: string; canaryWeight?: number; failedChecks?: number; since?: string };

/** Remembers states of a Canary that are seen a minute apart, from 10:00. */
function rememberAll(...seen: Status[]): RunMemory | undefined {
  let memory: RunMemory | undefined;
  for (const [minute, { phase, since, ...status }] of seen.entries()) {
    const conditions =
      since === undefined ? [] : [{ type: "Promoted", status: "False", reason: phase, lastTransitionTime: since }];
    const canary = canaryOf({
      spec: { provider: "istio", targetRef: { kind: "Deployment", name: "web" }, analysis: { stepWeight: 10 } },
      status: { phase, lastAppliedSpec: "a", ...status, conditions },
    });
    memory = rememberRun(canary, memory, `2026-08-01T10:0${minute}:00.000Z`);
  }
  return memory;
}

describe("a run that failed", () => {
  const failed = { phase: "Failed", since: "2026-08-01T09:59:00Z" };

  it("failed when the condition says", () => {
    expect(rememberAll({ phase: "Progressing" }, failed)?.failedSince).toBe("2026-08-01T09:59:00Z");
  });

  it("keeps that time while the next version waits, although the condition is written again", () => {
    const waiting = { phase: "Waiting", since: "2026-08-01T10:02:00Z" };
    expect(rememberAll({ phase: "Progressing" }, failed, waiting)).toMatchObject({
      hasFailed: true,
      failedSince: "2026-08-01T09:59:00Z",
    });
  });

  it("does not pass its time on to the next run", () => {
    expect(rememberAll(failed, { phase: "Progressing" })?.failedSince).toBeNull();
    expect(rememberAll(failed, { phase: "Progressing" }, { phase: "Failed" })?.failedSince).toBe(
      "2026-08-01T10:02:00.000Z",
    );
  });
});

describe("a run that nobody saw", () => {
  const before = { phase: "Progressing", canaryWeight: 40, failedChecks: 3 };

  it("does not take over what was remembered of the one before", () => {
    const memory = rememberAll({ phase: "Waiting" }, before, { phase: "Succeeded", lastAppliedSpec: "b" });
    expect(memory).toMatchObject({ peakWeight: 0, peakFailedChecks: 0, lastKnownWeight: null, waitedSince: null });
    expect(memory?.promotedKey).toBe(memory?.runKey);
  });

  it("is not assumed if the promoted version is the one that ran", () => {
    const memory = rememberAll({ phase: "Waiting" }, before, { phase: "Succeeded" });
    expect(memory).toMatchObject({ peakWeight: 40, peakFailedChecks: 3, waitedSince: "2026-08-01T10:00:00.000Z" });
  });
});
