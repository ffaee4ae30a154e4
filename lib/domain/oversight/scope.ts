import { matchesAny } from "#lib/domain/policy/match-glob.ts";
import { isInScope, type Scope, type Target } from "#lib/domain/policy/rights.ts";
import { defaultLimits, limitNames, type OversightLimits } from "./limits.ts";

/** One entry of the config: a scope, and the settings for the rollouts in it. */
export type OversightScope = {
  scope: Scope;
  /** Ids of rules that are not evaluated. */
  off?: readonly string[] | undefined;
  /** Whether Gatehouse pauses a rollout whose Inconclusive result is about to be ignored. */
  hold?: boolean | undefined;
  limits: Partial<Record<keyof OversightLimits, number | undefined>>;
};

export type Oversight = { limits: OversightLimits; off: readonly string[]; hold: boolean };

/** Resolves the settings of a rollout: each field is from the first entry in scope that sets it. */
export function resolveOversight(scopes: readonly OversightScope[], target: Target): Oversight {
  return resolve(scopes.filter(({ scope }) => isInScope(scope, target)));
}

/**
 * Lists the rules that are not evaluated for the sources and controllers of a cluster. They belong to a whole cluster:
 * an entry that names namespaces or rollouts does not apply to them.
 */
export function listOffForCluster(scopes: readonly OversightScope[], cluster: string): readonly string[] {
  const own = scopes.filter(
    ({ scope: { clusters, namespaces, rollouts } }) =>
      matchesAny(clusters, cluster) && namespaces.includes("*") && rollouts.includes("*"),
  );
  return resolve(own).off;
}

/** `own`: the entries that apply. */
function resolve(own: readonly OversightScope[]): Oversight {
  const limits = limitNames.map((name) => [name, own.find((entry) => entry.limits[name] !== undefined)?.limits[name]]);
  return {
    limits: { ...defaultLimits, ...Object.fromEntries(limits.filter(([, value]) => value !== undefined)) },
    off: own.find(({ off }) => off !== undefined)?.off ?? [],
    hold: own.find(({ hold }) => hold !== undefined)?.hold ?? false,
  };
}
