import { renameSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "#sandbox/controllers/clock.ts";

/**
 * The clock of the history: every process reads it through libfaketime, which adds the seconds in a file to the time of
 * the machine. It runs at the usual pace, and jumps over the time in which nothing is due.
 */
export type SimulatedClock = Clock & {
  nextDueMs(): number | undefined;
  /** Runs the callbacks that are due, and those that become due meanwhile. Returns how many. */
  runDue(): number;
  /** Never backwards. */
  jumpTo(timeMs: number): void;
  sleepUntil(timeMs: number): Promise<void>;
};

export function createSimulatedClock(offsetFile: string, initialOffsetMs: number): SimulatedClock {
  let offsetMs = initialOffsetMs;
  let nextId = 0;
  const timers = new Map<number, { dueMs: number; callback: () => void }>();

  const after: Clock["after"] = (delayMs, callback) => {
    const id = nextId++;
    timers.set(id, { dueMs: Date.now() + delayMs, callback });
    return () => timers.delete(id);
  };

  function takeDue(): (() => void) | undefined {
    const nowMs = Date.now();
    const due = [...timers].filter(([, { dueMs }]) => dueMs <= nowMs);
    const first = due.toSorted(([, left], [, right]) => left.dueMs - right.dueMs)[0];
    if (first === undefined) return undefined;
    timers.delete(first[0]);
    return first[1].callback;
  }

  return {
    now: () => Date.now(),
    after,
    nextDueMs: () => (timers.size === 0 ? undefined : Math.min(...[...timers.values()].map(({ dueMs }) => dueMs))),
    runDue() {
      let count = 0;
      for (let callback = takeDue(); callback !== undefined; callback = takeDue()) {
        callback();
        count += 1;
      }
      return count;
    },
    jumpTo(timeMs) {
      const aheadMs = timeMs - Date.now();
      if (aheadMs <= 0) return;
      offsetMs += aheadMs;
      writeOffset(offsetFile, offsetMs);
    },
    sleepUntil: (timeMs) => new Promise((resolve) => after(Math.max(0, timeMs - Date.now()), resolve)),
  };
}

export function writeOffset(file: string, offsetMs: number): void {
  writeFileSync(`${file}.tmp`, `${offsetMs < 0 ? "" : "+"}${(offsetMs / 1000).toFixed(3)}\n`, { mode: 0o644 });
  renameSync(`${file}.tmp`, file);
}

/** Waits in real time. */
export const pause = (ms: number): Promise<void> => sleep(ms);
