import type { Permit } from "#lib/domain/acting/judge-actions.ts";
import type { Target } from "#lib/domain/policy/rights.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import { policiesOf } from "#lib/server/people/auth/policies-of.ts";

/** Builds the input of the policy check: the actor's rights, the place, and the config as it is now. */
export function permitOf(
  { runtime, actor }: ActingContext,
  { cluster, namespace, kind, name }: Target,
  now: Date,
): Permit {
  const policies = policiesOf(runtime.config().config.policies);
  return { rights: actor.rights, policies, target: { cluster, namespace, kind, name }, now };
}
