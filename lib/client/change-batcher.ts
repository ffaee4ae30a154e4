import { type Affected, affectedKeysOf } from "#lib/client/affected-keys.ts";
import type { ChangeEvent } from "#lib/contract/system.ts";

export type ChangeBatcherInput = {
  /** Refetches the affected queries; resolves when the data has arrived. */
  refetch(affected: Affected): Promise<unknown>;
  sleep(ms: number): Promise<void>;
  /** Returns the minimum time between two batches. */
  pauseMs(): number;
  now(): number;
};

/** The pause as a multiple of the time that the fetch took. */
const pauseFactor = 2;
const longestPauseMs = 10_000;

/**
 * Refetches at once for the first change. Collects the changes that arrive during the fetch and the pause after it,
 * then refetches once per key. Invariant: nothing is dropped or postponed forever. Under a steady stream, every pass
 * handles all that came in, and no pass interrupts the previous one. A fetch that takes long, such as that of a list
 * with a hundred loaded pages, is followed by a pause that is longer still, so that a page asks for a third of the time
 * at most.
 */
export function createChangeBatcher({
  refetch,
  sleep,
  pauseMs,
  now,
}: ChangeBatcherInput): (changes: ChangeEvent[]) => void {
  let waiting: ChangeEvent[] = [];
  let running = false;

  async function run(): Promise<void> {
    running = true;
    try {
      while (waiting.length > 0) {
        const batch = waiting;
        waiting = [];
        const startMs = now();
        await Promise.allSettled(affectedKeysOf(batch).map(refetch));
        const tookMs = now() - startMs;
        await sleep(Math.max(pauseMs(), Math.min(pauseFactor * tookMs, longestPauseMs)));
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
