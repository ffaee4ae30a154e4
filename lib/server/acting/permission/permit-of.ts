import type { Permit } from "#lib/domain/acting/judge-actions.ts";
import type { FreezePeriod } from "#lib/domain/policy/freeze.ts";
import type { Target } from "#lib/domain/policy/rights.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import { policiesOf } from "#lib/server/people/auth/policies-of.ts";

/**
 * Builds the input of the policy check: the actor's rights, the place, the config as it is now, and the freezes that
 * people made.
 */
export function permitOf(
  { runtime, actor }: ActingContext,
  { cluster, namespace, kind, name }: Target,
  now: Date,
  freezes: readonly FreezePeriod[] = runtime.freezes(),
): Permit {
  const ofConfig = policiesOf(runtime.config().config.policies);
  const policies = freezes.length === 0 ? ofConfig : { ...ofConfig, freezes: [...ofConfig.freezes, ...freezes] };
  return { rights: actor.rights, policies, target: { cluster, namespace, kind, name }, now };
}
