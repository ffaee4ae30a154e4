import type { Policies } from "#lib/domain/policy/decide.ts";
import type { FreezeWindow } from "#lib/domain/policy/freeze.ts";
import type { Scope } from "#lib/domain/policy/rights.ts";
import type { PolicyConfig } from "#lib/server/platform/config/policy-schema.ts";
import { minutesOf } from "#lib/server/platform/config/policy-schema.ts";

/** Its freezes are those of the config, which recur. */
type ConfigPolicies = Omit<Policies, "freezes"> & { freezes: readonly FreezeWindow[] };

const known = new WeakMap<PolicyConfig, ConfigPolicies>();

/** Returns the config's policies in the form of the pure rules: the same object for the same config. */
export function policiesOf(config: PolicyConfig): ConfigPolicies {
  const policies = known.get(config) ?? toPolicies(config);
  known.set(config, policies);
  return policies;
}

function toPolicies({ reasons, freezes, secondPerson }: PolicyConfig): ConfigPolicies {
  return {
    reasons: reasons.map(({ actions, required, ticket, ...rule }) => ({
      ...{ scope: scopeOf(rule), actions, required },
      ticket: ticket && { name: ticket.name, pattern: ticket.pattern, isChecked: ticket.check !== undefined },
    })),
    freezes: freezes.map(({ duration, ...rule }) => ({
      ...rule,
      scope: scopeOf(rule),
      durationMinutes: minutesOf(duration) ?? Number.POSITIVE_INFINITY,
    })),
    secondPerson: secondPerson.map(({ groups = [], ...rule }) => ({ ...rule, groups, scope: scopeOf(rule) })),
  };
}

function scopeOf({ clusters, namespaces, rollouts }: Scope): Scope {
  return { clusters, namespaces, rollouts };
}
