import { stateOf } from "./past-cluster.ts";
import type { PlannedService } from "./plan-history.ts";
import { createRecordedCheck } from "./recorded-check.ts";
import { pause, type SimulatedClock } from "./simulated-clock.ts";
import type { World } from "./world.ts";

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** The clock jumps at most this far at once: less while something waits, so that the recorder's rules look at it. */
const longestJumpMs = { waiting: 20 * minuteMs, idle: 6 * 60 * minuteMs };
/** How long the recorder gets after a jump over idle time, and after a shorter one. */
const restMs = { long: 150, short: 4 };

export type Play = {
  /** Lets time pass until then; `during` runs meanwhile, and must end by then. */
  until(timeMs: number, during: () => Promise<void>): Promise<void>;
  /** The clock does not jump while `work` runs. */
  live<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves once `isSo`, which is asked whenever the controllers did something. */
  when(isSo: () => boolean): Promise<void>;
};

/** The loop of the history: runs what is due, waits until it is recorded, and jumps to what is due next. */
export function createPlay({
  clock,
  world,
  services,
}: {
  clock: SimulatedClock;
  world: World;
  services: readonly PlannedService[];
}): Play {
  const recorded = createRecordedCheck(world);
  const waiting = new Set<{ isSo: () => boolean; resolve: () => void }>();
  let busy = 0;

  function wake(): boolean {
    const due = [...waiting].filter(({ isSo }) => isSo());
    for (const one of due) {
      waiting.delete(one);
      one.resolve();
    }
    return due.length > 0;
  }

  async function step(untilMs: number): Promise<void> {
    const ran = clock.runDue();
    // What a resolved promise continues runs before the clock jumps.
    await pause(0);
    if (busy > 0) {
      await pause(3);
      wake();
      return;
    }
    if (ran > 0) {
      await recorded.settle();
      if (wake()) await pause(0);
      if (busy > 0) return;
    }
    const nowMs = Date.now();
    const nextMs = Math.min(clock.nextDueMs() ?? untilMs, untilMs);
    const isWaiting = services.some(({ past }) => stateOf(world.cluster.store, past)?.waiting === true);
    const aheadMs = Math.min(nextMs - nowMs, isWaiting ? longestJumpMs.waiting : longestJumpMs.idle);
    if (aheadMs <= 0) return;
    clock.jumpTo(nowMs + aheadMs);
    if (aheadMs > 5000) await pause(aheadMs > 5 * minuteMs ? restMs.long : restMs.short);
  }

  return {
    async until(timeMs, during) {
      let isDone = false;
      let failure: unknown;
      const told = during().then(
        () => {
          isDone = true;
        },
        (error: unknown) => {
          failure = error;
        },
      );
      while (failure === undefined && (Date.now() < timeMs || !isDone))
        await step(isDone || Date.now() < timeMs ? timeMs : Date.now() + dayMs);
      await told;
      if (failure !== undefined) throw failure;
    },
    async live(work) {
      busy += 1;
      try {
        return await work();
      } finally {
        busy -= 1;
      }
    },
    when: (isSo) => (isSo() ? Promise.resolve() : new Promise((resolve) => waiting.add({ isSo, resolve }))),
  };
}
