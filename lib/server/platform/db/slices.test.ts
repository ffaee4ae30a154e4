import { describe, expect, it } from "vitest";
import { runInSlices, startSlices } from "./slices.ts";

function createClock() {
  let now = 0;
  const waits: number[] = [];
  const wait = async (): Promise<void> => {
    waits.push(now);
  };
  const pass = (ms: number): void => {
    now += ms;
  };
  return { pass, waits, slices: startSlices({ now: () => now, wait }) };
}

describe("slices", () => {
  it("are over after their time, and begin again with a rest", async () => {
    const { pass, slices } = createClock();
    pass(4);
    expect(slices.isOver).toBe(false);
    pass(1);
    expect(slices.isOver).toBe(true);
    await slices.rest();
    expect(slices.isOver).toBe(false);
  });

  it.each([
    { stepMs: 0, waits: [] },
    { stepMs: 2, waits: [6, 12] },
    { stepMs: 9, waits: [9, 18, 27, 36, 45, 54] },
  ])("hold all steps in order, with rests in between when they last: $stepMs ms each", async ({ stepMs, waits }) => {
    const clock = createClock();
    const done: number[] = [];
    function* steps(): Generator<undefined, string, undefined> {
      for (let step = 0; step < 6; step++) {
        done.push(step);
        clock.pass(stepMs);
        yield;
      }
      return "end";
    }
    expect(await runInSlices(steps(), clock.slices)).toBe("end");
    expect(done).toEqual([0, 1, 2, 3, 4, 5]);
    expect(clock.waits).toEqual(waits);
  });

  it("end with what a step throws", async () => {
    // biome-ignore lint/correctness/useYield: the first step fails.
    function* steps(): Generator<undefined, string, undefined> {
      throw new TypeError("not usable");
    }
    await expect(runInSlices(steps())).rejects.toThrow("not usable");
  });
});
