import type { Policies } from "#lib/domain/policy/decide.ts";
import type { Scope } from "#lib/domain/policy/rights.ts";
import type { PolicyConfig } from "#lib/server/platform/config/policy-schema.ts";
import { minutesOf } from "#lib/server/platform/config/policy-schema.ts";

const known = new WeakMap<PolicyConfig, Policies>();

/** Returns the config's policies in the form of the pure rules: the same object for the same config. */
export function policiesOf(config: PolicyConfig): Policies {
  const policies = known.get(config) ?? toPolicies(config);
  known.set(config, policies);
  return policies;
}

function toPolicies({ reasons, freezes, secondPerson }: PolicyConfig): Policies {
  return {
    reasons: reasons.map((rule) => ({ scope: scopeOf(rule), actions: rule.actions, required: rule.required })),
    freezes: freezes.map(({ duration, ...rule }) => ({
      ...rule,
      scope: scopeOf(rule),
      durationMinutes: minutesOf(duration) ?? Number.POSITIVE_INFINITY,
    })),
    secondPerson: secondPerson.map((rule) => ({ ...rule, scope: scopeOf(rule) })),
  };
}

function scopeOf({ clusters, namespaces, rollouts }: Scope): Scope {
  return { clusters, namespaces, rollouts };
}
