import type { Freeze } from "#lib/contract/freeze.ts";
import { longestFreezeDays } from "#lib/domain/policy/freeze.ts";
import { actsInScope, intersectScopes } from "#lib/domain/policy/list-grants.ts";
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

/** Returns whether the freeze concerns something that the actor may read. */
export function seesFreeze({ grants }: Rights, scope: Scope): boolean {
  return grants.some((grant) => intersectScopes(grant.scope, scope) !== undefined);
}

/** Throws `invalid_request` for an end that is past, before the start, or too far away. */
export function assertEnd({ startsAt, endsAt, now }: { startsAt: Date; endsAt: Date; now: Date }): void {
  const reason =
    endsAt <= now
      ? "is past"
      : endsAt <= startsAt
        ? "is not after startsAt"
        : endsAt.getTime() - now.getTime() > longestFreezeDays * 86_400_000
          ? `is more than ${longestFreezeDays} days from now`
          : undefined;
  if (reason === undefined) return;
  throw new ServiceError("invalid_request", `endsAt ${reason}.`, { invalidParams: [{ name: "endsAt", reason }] });
}

export function serializeFreeze(row: FreezeRow, { rights, now }: { rights: Rights; now: Date }): Freeze {
  const { id, reason, startsAt, endsAt, madeBy } = row;
  const { clusters, namespaces, rollouts } = row;
  return {
    id,
    reason,
    scope: { clusters, namespaces, rollouts },
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    inForce: startsAt <= now && now < endsAt,
    madeBy,
    mayEnd: endsAt > now && mayFreeze(rights, scopeOfFreeze(row)),
  };
}
