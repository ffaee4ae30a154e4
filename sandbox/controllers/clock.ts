/** Time as the controllers see it; tests hand in a fake one so that nothing sleeps. */
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

/** Kubernetes keeps times to the second, in UTC. */
export function formatTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

/** Milliseconds since the epoch, or undefined where the text is absent or no time. */
export function parseTime(text: string | undefined): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  const epochMs = Date.parse(text);
  return Number.isNaN(epochMs) ? undefined : epochMs;
}

const UNIT_MS: Record<string, number> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Go's duration text ("1m30s", "500ms"), or a whole number of seconds; undefined where it is neither. */
export function parseDurationMs(duration: string | number | undefined): number | undefined {
  if (duration === undefined) {
    return undefined;
  }
  if (typeof duration === "number" || /^\d+$/.test(duration)) {
    return Number(duration) * 1000;
  }
  if (!/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(duration)) {
    return undefined;
  }
  let totalMs = 0;
  for (const [, amount, unit] of duration.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)) {
    totalMs += Number(amount) * (UNIT_MS[unit ?? ""] ?? 0);
  }
  return totalMs;
}
