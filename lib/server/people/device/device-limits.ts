import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { createRateLimiter, type RateLimiter } from "#lib/util/rate-limiter.ts";

type Limits = { asksOfAddress: RateLimiter; guesses: RateLimiter };

// Next bundles each route separately, so the counters are stored on the one runtime of the process, not in this module.
const handle = Symbol.for("gatehouse.device-limits");
type Holder = { [handle]?: Limits };

const windowSeconds = 600;
const perAddress = 10;
const guessesOfPerson = 10;

function limitsOf(runtime: object): Limits {
  const holder = runtime as Holder;
  holder[handle] ??= {
    asksOfAddress: createRateLimiter({ limit: perAddress, windowSeconds }),
    guesses: createRateLimiter({ limit: guessesOfPerson, windowSeconds }),
  };
  return holder[handle];
}

/** Counts a terminal's sign-in request by its address: no person is known yet, and each request leaves a row. */
export function takeDeviceAsk({ runtime, address, now }: { runtime: object; address: string; now: Date }): void {
  const { asksOfAddress } = limitsOf(runtime);
  const retryAfterSeconds = asksOfAddress.retryAfterSeconds(address, now);
  if (retryAfterSeconds !== undefined)
    throw new ServiceError(
      "rate_limited",
      "Too many terminals ask to be signed in from this address; wait a few minutes.",
      {
        retryAfterSeconds,
      },
    );
  asksOfAddress.recordFailure(address, now);
}

/** Throws `rate_limited` if a person has given too many codes that do not exist. */
export function assertMayGuess({ runtime, person, now }: { runtime: object; person: string; now: Date }): void {
  const retryAfterSeconds = limitsOf(runtime).guesses.retryAfterSeconds(person, now);
  if (retryAfterSeconds !== undefined)
    throw new ServiceError("rate_limited", "Too many wrong codes; wait a few minutes.", { retryAfterSeconds });
}

export function countGuess({ runtime, person, now }: { runtime: object; person: string; now: Date }): void {
  limitsOf(runtime).guesses.recordFailure(person, now);
}
