import { matchesAny } from "./match-glob.ts";

export type Role = "viewer" | "operator" | "admin";

/** A rollout by its place. Runs and experiments have the place of the rollout that owns them. */
export type Target = { cluster: string; namespace: string; name: string };

/** Patterns of what a right reaches; a list without entries reaches nothing. */
export type Scope = { clusters: readonly string[]; namespaces: readonly string[]; rollouts: readonly string[] };

export const everywhere: Scope = { clusters: ["*"], namespaces: ["*"], rollouts: ["*"] };

/** One binding of the config: what it gives, and where. */
export type Grant = {
  role: Role;
  scope: Scope;
  /** Patterns of action names; only of use for operators and admins. */
  actions: readonly string[];
  /** May act in a freeze, with a reason and a fresh sign-in. */
  breakGlass: boolean;
};

/**
 * What an actor may do. `grants` are those of the person. A token has its owner's rights, at most those of `cap`, and
 * where bindings name the token itself, only what these give too.
 */
export type Rights = { grants: readonly Grant[]; cap: Role; tokenGrants?: readonly Grant[] };

const rank = { viewer: 1, operator: 2, admin: 3 } as const satisfies Record<Role, number>;

export function hasRole(actual: Role, needed: Role): boolean {
  return rank[actual] >= rank[needed];
}

export function isInScope(scope: Scope, target: Target): boolean {
  return (
    matchesAny(scope.clusters, target.cluster) &&
    matchesAny(scope.namespaces, target.namespace) &&
    matchesAny(scope.rollouts, target.name)
  );
}

export function mayRead(rights: Rights, target: Target): boolean {
  return reaches(rights, ({ scope }) => isInScope(scope, target));
}

export function mayAct(rights: Rights, { action, target }: { action: string; target: Target }): boolean {
  return (
    hasRole(rights.cap, "operator") &&
    reaches(
      rights,
      ({ role, scope, actions }) =>
        hasRole(role, "operator") && matchesAny(actions, action) && isInScope(scope, target),
    )
  );
}

export function mayBreakGlass(rights: Rights, target: Target): boolean {
  return (
    hasRole(rights.cap, "operator") &&
    reaches(
      rights,
      ({ role, scope, breakGlass }) => breakGlass && hasRole(role, "operator") && isInScope(scope, target),
    )
  );
}

/** Reads every rollout of every cluster, and with them what belongs to none: sign-ins, tokens, config loads. */
export function readsEverything(rights: Rights): boolean {
  return reaches(rights, ({ scope }) => isEverywhere(scope));
}

/** Reads everything of a cluster, or of one of its namespaces: its addresses, its counts, what its errors say. */
export function readsAllOf(rights: Rights, place: { cluster: string; namespace: string | null }): boolean {
  const { cluster, namespace } = place;
  return reaches(
    rights,
    ({ scope }) =>
      matchesAny(scope.clusters, cluster) &&
      (scope.namespaces.includes("*") || (namespace !== null && matchesAny(scope.namespaces, namespace))) &&
      scope.rollouts.includes("*"),
  );
}

function isEverywhere(scope: Scope): boolean {
  return Object.values(scope).every((patterns) => patterns.includes("*"));
}

/** Administers everything: the config, the whole log, other people's sessions. A scoped admin does not. */
export function isAdmin(rights: Rights): boolean {
  return hasRole(rights.cap, "admin") && reaches(rights, ({ role, scope }) => role === "admin" && isEverywhere(scope));
}

/** Administers a rollout: an admin whose scope it lies in. */
export function isAdminOf(rights: Rights, target: Target): boolean {
  return (
    hasRole(rights.cap, "admin") && reaches(rights, ({ role, scope }) => role === "admin" && isInScope(scope, target))
  );
}

/** Administers a cluster as a whole: its sources and what they hold. */
export function isClusterAdmin(rights: Rights, cluster: string): boolean {
  return (
    hasRole(rights.cap, "admin") &&
    reaches(
      rights,
      ({ role, scope }) =>
        role === "admin" &&
        matchesAny(scope.clusters, cluster) &&
        scope.namespaces.includes("*") &&
        scope.rollouts.includes("*"),
    )
  );
}

/** A right must be the owner's, and the token's too where bindings name it. */
function reaches(rights: Rights, gives: (grant: Grant) => boolean): boolean {
  return rights.grants.some(gives) && (rights.tokenGrants === undefined || rights.tokenGrants.some(gives));
}

/** The strongest role anywhere: what the person is called, never what is asked before an act. */
export function strongestRole(rights: Rights): Role | undefined {
  const best = rights.grants.reduce<Role | undefined>(
    (found, { role }) => (found === undefined || rank[role] > rank[found] ? role : found),
    undefined,
  );
  if (best === undefined) return undefined;
  return rank[best] <= rank[rights.cap] ? best : rights.cap;
}
