import type { Freeze } from "#lib/contract/freeze.ts";
import { longestFreezeDays } from "#lib/domain/policy/freeze.ts";
import { actsInScope, readablePart } from "#lib/domain/policy/list-grants.ts";
import type { Rights, Scope } from "#lib/domain/policy/rights.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { type FreezeRow, scopeOfFreeze } from "#lib/server/records/freeze-row.ts";

/** Returns whether the actor may make, extend and end a freeze: the right `freeze` in the whole of its scope. */
export function mayFreeze(rights: Rights, scope: Scope): boolean {
  return actsInScope(rights, { action: "freeze", scope });
}

/** Throws `forbidden` without the right. */
export function assertMayFreeze(rights: Rights, scope: Scope): void {
  if (!mayFreeze(rights, scope))
    throw new ServiceError("forbidden", "Your rights do not include freeze in this whole scope. Choose a smaller one.");
}

/** Throws `invalid_request` for an end that is past, too far away, or not after the start or the present end. */
export function assertEnd({ after, endsAt, now }: { after: Date; endsAt: Date; now: Date }): void {
  const reason =
    endsAt <= now
      ? "is past"
      : endsAt <= after
        ? `is not after ${after.toISOString()}`
        : endsAt.getTime() - now.getTime() > longestFreezeDays * 86_400_000
          ? `is more than ${longestFreezeDays} days from now`
          : undefined;
  if (reason === undefined) return;
  throw new ServiceError("invalid_request", `endsAt ${reason}.`, { invalidParams: [{ name: "endsAt", reason }] });
}

/**
 * Returns the freeze with the part of its scope that the actor may read; undefined if the actor may read no part.
 */
export function serializeFreeze(row: FreezeRow, { rights, now }: { rights: Rights; now: Date }): Freeze | undefined {
  const { id, reason, startsAt, endsAt, madeByName } = row;
  const part = readablePart(rights, scopeOfFreeze(row));
  if (part === undefined) return undefined;
  return {
    id,
    reason,
    scope: { clusters: [...part.clusters], namespaces: [...part.namespaces], rollouts: [...part.rollouts] },
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    inForce: startsAt <= now && now < endsAt,
    madeBy: madeByName,
    mayEnd: endsAt > now && mayFreeze(rights, scopeOfFreeze(row)),
  };
}
