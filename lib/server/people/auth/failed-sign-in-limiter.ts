import { type Admission, createAdmission } from "#lib/util/rate-limiter.ts";

type Limits = { byAddress: number; byPerson: number; overAll: number };
type Limiter = { named: Admission<keyof Limits>; unnamed: Admission<keyof Limits> };

// Next bundles each route apart, so the counters hang on the one runtime of the process and not on this module.
const handle = Symbol.for("gatehouse.failed-sign-in-limiter");

/** Entries within five minutes. */
const limits = {
  named: { byAddress: 30, byPerson: 10, overAll: 200 },
  unnamed: { byAddress: 10, byPerson: 50, overAll: 50 },
};

/**
 * Returns whether one more failed sign-in goes into the audit log. Failures of people who are known have a budget of
 * their own: callbacks that anybody can send must not hide them. `suppressed` says how many of the same kind were left
 * out since the last that went in.
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
  const keys = { byAddress: address.slice(0, 100), byPerson: (person ?? "").slice(0, 500), overAll: "" };
  return holder[handle][person === undefined ? "unnamed" : "named"].admit(keys, runtime.now());
}

function createBudget(within: Limits): Admission<keyof Limits> {
  return createAdmission({ limits: within, windowSeconds: 300, suppressedBy: "overAll" });
}
