import type { HookPurpose } from "#lib/contract/hook.ts";
import type { HookAccess } from "#lib/domain/flagger/gates/decide-hook.ts";
import { matchesAny } from "#lib/domain/policy/match-glob.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import type { HookCall } from "#lib/server/webhooks/hook-call.ts";
import { type ClaimedCredential, isSameHash } from "#lib/server/webhooks/hook-secret.ts";
import type { CredentialRow } from "#lib/server/webhooks/read-call-facts.ts";
import { createRateLimiter, putNewest, type RateLimiter } from "#lib/util/rate-limiter.ts";

/** The fields of a call that identify its sender. */
export type Claim = Pick<HookCall, "cluster" | "credential" | "address">;

/** Who may call. Wrong credentials are limited by address, but never keep a right one from being looked up. */
export type CredentialGuard = {
  /** Refuses without a query of the database; undefined if the credential must be looked up. */
  refuseEarly(call: Claim): "bad_credential" | "rate_limited" | undefined;
  /**
   * Returns whether too many wrong credentials came from the address, and this one is not known to be right. Then it is
   * looked up by itself first, so that guesses cost one look at a small table.
   */
  isSuspect(call: Claim): boolean;
  /** Returns whether the credential was right the last time. */
  isRemembered(call: Claim): boolean;
  /**
   * Decides whether the caller may call for this purpose and namespace, by the current row of the credential. Without a
   * namespace: for any that the credential names.
   */
  check(
    call: Claim,
    asked: { row: CredentialRow | undefined; purpose: HookPurpose; namespace?: string | undefined },
  ): HookAccess;
};

const maxRemembered = 1000;

export function createCredentialGuard(runtime: Pick<Runtime, "config" | "now">): CredentialGuard {
  /** Secrets that were right the last time: their callers keep access, whoever else guesses at the same address. */
  const remembered = new Map<string, string>();
  /** Wrong credentials of the last minute: a loop that repeats one costs nothing. */
  const wrong = createRateLimiter({ limit: 1, windowSeconds: 60 });
  let limits: { perMinute: number; failures: RateLimiter } | undefined;

  function failures(): RateLimiter {
    const perMinute = runtime.config().config.limits.addressRequestsPerMinute;
    if (limits?.perMinute !== perMinute)
      limits = { perMinute, failures: createRateLimiter({ limit: perMinute, windowSeconds: 60 }) };
    return limits.failures;
  }

  function isOverLimit({ address }: Claim): boolean {
    return failures().retryAfterSeconds(address, runtime.now()) !== undefined;
  }

  function fail(call: Claim): "bad_credential" | "rate_limited" {
    const refusal = isOverLimit(call) ? "rate_limited" : "bad_credential";
    const { address, credential } = call;
    failures().recordFailure(address, runtime.now());
    if (credential !== undefined) wrong.recordFailure(keyOf(credential), runtime.now());
    return refusal;
  }

  const isRemembered = ({ id, secretHash }: ClaimedCredential) => remembered.get(id) === secretHash;

  return {
    isRemembered: ({ credential }) => credential !== undefined && isRemembered(credential),
    refuseEarly(call) {
      const { credential } = call;
      if (credential === undefined) return fail(call);
      if (isRemembered(credential) || !isOverLimit(call)) return undefined;
      return wrong.retryAfterSeconds(keyOf(credential), runtime.now()) === undefined ? undefined : fail(call);
    },
    isSuspect: (call) => call.credential !== undefined && !isRemembered(call.credential) && isOverLimit(call),
    check(call, { row, purpose, namespace }) {
      const { credential } = call;
      if (credential === undefined) return fail(call);
      // Without a row it is compared too, so that the time does not reveal which ids exist.
      const isSecret = isSameHash(row?.secret_hash ?? "0".repeat(64), credential.secretHash);
      if (row === undefined || !isSecret || !row.is_valid) {
        if (isRemembered(credential)) remembered.delete(credential.id);
        return fail(call);
      }
      putNewest(remembered, { key: credential.id, value: credential.secretHash, maxEntries: maxRemembered });
      if (row.cluster !== call.cluster || row.purpose !== purpose) return "out_of_scope";
      if (namespace !== undefined && !matchesAny(row.namespaces, namespace)) return "out_of_scope";
      const isNamed = runtime.config().config.clusters.some(({ name }) => name === call.cluster);
      return isNamed ? "granted" : "unknown_cluster";
    },
  };
}

function keyOf({ id, secretHash }: ClaimedCredential): string {
  return `${id} ${secretHash}`;
}
