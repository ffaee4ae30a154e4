import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { LimitConfig } from "#lib/server/platform/config/config-schema.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";
import { createRateLimiter, type RateLimiter } from "#lib/util/rate-limiter.ts";

export const usualLimits: LimitConfig = LimitConfig.parse({});

/** `madeFrom` is the config section that they count by: after a reload it is another object. */
type Counters = { madeFrom: LimitConfig; requests: RateLimiter; signIns: RateLimiter; open: RateLimiter };

// Next bundles each route separately, so the counters are stored on the one runtime of the process, not in this module.
const handle = Symbol.for("gatehouse.request-limits");
type Holder = WebRuntime & { [handle]?: Counters };

function countersOf(runtime: WebRuntime): Counters {
  const holder = runtime as Holder;
  const { limits } = runtime.config().config;
  const known = holder[handle];
  if (known !== undefined && known.madeFrom === limits) return known;
  return setRequestLimits(runtime, limits);
}

/** Sets these limits until the config changes; earlier counts are dropped. */
export function setRequestLimits(runtime: WebRuntime, settings: LimitConfig): Counters {
  const counters = createCounters(settings, runtime.config().config.limits);
  (runtime as Holder)[handle] = counters;
  return counters;
}

function createCounters(settings: LimitConfig, madeFrom: LimitConfig): Counters {
  const perMinute = (limit: number) => createRateLimiter({ limit, windowSeconds: 60 });
  const { requestsPerMinute, addressRequestsPerMinute } = settings;
  return {
    madeFrom,
    requests: perMinute(requestsPerMinute),
    signIns: perMinute(addressRequestsPerMinute),
    open: perMinute(addressRequestsPerMinute),
  };
}

/** Counts one request of an actor. Throws `rate_limited`. */
export function countRequest(runtime: WebRuntime, actorKey: string): void {
  take({ limiter: countersOf(runtime).requests, key: actorKey, now: runtime.now(), whose: "you" });
}

/** Counts one request below /api/auth. Throws `rate_limited`. */
export function countSignInRequest(runtime: WebRuntime, address: string): void {
  take({ limiter: countersOf(runtime).signIns, key: address, now: runtime.now(), whose: "this address" });
}

/** Counts one request that needs no session. Returns the seconds to wait, if there were too many. */
export function takeOpenRequest(runtime: WebRuntime, address: string): number | undefined {
  const { open } = countersOf(runtime);
  const now = runtime.now();
  const retryAfterSeconds = open.retryAfterSeconds(address, now);
  if (retryAfterSeconds === undefined) open.recordFailure(address, now);
  return retryAfterSeconds;
}

function take({ limiter, key, now, whose }: { limiter: RateLimiter; key: string; now: Date; whose: string }): void {
  const retryAfterSeconds = limiter.retryAfterSeconds(key, now);
  if (retryAfterSeconds !== undefined)
    throw new ServiceError("rate_limited", `Too many requests from ${whose}; wait a moment.`, { retryAfterSeconds });
  limiter.recordFailure(key, now);
}
