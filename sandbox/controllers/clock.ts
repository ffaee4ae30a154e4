import { parseDurationMs as parseGoDurationMs } from "#lib/util/duration.ts";

/** Time as the controllers see it; tests pass a fake clock so that nothing sleeps. */
export type Clock = {
  now(): number;
  /** Runs `callback` once after `delayMs`; returns the function that cancels it. */
  after(delayMs: number, callback: () => void): () => void;
};

const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(delayMs, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

/** Formats a time as Kubernetes does: in whole seconds, in UTC. */
export function formatTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

/** Returns milliseconds since the epoch, or undefined if the text is absent or not a time. */
export function parseTime(text: string | undefined): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  const epochMs = Date.parse(text);
  return Number.isNaN(epochMs) ? undefined : epochMs;
}

/** Parses a step's duration to ms: Go's text ("1m30s") or a whole number of seconds; undefined if it is neither. */
export function parseDurationMs(duration: string | number | undefined): number | undefined {
  if (duration === undefined) {
    return undefined;
  }
  return /^\d+$/.test(String(duration)) ? Number(duration) * 1000 : parseGoDurationMs(String(duration));
}

/** Returns the shortest of the known delays. */
export function earliest(...delays: (number | undefined)[]): number | undefined {
  const known = delays.filter((delay) => delay !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
