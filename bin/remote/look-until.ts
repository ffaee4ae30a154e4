import { setTimeout as sleep } from "node:timers/promises";
import type { ChangeEvent } from "#lib/contract/system.ts";
import type { RemoteApi } from "./api.ts";

type Options = {
  api: Pick<RemoteApi, "follow">;
  signal: AbortSignal;
  /** Whether a change is a reason to look. */
  concerns: (change: ChangeEvent) => boolean;
  /** Returns true to stop looking. */
  look: () => Promise<boolean>;
  /** Looks at least this often, in case a change was not announced. */
  everyMs?: number;
  leastRestMs?: number;
};

/**
 * Looks at once, and again after each change that concerns it, until `look` returns true or the signal aborts; returns
 * which. However many changes there are, it rests twice as long as a look takes.
 */
export async function lookUntil(options: Options): Promise<boolean> {
  const { api, signal, concerns, look, everyMs = 15_000, leastRestMs = 300 } = options;
  const done = new AbortController();
  const ended = AbortSignal.any([signal, done.signal]);
  let isDue = false;
  let wake = () => {};
  let failure: unknown;
  const notice = () => {
    isDue = true;
    wake();
  };
  const follow = async () => {
    for await (const event of api.follow(ended)) if (event.type !== "change" || concerns(event.change)) notice();
  };
  const following = follow().catch((error: unknown) => {
    failure = error;
    notice();
  });
  try {
    while (!signal.aborted) {
      if (failure !== undefined) throw failure;
      isDue = false;
      const began = performance.now();
      if (await look()) return true;
      await rest(Math.max(leastRestMs, 2 * (performance.now() - began)), ended);
      const noticed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (!isDue) await Promise.race([noticed, rest(everyMs, ended)]);
    }
    return false;
  } finally {
    done.abort();
    await following;
  }
}

/** Waits, but not longer than until the signal aborts. */
async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
