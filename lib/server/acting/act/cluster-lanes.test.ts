import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import {
  beginRun,
  inLane,
  isStopping,
  laneWidth,
  stopRuns,
  watchAnswers,
} from "#lib/server/acting/act/cluster-lanes.ts";

/** Work that runs until it is told to end. */
function createWork(runtime: object) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string, cluster: string, protective = false) =>
    inLane(runtime, { cluster, protective }, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await turn();
  };
  return { begun, start, end };
}

describe("inLane", () => {
  it("runs a few of one cluster at a time, and those of another cluster meanwhile", async () => {
    const { begun, start } = createWork({});
    for (let index = 0; index < laneWidth + 2; index += 1) void start(`a${index}`, "a");
    void start("b", "b");
    await turn();
    expect(begun).toEqual([...Array.from({ length: laneWidth }, (_, index) => `a${index}`), "b"]);
  });

  it("lets protective work go before what waits", async () => {
    const { begun, start, end } = createWork({});
    for (let index = 0; index < laneWidth; index += 1) void start(`a${index}`, "a");
    void start("promote", "a");
    void start("abort", "a", true);
    await turn();
    await end("a0");
    expect(begun.at(-1)).toBe("abort");
    await end("a1");
    expect(begun.at(-1)).toBe("promote");
  });

  it("gives the place back after an error", async () => {
    const runtime = {};
    const failing = Array.from({ length: laneWidth * 2 }, () =>
      inLane(runtime, { cluster: "a", protective: false }, () => Promise.reject(new Error("no"))),
    );
    await Promise.allSettled(failing);
    await expect(inLane(runtime, { cluster: "a", protective: false }, async () => "done")).resolves.toBe("done");
  });
});

describe("watchAnswers", () => {
  it("calls a cluster silent after several failures in a row and ten seconds, and waits longer after each", () => {
    let now = 0;
    const answers = watchAnswers(() => now);
    expect(answers.pauseMs("a")).toBe(0);
    for (let index = 0; index < laneWidth; index += 1) answers.noteFailure("a");
    expect(answers.isSilent("a")).toBe(false);
    expect(answers.pauseMs("a")).toBe(2000);
    now = 10_001;
    expect([answers.isSilent("a"), answers.isSilent("b")]).toEqual([true, false]);
    answers.noteAnswer("a");
    expect([answers.isSilent("a"), answers.pauseMs("a")]).toEqual([false, 0]);
  });

  it("does not call a cluster silent after a few failures, however old", () => {
    let now = 0;
    const answers = watchAnswers(() => now);
    answers.noteFailure("a");
    now = 60_000;
    expect([answers.isSilent("a"), answers.pauseMs("a")]).toEqual([false, 500]);
  });
});

describe("stopRuns", () => {
  it("gives what waits its turn at once, and resolves when all have ended", async () => {
    const runtime = {};
    const { begun, start } = createWork(runtime);
    const end = beginRun(runtime, "one");
    for (let index = 0; index < laneWidth + 2; index += 1) void start(`a${index}`, "a");
    await turn();
    let hasStopped = false;
    const stopped = stopRuns(runtime, 60_000).then(() => {
      hasStopped = true;
    });
    await turn();
    expect([begun.length, isStopping(runtime), hasStopped]).toEqual([laneWidth + 2, true, false]);
    end?.();
    await stopped;
  });

  it("does not wait longer than it may, nor if nothing runs", async () => {
    await stopRuns({}, 60_000);
    const runtime = {};
    beginRun(runtime, "one");
    await stopRuns(runtime, 1);
  });
});
