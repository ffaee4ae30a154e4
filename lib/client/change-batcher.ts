import { type Affected, affectedKeysOf } from "#lib/client/affected-keys.ts";
import type { ChangeEvent } from "#lib/contract/system.ts";

export type ChangeBatcherInput = {
  /** Refetches what is affected; resolves when the data has arrived. */
  refetch(affected: Affected): Promise<unknown>;
  sleep(ms: number): Promise<void>;
  /** Returns the minimum time between two batches. */
  pauseMs(): number;
};

/**
 * Refetches at once for the first change. Collects the changes that arrive during the fetch and the pause after it,
 * then refetches once per key. Invariant: nothing is dropped or postponed forever. Under a steady stream, every pass
 * handles all that came in, and no pass interrupts the previous one.
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
