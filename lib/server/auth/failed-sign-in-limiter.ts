import { createRateLimiter, type RateLimiter } from "#lib/server/actor/rate-limiter.ts";

type Budget = { byAddress: RateLimiter; byPerson: RateLimiter; overAll: RateLimiter; suppressed: number };
type Limiter = { named: Budget; unnamed: Budget };

// Next bundles each route apart, so the counters hang on the one runtime of the process and not on this module.
const handle = Symbol.for("gatehouse.failed-sign-in-limiter");

/** Entries within five minutes. */
const limits = {
  named: { byAddress: 30, byPerson: 10, overAll: 200 },
  unnamed: { byAddress: 10, byPerson: 50, overAll: 50 },
};

/**
 * Whether one more failed sign-in goes into the audit log. Failures of people who are known have a budget of their own:
 * callbacks that anybody can send must not hide them. `suppressed` says how many of the same kind were left out since
 * the last that went in.
 */
export function admitFailedSignIn({
  runtime,
  address,
  person,
}: {
  runtime: { now(): Date };
  address: string;
  /** Who it is, if that is known: a key that nobody can choose to be another's. */
  person: string | undefined;
}): { admitted: boolean; suppressed: number } {
  const holder = runtime as typeof runtime & { [handle]?: Limiter };
  holder[handle] ??= { named: createBudget(limits.named), unnamed: createBudget(limits.unnamed) };
  const budget = holder[handle][person === undefined ? "unnamed" : "named"];
  const now = runtime.now();
  const counts = [
    { limiter: budget.byAddress, key: address.slice(0, 100) },
    { limiter: budget.byPerson, key: (person ?? "").slice(0, 500) },
    { limiter: budget.overAll, key: "" },
  ];
  if (counts.some(({ limiter, key }) => limiter.retryAfterSeconds(key, now) !== undefined)) {
    budget.suppressed += 1;
    return { admitted: false, suppressed: 0 };
  }
  for (const { limiter, key } of counts) limiter.recordFailure(key, now);
  const { suppressed } = budget;
  budget.suppressed = 0;
  return { admitted: true, suppressed };
}

function createBudget({ byAddress, byPerson, overAll }: (typeof limits)["named"]): Budget {
  const within = (limit: number) => createRateLimiter({ limit, windowSeconds: 300 });
  return { byAddress: within(byAddress), byPerson: within(byPerson), overAll: within(overAll), suppressed: 0 };
}
