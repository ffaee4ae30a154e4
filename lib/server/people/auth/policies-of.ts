import type { Policies } from "#lib/domain/policy/decide.ts";
import type { FreezeWindow } from "#lib/domain/policy/freeze.ts";
import type { ObservedPolicy } from "#lib/domain/policy/observe-policies.ts";
import type { Scope } from "#lib/domain/policy/rights.ts";
import type { PolicyConfig } from "#lib/server/platform/config/policy-schema.ts";
import { minutesOf } from "#lib/server/platform/config/policy-schema.ts";

/** Its freezes are those of the config, which recur. */
export type ConfigPolicies = Omit<Policies, "freezes"> & { freezes: readonly FreezeWindow[] };
type Mode = PolicyConfig["freezes"][number]["mode"];

const known = new WeakMap<PolicyConfig, Record<Mode, ConfigPolicies>>();

/** Returns the config's policies that decide, in the form of the pure rules: the same object for the same config. */
export function policiesOf(config: PolicyConfig): ConfigPolicies {
  return byMode(config).enforce;
}

/** The same for those that only observe. */
export function observedPoliciesOf(config: PolicyConfig): ConfigPolicies {
  return byMode(config).observe;
}

function byMode(config: PolicyConfig): Record<Mode, ConfigPolicies> {
  const policies = known.get(config) ?? {
    enforce: toPolicies(config, "enforce"),
    observe: toPolicies(config, "observe"),
  };
  known.set(config, policies);
  return policies;
}

function toPolicies({ reasons, freezes, secondPerson }: PolicyConfig, wanted: Mode): ConfigPolicies {
  const isWanted = ({ mode }: { mode: Mode }) => mode === wanted;
  return {
    reasons: reasons.filter(isWanted).map(({ actions, required, ticket, ...rule }) => ({
      ...{ scope: scopeOf(rule), actions, required },
      ticket: ticket && { name: ticket.name, pattern: ticket.pattern, isChecked: ticket.check !== undefined },
    })),
    freezes: freezes.filter(isWanted).map(toFreezeWindow),
    secondPerson: secondPerson
      .filter(isWanted)
      .map(({ mode: _, groups = [], ...rule }) => ({ ...rule, groups, scope: scopeOf(rule) })),
  };
}

/** Returns a freeze of the config in the form of the pure rules. */
export function toFreezeWindow({ duration, mode: _, ...rule }: PolicyConfig["freezes"][number]): FreezeWindow {
  return { ...rule, scope: scopeOf(rule), durationMinutes: minutesOf(duration) ?? Number.POSITIVE_INFINITY };
}

function scopeOf({ clusters, namespaces, rollouts }: Scope): Scope {
  return { clusters, namespaces, rollouts };
}

/** Returns the place in the config of a rule in the list of `policiesOf`, or of `observedPoliciesOf`. */
export function placeOfPolicy(
  config: PolicyConfig,
  { list, index, mode = "enforce" }: { list: keyof Policies; index: number; mode?: Mode },
): string {
  const places = config[list].flatMap((rule, place) => (rule.mode === mode ? [place] : []));
  return `policies.${list}[${places[index]}]`;
}

/** Returns what the audit log calls a rule: its name, or its place if rules of its list have none. */
export function nameOfPolicy(
  config: PolicyConfig,
  { list, index, mode }: Pick<ObservedPolicy, "list" | "index"> & { mode: Mode },
): string {
  const named = list === "reasons" ? undefined : byMode(config)[mode][list][index]?.name;
  return named ?? placeOfPolicy(config, { list, index, mode });
}
