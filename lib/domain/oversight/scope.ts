import { isInScope, type Scope, type Target } from "#lib/domain/policy/rights.ts";
import { defaultLimits, limitNames, type OversightLimits } from "./limits.ts";

/** One entry of the config: what it sets for the rollouts of its scope. */
export type OversightScope = {
  scope: Scope;
  /** Ids of rules that are not evaluated. */
  off?: readonly string[] | undefined;
  /** Whether Gatehouse pauses a rollout whose Inconclusive result is about to be ignored. */
  hold?: boolean | undefined;
  limits: Partial<Record<keyof OversightLimits, number | undefined>>;
};

export type Oversight = { limits: OversightLimits; off: readonly string[]; hold: boolean };

/** Resolves what applies to a rollout: of each field, the first entry that sets it for the rollout's scope. */
export function resolveOversight(scopes: readonly OversightScope[], target: Target): Oversight {
  const own = scopes.filter(({ scope }) => isInScope(scope, target));
  const limits = limitNames.map((name) => [name, own.find((entry) => entry.limits[name] !== undefined)?.limits[name]]);
  return {
    limits: { ...defaultLimits, ...Object.fromEntries(limits.filter(([, value]) => value !== undefined)) },
    off: own.find(({ off }) => off !== undefined)?.off ?? [],
    hold: own.find(({ hold }) => hold !== undefined)?.hold ?? false,
  };
}
