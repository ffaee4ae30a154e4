import type { Clock } from "./clock.ts";

export type WorkQueue = {
  /** Handles `key` after `delayMs`; an earlier entry for the same key wins over a later one. */
  enqueue(key: string, delayMs?: number): void;
  stop(): void;
};

type Appointment = { dueMs: number; cancel: () => void };

const RETRY_MS = 1000;

/**
 * Creates a keyed queue with one worker: bursts of events of one object become one pass, and a failing pass is retried.
 */
export function createWorkQueue(options: {
  clock: Clock;
  handle: (key: string) => void;
  onError: (key: string, error: unknown) => void;
}): WorkQueue {
  const { clock, handle, onError } = options;
  const appointments = new Map<string, Appointment>();
  let isStopped = false;

  function enqueue(key: string, delayMs = 0): void {
    if (isStopped) {
      return;
    }
    const dueMs = clock.now() + delayMs;
    const earlier = appointments.get(key);
    if (earlier !== undefined) {
      if (earlier.dueMs <= dueMs) {
        return;
      }
      earlier.cancel();
    }
    appointments.set(key, { dueMs, cancel: clock.after(delayMs, () => run(key)) });
  }

  function run(key: string): void {
    appointments.delete(key);
    if (isStopped) {
      return;
    }
    try {
      handle(key);
    } catch (error) {
      onError(key, error);
      enqueue(key, RETRY_MS);
    }
  }

  return {
    enqueue,
    stop() {
      isStopped = true;
      for (const appointment of appointments.values()) {
        appointment.cancel();
      }
      appointments.clear();
    },
  };
}
