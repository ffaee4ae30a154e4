import { isIP } from "node:net";
import { sha256Hex } from "./sha256.ts";

/** Counts failures per key in a fixed window. In memory: each replica counts for itself. */
export type RateLimiter = {
  /** Returns the seconds to wait, or undefined if the key may try. */
  retryAfterSeconds(key: string, now: Date): number | undefined;
  recordFailure(key: string, now: Date): void;
  reset(key: string): void;
};

/** Keys come from outside. */
const maxEntries = 10_000;

export function createRateLimiter({ limit, windowSeconds }: { limit: number; windowSeconds: number }): RateLimiter {
  const windows = new Map<string, { count: number; endsAt: number }>();
  const current = (key: string, now: Date) => {
    const window = windows.get(key);
    if (window !== undefined && window.endsAt <= now.getTime()) windows.delete(key);
    return windows.get(key);
  };
  return {
    retryAfterSeconds: (key, now) => {
      const window = current(shorten(key), now);
      if (window === undefined || window.count < limit) return undefined;
      return Math.max(1, Math.ceil((window.endsAt - now.getTime()) / 1000));
    },
    recordFailure: (text, now) => {
      const key = shorten(text);
      const window = current(key, now);
      if (window !== undefined) {
        window.count += 1;
        return;
      }
      const value = { count: 1, endsAt: now.getTime() + windowSeconds * 1000 };
      putNewest(windows, { key, value, maxEntries });
    },
    reset: (key) => void windows.delete(shorten(key)),
  };
}

/** Limits the events that are written: each has one key for each limit, and is admitted if no limit is used up. */
export type Admission<Name extends string> = {
  /** Counts the event if it is admitted. `suppressed` is then how many were left out since the last one. */
  admit(keys: Readonly<Record<Name, string>>, now: Date): { admitted: boolean; suppressed: number };
};

/** `suppressedBy` names the limit by whose keys, each for itself, the left-out events are counted. */
export function createAdmission<Name extends string>({
  limits,
  windowSeconds,
  suppressedBy,
}: {
  limits: Readonly<Record<Name, number>>;
  windowSeconds: number;
  suppressedBy: NoInfer<Name>;
}): Admission<Name> {
  const parts: { name: Name; limiter: RateLimiter }[] = [];
  for (const name in limits) parts.push({ name, limiter: createRateLimiter({ limit: limits[name], windowSeconds }) });
  const suppressedOf = new Map<string, number>();
  return {
    admit: (keys, now) => {
      const teller = shorten(keys[suppressedBy]);
      const suppressed = suppressedOf.get(teller) ?? 0;
      if (parts.some(({ name, limiter }) => limiter.retryAfterSeconds(keys[name], now) !== undefined)) {
        putNewest(suppressedOf, { key: teller, value: suppressed + 1, maxEntries });
        return { admitted: false, suppressed: 0 };
      }
      for (const { name, limiter } of parts) limiter.recordFailure(keys[name], now);
      suppressedOf.delete(teller);
      return { admitted: true, suppressed };
    },
  };
}

/**
 * Shortens a key, so that a counter stays small. An IPv6 address counts as its /64 network: one client has all its
 * addresses.
 */
function shorten(key: string): string {
  if (key.length > 200) return sha256Hex(key);
  return isIP(key) === 6 ? networkOf(key) : key;
}

function networkOf(address: string): string {
  const [head = "", tail] = (address.split("%", 1)[0] ?? "").split("::");
  const groups = head === "" ? [] : head.split(":");
  if (tail !== undefined) {
    const rest = tail === "" ? [] : tail.split(":");
    // An IPv4 address at the end stands for two groups.
    const written = groups.length + rest.length + (tail.includes(".") ? 1 : 0);
    groups.push(...Array.from({ length: 8 - written }, () => "0"), ...rest);
  }
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}

/**
 * Puts an entry into a map as its newest, and drops the oldest ones beyond `maxEntries`: their keys come from outside.
 */
export function putNewest<Key, Value>(
  map: Map<Key, Value>,
  { key, value, maxEntries }: { key: Key; value: Value; maxEntries: number },
): void {
  // A Map keeps an existing key in its old position.
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= maxEntries) return;
    map.delete(oldest);
  }
}
