import type { Clock } from "#sandbox/controllers/clock.ts";

export type FakeClock = Clock & {
  /** Runs every timer that falls due within `ms`, in order, each at its own time. */
  advance(ms: number): void;
};

export function createFakeClock(startMs = Date.UTC(2026, 0, 5, 9, 0, 0)): FakeClock {
  let nowMs = startMs;
  let nextId = 0;
  const timers = new Map<number, { dueMs: number; callback: () => void }>();

  function takeNext(untilMs: number): { dueMs: number; callback: () => void } | undefined {
    let nextKey: number | undefined;
    let next: { dueMs: number; callback: () => void } | undefined;
    for (const [key, timer] of timers) {
      if (timer.dueMs <= untilMs && (next === undefined || timer.dueMs < next.dueMs)) {
        nextKey = key;
        next = timer;
      }
    }
    if (nextKey !== undefined) {
      timers.delete(nextKey);
    }
    return next;
  }

  return {
    now: () => nowMs,
    after(delayMs, callback) {
      const id = nextId++;
      timers.set(id, { dueMs: nowMs + delayMs, callback });
      return () => timers.delete(id);
    },
    advance(ms) {
      const untilMs = nowMs + ms;
      let steps = 0;
      for (let timer = takeNext(untilMs); timer !== undefined; timer = takeNext(untilMs)) {
        nowMs = timer.dueMs;
        timer.callback();
        steps += 1;
        if (steps > 200_000) {
          throw new Error("the controllers never come to rest");
        }
      }
      nowMs = untilMs;
    },
  };
}
