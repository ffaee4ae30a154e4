import { affectedKeysOf } from "#lib/client/affected-keys.ts";
import type { ChangeEvent } from "#lib/contract/system.ts";

type Key = readonly unknown[];

export type ChangeBatcherInput = {
  /** Asks again for what the key names; resolves when the answers are there. */
  refetch(key: Key): Promise<unknown>;
  sleep(ms: number): Promise<void>;
  /** Least time between two batches. */
  pauseMs(): number;
};

/**
 * Asks at once for what the first change touches. Collects the changes that arrive during the fetch and the pause after
 * it, then asks once per key. Nothing is dropped or postponed for ever: under a steady stream every pass works off all
 * that came in, and no pass interrupts the one before.
 */
export function createChangeBatcher({ refetch, sleep, pauseMs }: ChangeBatcherInput): (changes: ChangeEvent[]) => void {
  let waiting: ChangeEvent[] = [];
  let running = false;

  async function run(): Promise<void> {
    running = true;
    try {
      while (waiting.length > 0) {
        const batch = waiting;
        waiting = [];
        await Promise.allSettled(affectedKeysOf(batch).map(refetch));
        await sleep(pauseMs());
      }
    } finally {
      running = false;
    }
  }

  return (changes) => {
    waiting.push(...changes);
    if (!running) void run();
  };
}
