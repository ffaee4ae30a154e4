import { matchesAny, matchGlob } from "./match-glob.ts";

export type Role = "viewer" | "operator" | "admin";

/**
 * The address of a rollout. Runs and Experiments have the place of the rollout that owns them. `kind` is null if it is
 * not known, or if the place is not that of an object.
 */
export type Target = { cluster: string; namespace: string; kind: string | null; name: string };

/**
 * The patterns that limit a right; an empty list matches nothing. A pattern of `rollouts` with a slash matches kind and
 * name, such as `Canary/shop-*`; one without matches the name, for any kind.
 */
export type Scope = { clusters: readonly string[]; namespaces: readonly string[]; rollouts: readonly string[] };

export const everywhere: Scope = { clusters: ["*"], namespaces: ["*"], rollouts: ["*"] };

/** One binding of the config: the rights that it grants, and their scope. */
export type Grant = {
  role: Role;
  scope: Scope;
  /** Patterns of action names; used only for operators and admins. */
  actions: readonly string[];
  /** May act during a freeze, with a reason and a fresh sign-in. */
  breakGlass: boolean;
  /** Agents may carry out its protective actions by themselves. */
  agentsMayAct?: boolean;
};

/**
 * The rights of an actor. `grants` are those of the person. A token has its owner's rights, at most those of `cap`; if
 * bindings name the token itself, their grants limit it further.
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
    matchesRollout(scope.rollouts, target)
  );
}

/** Returns whether a pattern has a kind before the name. */
export function namesKind(pattern: string): boolean {
  return pattern.includes("/");
}

function matchesRollout(patterns: readonly string[], { kind, name }: Pick<Target, "kind" | "name">): boolean {
  return patterns.some((pattern) =>
    namesKind(pattern) ? kind !== null && matchGlob(pattern, `${kind}/${name}`) : matchGlob(pattern, name),
  );
}

export function mayRead(rights: Rights, target: Target): boolean {
  return reaches(rights, ({ scope }) => isInScope(scope, target));
}

type AskedAction = { action: string; target: Target };

export function mayAct(rights: Rights, asked: AskedAction): boolean {
  return hasRole(rights.cap, "operator") && reaches(rights, (grant) => givesAction(grant, asked));
}

function givesAction({ role, scope, actions }: Grant, { action, target }: AskedAction): boolean {
  return hasRole(role, "operator") && matchesAny(actions, action) && isInScope(scope, target);
}

/**
 * Returns whether the config lets an agent with this token carry out a protective action by itself. If bindings name
 * the token, only theirs decide: the owner's may let other agents.
 */
export function mayActAlone(rights: Rights, asked: AskedAction): boolean {
  const { grants, tokenGrants = grants } = rights;
  const isLet = (grant: Grant) => grant.agentsMayAct === true && givesAction(grant, asked);
  return mayAct(rights, asked) && tokenGrants.some(isLet);
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

/** Returns whether the actor reads every rollout, and so also global data: sign-ins, tokens, config loads. */
export function readsEverything(rights: Rights): boolean {
  return reaches(rights, ({ scope }) => isEverywhere(scope));
}

/** Part of a rollout's address: an omitted key stands for everything at that level. */
export type Area = { cluster?: string | undefined; namespace?: string | undefined; name?: string | undefined };

/** Returns whether the actor reads an area: something that may lie in it, or all that may. */
export function readsArea(rights: Rights, area: Area, how: "some" | "all"): boolean {
  return reaches(rights, ({ scope }) => coversArea(scope, area, how));
}

/** Returns whether a scope covers an area: something that may lie in it, or all that may. */
export function coversArea({ clusters, namespaces, rollouts }: Scope, area: Area, how: "some" | "all"): boolean {
  const covers = (patterns: readonly string[], asked: string | undefined) =>
    asked === undefined ? (how === "all" ? patterns.includes("*") : patterns.length > 0) : matchesAny(patterns, asked);
  return (
    covers(clusters, area.cluster) &&
    covers(namespaces, area.namespace) &&
    // The area's name has no kind: for some, any kind matches.
    covers(how === "all" ? rollouts : rollouts.map((pattern) => pattern.slice(pattern.indexOf("/") + 1)), area.name)
  );
}

/** Returns whether the actor reads everything of a cluster or one of its namespaces: addresses, counts, error texts. */
export function readsAllOf(rights: Rights, place: { cluster: string; namespace: string | null }): boolean {
  return readsArea(rights, { cluster: place.cluster, namespace: place.namespace ?? undefined }, "all");
}

function isEverywhere(scope: Scope): boolean {
  return Object.values(scope).every((patterns) => patterns.includes("*"));
}

/** Returns whether the actor administers everything: config, whole log, all sessions. A scoped admin does not. */
export function isAdmin(rights: Rights): boolean {
  return hasRole(rights.cap, "admin") && reaches(rights, ({ role, scope }) => role === "admin" && isEverywhere(scope));
}

/** Returns whether the actor is an admin whose scope contains the rollout. */
export function isAdminOf(rights: Rights, target: Target): boolean {
  return (
    hasRole(rights.cap, "admin") && reaches(rights, ({ role, scope }) => role === "admin" && isInScope(scope, target))
  );
}

/** Returns whether the actor administers a whole cluster: its sources and what they hold. */
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

/** Returns whether the owner has a right, and the token too if bindings name it. */
function reaches(rights: Rights, gives: (grant: Grant) => boolean): boolean {
  return rights.grants.some(gives) && (rights.tokenGrants === undefined || rights.tokenGrants.some(gives));
}

/** Returns the strongest role in any scope. It labels the person; it never authorises an action. */
export function strongestRole({ grants, tokenGrants = grants, cap }: Rights): Role | undefined {
  const roles = (["admin", "operator", "viewer"] as const).filter((role) => hasRole(cap, role));
  return roles.find((role) => [grants, tokenGrants].every((list) => list.some((grant) => hasRole(grant.role, role))));
}
