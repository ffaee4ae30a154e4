/** Counts failures per key in a fixed window. In memory: each replica counts for itself. */
export type RateLimiter = {
  /** Seconds to wait, or undefined where the key may try. */
  retryAfterSeconds(key: string, now: Date): number | undefined;
  recordFailure(key: string, now: Date): void;
  reset(key: string): void;
};

const maxKeys = 10_000;

export function createRateLimiter({ limit, windowSeconds }: { limit: number; windowSeconds: number }): RateLimiter {
  const windows = new Map<string, { count: number; endsAt: number }>();
  const current = (key: string, now: Date) => {
    const window = windows.get(key);
    if (window !== undefined && window.endsAt <= now.getTime()) windows.delete(key);
    return windows.get(key);
  };
  return {
    retryAfterSeconds: (key, now) => {
      const window = current(key, now);
      if (window === undefined || window.count < limit) return undefined;
      return Math.max(1, Math.ceil((window.endsAt - now.getTime()) / 1000));
    },
    recordFailure: (key, now) => {
      const window = current(key, now);
      if (window !== undefined) {
        window.count += 1;
        return;
      }
      // Keys come from outside: the oldest window goes before the map can grow without bound.
      const [oldest] = windows.keys();
      if (windows.size >= maxKeys && oldest !== undefined) windows.delete(oldest);
      windows.set(key, { count: 1, endsAt: now.getTime() + windowSeconds * 1000 });
    },
    reset: (key) => void windows.delete(key),
  };
}
