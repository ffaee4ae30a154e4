import { setTimeout as sleep } from "node:timers/promises";

const sliceMs = 5000;

/**
 * Sleeps until the time is over or the signal aborts, without throwing. Calls `onTurn` meanwhile: a loop that waits is
 * alive.
 */
export async function pause(
  ms: number,
  { signal, onTurn }: { signal: AbortSignal; onTurn?: () => void },
): Promise<void> {
  const slice = onTurn === undefined ? ms : sliceMs;
  for (let left = ms; left > 0 && !signal.aborted; left -= slice) {
    onTurn?.();
    await sleep(Math.min(left, slice), undefined, { signal }).catch(() => {});
  }
}

/**
 * Waits for `work` and reports meanwhile that the loop is alive: waiting for another system does not mean being stuck.
 */
export async function awaitTurning<Result>(work: Promise<Result>, onTurn: () => void): Promise<Result> {
  const timer = setInterval(onTurn, sliceMs);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
