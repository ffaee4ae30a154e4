import type { Config } from "#lib/server/platform/config/config-schema.ts";
import { isSame } from "#lib/util/diff-merge.ts";

/** The names that a new config lacks compared with the one in force. */
export type Removals = {
  clusters: string[];
  /** Groups, users, subjects, robots and tokens that no binding names any more, such as `group developers`. */
  bindings: string[];
  /** All, or more than half, of the clusters or of the bindings: more likely a truncated file than an intention. */
  isImplausible: boolean;
};

/** Compares by name only: a changed cluster address or group role is not a removal. */
export function findRemovals({ inForce, candidate }: { inForce: Config; candidate: Config }): Removals {
  const clusters = missing(namesOf(inForce), namesOf(candidate));
  const bindings = missing(subjectsOf(inForce), subjectsOf(candidate));
  return {
    clusters,
    bindings,
    isImplausible:
      clusters.length * 2 > namesOf(inForce).length || bindings.length * 2 > new Set(subjectsOf(inForce)).size,
  };
}

/**
 * Returns the candidate with all settings that need a restart taken from the config in force, and the names of those
 * keys. Addresses are already listened on, and cookie names depend on the origin.
 */
export function pinStartKeys({ inForce, candidate }: { inForce: Config; candidate: Config }): {
  config: Config;
  needsRestart: string[];
} {
  const keys = ["publicUrl", "demo", "recorder"] as const;
  const needsRestart = keys.filter((key) => !isSame(inForce[key], candidate[key]));
  const { publicUrl, demo, recorder } = inForce;
  return { config: { ...candidate, publicUrl, demo, recorder }, needsRestart };
}

/** Describes removals for a log line or a banner. */
export function describeRemovals({ clusters, bindings }: Pick<Removals, "clusters" | "bindings">): string {
  const count = (what: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${what} ${names.slice(0, 5).join(", ")}${names.length > 5 ? ", ..." : ""}`];
  return [...count("clusters", clusters), ...count("role bindings", bindings)].join(" and ");
}

function namesOf(config: Config): string[] {
  return config.clusters.map(({ name }) => name);
}

function subjectsOf(config: Config): string[] {
  const subjects = config.auth.roles.flatMap((binding) => [
    ...binding.groups.map((group) => `group ${group}`),
    ...binding.users.map((user) => `user ${user}`),
    ...binding.subjects.map((subject) => `subject ${subject}`),
    ...binding.robots.map((robot) => `robot ${robot}`),
    ...binding.tokens.map((token) => `token ${token}`),
  ]);
  return [...new Set(subjects)];
}

function missing(before: readonly string[], after: readonly string[]): string[] {
  const kept = new Set(after);
  return before.filter((name) => !kept.has(name));
}
