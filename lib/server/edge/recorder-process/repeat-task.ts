import type { Pool } from "pg";
import type { Logger } from "pino";
import type { LoopMonitor } from "#lib/server/platform/telemetry/loop-monitor.ts";
import type { Bell } from "#lib/server/process/change-bell.ts";
import { awaitTurning, pause } from "#lib/server/recording/session/pause.ts";
import { isHeld, type Lease } from "#lib/server/recording/store/lease.ts";
import { computeBackoff } from "#lib/util/compute-backoff.ts";

/** Between two passes other work gets a turn, however often the bell rings. */
export const shortestMs = 20;

export type Task = {
  log: Logger;
  monitor: LoopMonitor;
  name: string;
  isOurs(): Promise<boolean>;
  /** The time between two passes; with a bell, the least. */
  everyMs: number;
  firstAfterMs?: number;
  /** Starts the next pass. */
  bell?: Bell;
  /** The most time between two passes of a task with a bell. */
  idleMs?: number;
};

/**
 * The result of a pass: how many rows it worked off (then there may be more), or when the next one is due by time even
 * if the bell does not ring.
 */
type Pass = number | { nextMs: number };

/** Repeats the work until the signal aborts. */
export async function repeat(
  task: Task,
  signal: AbortSignal,
  // biome-ignore lint/suspicious/noConfusingVoidType: most passes have no result
  work: () => Promise<Pass | void>,
): Promise<void> {
  const { name, everyMs, bell, idleMs = everyMs, isOurs, log, monitor } = task;
  const onTurn = (): void => monitor.turn(name, Math.max(20_000, Math.min(everyMs, 60_000)));
  let failures = 0;
  if (bell !== undefined) signal.addEventListener("abort", bell.ring, { once: true });
  await pause(task.firstAfterMs ?? 0, { signal, onTurn });
  while (!signal.aborted) {
    onTurn();
    let nextMs = idleMs;
    try {
      // Each row of a task is guarded by itself; this prevents a pass that belongs to another recorder by now.
      const pass = (await awaitTurning(isOurs(), onTurn)) ? await awaitTurning(work(), onTurn) : undefined;
      if (typeof pass === "number" && pass > 0) bell?.ring();
      if (typeof pass === "object") nextMs = Math.min(idleMs, pass.nextMs);
      failures = 0;
    } catch (error) {
      // The first failure in a row is worth a log line; a database that is down would fill the log.
      if (failures++ === 0 && !signal.aborted)
        log.warn({ task: name, error: String(error) }, "task failed, trying again");
    }
    const longestMs = Math.min(Math.max(everyMs, 500), 32_000);
    const afterMs = failures === 0 ? everyMs : computeBackoff({ firstMs: 500, longestMs, doublings: failures });
    await pause(afterMs, { signal, onTurn });
    if (failures === 0) await bell?.wait(nextMs - everyMs);
  }
  monitor.forget(name);
}

/** As often as the lease is renewed. */
const lookEveryMs = 3000;

/** Looks at most every three seconds whether the lease is ours, for all tasks. */
export function createLeaseLook(pool: Pool, lease: Lease): () => Promise<boolean> {
  let look: { at: number; result: Promise<boolean> } | undefined;
  return async () => {
    if (look === undefined || performance.now() - look.at > lookEveryMs)
      look = { at: performance.now(), result: isHeld(pool, lease) };
    const asked = look;
    try {
      return await asked.result;
    } catch (error) {
      if (look === asked) look = undefined;
      throw error;
    }
  };
}

/** Rings later, when rows held back by an older transaction may have been settled. */
export function ringSoon(bell: Bell): void {
  setTimeout(bell.ring, 100).unref();
}
