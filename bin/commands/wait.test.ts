import { describe, expect, it } from "vitest";
import { type Goal, judgeRelease } from "./wait.ts";

type Seen = Parameters<ReturnType<typeof judgeRelease>>[0];

const fresh = { state: "live", lastContact: null, fresh: true, reason: null };
const base: Seen = {
  source: fresh,
  advanceRefused: null,
  phase: "Paused",
  providerPhase: null,
  aborted: false,
  revisionKey: "new",
  stableRevisionKey: "old",
  presence: "live",
  images: [
    { image: "registry/shop:v1", tags: ["stable"] },
    { image: "registry/shop:v2", tags: ["canary"] },
  ],
  attention: null,
  message: "CanaryPauseStep",
  replicaSets: [
    {
      name: "shop-new",
      revision: 2,
      podHash: "new",
      tags: ["canary"],
      images: ["registry/shop:v2"],
      replicas: 1,
      available: 1,
      pods: { total: 1, ready: 1, restarts: 0 },
    },
  ],
};
const promoted: Partial<Seen> = { phase: "Healthy", stableRevisionKey: "new", message: "" };
const aborted: Partial<Seen> = { phase: "Degraded", aborted: true };
const failed: Partial<Seen> = { phase: "Degraded", providerPhase: "Failed", replicaSets: [] };
const degraded = { reason: "degraded", since: "2026-11-24T12:00:00.000Z" } as const;

function outcome(goal: Goal, now: Partial<Seen>, version?: string) {
  return judgeRelease({ first: base, goal, version })({ ...base, ...now }).outcome;
}

describe("a wait", () => {
  it.each<[Goal, Partial<Seen>, string]>([
    ["promoted", {}, "waiting"],
    ["promoted", promoted, "reached"],
    ["promoted", aborted, "missed"],
    ["promoted", { phase: "Degraded" }, "waiting"],
    ["promoted", { ...failed, attention: { ...degraded, severity: "warning" } }, "missed"],
    ["promoted", { ...failed, attention: { ...degraded, severity: "critical" } }, "waiting"],
    ["aborted", failed, "reached"],
    ["paused", {}, "reached"],
    ["paused", { phase: "Progressing" }, "waiting"],
    ["paused", promoted, "missed"],
    ["aborted", aborted, "reached"],
    ["aborted", promoted, "missed"],
    ["person", {}, "waiting"],
    ["person", { attention: { reason: "pause", since: "2026-11-24T12:00:00.000Z", severity: "info" } }, "reached"],
  ])("for %s, seeing %o: %s", (goal, now, expected) => {
    expect(outcome(goal, now)).toBe(expected);
  });

  it("is missed if another version takes the place, or the cluster has the rollout no longer", () => {
    expect(outcome("promoted", { revisionKey: "newer" })).toBe("missed");
    expect(outcome("promoted", { presence: "deleted" })).toBe("missed");
  });

  it("for a version looks at nothing else before that is rolled out", () => {
    expect(outcome("promoted", { ...promoted }, ":v3")).toBe("waiting");
    expect(outcome("promoted", { ...promoted }, ":v2")).toBe("reached");
    expect(outcome("promoted", { ...promoted, revisionKey: "newer", stableRevisionKey: "newer" }, ":v3")).toBe(
      "waiting",
    );
  });

  it("for a version knows its release also when no pod runs it any more", () => {
    const judge = judgeRelease({ first: base, goal: "promoted", version: ":v2" });
    const stable = [{ image: "registry/shop:v1", tags: ["stable"] }];
    const over: Seen = { ...base, ...failed, images: stable };
    expect(judge(over)).toEqual({ outcome: "waiting", text: ":v2 is not being rolled out yet" });
    expect(judge({ ...base, replicaSets: [] }).outcome).toBe("waiting");
    expect(judge(over).outcome).toBe("missed");
    expect(judge({ ...over, revisionKey: "newer" }).outcome).toBe("waiting");
  });

  it("waits on while the newest state cannot be read", () => {
    const advanceRefused = { reasonCode: "unreadable", reason: "The newest state could not be read." };
    expect(outcome("promoted", { ...promoted, advanceRefused })).toBe("waiting");
    expect(
      outcome("promoted", { ...promoted, advanceRefused: { ...advanceRefused, reasonCode: "config_error" } }),
    ).toBe("reached");
  });

  it("believes nothing that is not up to date", () => {
    const source = { ...fresh, fresh: false, reason: "The watch has been silent for 2 min." };
    const judge = judgeRelease({ first: base, goal: "promoted", version: undefined });
    const verdict = judge({ ...base, ...promoted, source });
    expect(verdict).toEqual({
      outcome: "waiting",
      text: "Gatehouse is not up to date: The watch has been silent for 2 min.",
    });
  });
});
