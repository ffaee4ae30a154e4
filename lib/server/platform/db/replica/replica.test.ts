import { describe, expect, it } from "vitest";
import { computeLag, judgeReplica, keepSample, type PrimarySample } from "./replica.ts";
import { hasReached, parseLsn, type ReplayState } from "./wal-position.ts";

const place = (lsn: number, timeline = 1) => ({ lsn: BigInt(lsn), timeline });
/** The primary wrote 100 in each second until 3000 ms, and nothing since. */
const samples: PrimarySample[] = [0, 1000, 2000, 3000, 4000, 5000].map((atMs) => ({
  atMs,
  position: place(Math.min(atMs, 3000) / 10),
}));

describe("computeLag", () => {
  it.each([
    { name: "has replayed all", replayed: place(300), nowMs: 5200, lagMs: 200 },
    { name: "an idle primary makes no lag", replayed: place(300), nowMs: 5900, lagMs: 900 },
    { name: "lacks the last second's writes", replayed: place(250), nowMs: 5200, lagMs: 3200 },
    { name: "is ahead of what the primary said", replayed: place(400), nowMs: 5200, lagMs: 200 },
    { name: "has reached none", replayed: place(-1), nowMs: 5200, lagMs: undefined },
    { name: "is on another timeline", replayed: place(300, 2), nowMs: 5200, lagMs: undefined },
  ])("$name", ({ replayed, nowMs, lagMs }) => {
    expect(computeLag(samples, { replayed, nowMs })).toBe(lagMs);
  });

  it("grows while the primary does not answer", () => {
    expect(computeLag(samples, { replayed: place(300), nowMs: 65_000 })).toBe(60_000);
  });

  it("remembers a minute", () => {
    let kept: PrimarySample[] = [];
    for (let second = 0; second < 100; second++)
      kept = keepSample(kept, { atMs: second * 1000, position: place(second) });
    expect(kept).toHaveLength(60);
    expect(computeLag(kept, { replayed: place(39), nowMs: 100_000 })).toBeUndefined();
    expect(computeLag(kept, { replayed: place(40), nowMs: 100_000 })).toBe(60_000);
  });
});

describe("judgeReplica", () => {
  const standby = (position: ReplayState["position"]): ReplayState => ({ isStandby: true, position });
  it.each([
    { name: "in use", replay: standby(place(300)), state: "in-use" },
    { name: "at the bound", replay: standby(place(300)), maxLagMs: 200, state: "in-use" },
    { name: "beyond the bound", replay: standby(place(300)), maxLagMs: 199, state: "behind" },
    { name: "beyond memory", replay: standby(place(-1)), state: "behind" },
    { name: "nothing replayed yet", replay: standby(undefined), state: "starting" },
    { name: "follows another primary", replay: standby(place(300, 2)), state: "other-timeline" },
    { name: "a primary", replay: { isStandby: false, position: place(300) }, state: "not-a-standby" },
  ])("$name: $state", ({ replay, maxLagMs = 2000, state }) => {
    expect(judgeReplica(replay, { samples, nowMs: 5200, maxLagMs }).state).toBe(state);
  });

  it("waits for the first sample of the primary", () => {
    const state = judgeReplica(standby(place(300)), { samples: [], nowMs: 0, maxLagMs: 5000 });
    expect(state).toEqual({ state: "starting", lagMs: undefined });
  });
});

describe("a place in the log", () => {
  it.each([
    ["0/0", 0n],
    ["0/1", 1n],
    ["1/0", 0x1_0000_0000n],
    ["16/B374D848", 0x16_b374_d848n],
    ["FFFFFFFF/FFFFFFFF", 0xffff_ffff_ffff_ffffn],
  ])("%s", (text, lsn) => {
    expect(parseLsn(text)).toBe(lsn);
  });

  it("is compared as a number, on one timeline", () => {
    expect(parseLsn("10/0") > parseLsn("9/FFFFFFFF")).toBe(true);
    expect(hasReached(place(5), place(5))).toBe(true);
    expect(hasReached(place(4), place(5))).toBe(false);
    expect(hasReached(place(900, 1), place(5, 2))).toBe(false);
    expect(hasReached(undefined, place(0))).toBe(false);
  });

  it.each(["", "16", "16/", "G/0", "1/2/3", "123456789/0"])("is not %j", (text) => {
    expect(() => parseLsn(text)).toThrow(/not a place/);
  });
});
