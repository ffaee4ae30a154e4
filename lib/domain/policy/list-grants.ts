import { nameApprovers } from "./count-approvals.ts";
import type { SecondPersonRule } from "./decide.ts";
import { coversGlob, matchesAny, overlapsGlob } from "./match-glob.ts";
import {
  type Area,
  coversArea,
  type Grant,
  hasRole,
  isInScope,
  namesKind,
  type Rights,
  type Role,
  type Scope,
  type Target,
} from "./rights.ts";

/**
 * Lists the grants that spell out what `rights` amount to. Each has at most the token's role; if bindings name the
 * token, each is the intersection with the owner's grants. A grant without actions names none. For display only:
 * permission checks use `rights`.
 */
export function listGrants({ grants, cap, tokenGrants }: Rights): Grant[] {
  const narrowed =
    tokenGrants === undefined
      ? grants
      : grants.flatMap((grant) => tokenGrants.flatMap((ofToken) => intersectGrants(grant, ofToken)));
  const capped = narrowed.map((grant) => withRole(grant, weaker(grant.role, cap)));
  return [...new Map(capped.map((grant) => [JSON.stringify(grant), grant])).values()];
}

function intersectGrants(left: Grant, right: Grant): Grant[] {
  const scope = intersectScopes(left.scope, right.scope);
  if (scope === undefined) return [];
  const actions = intersectPatterns(left.actions, right.actions);
  const breakGlass = left.breakGlass && right.breakGlass;
  return [{ role: weaker(left.role, right.role), scope, actions, breakGlass }];
}

/** Returns undefined if the scopes do not overlap. */
export function intersectScopes(left: Scope, right: Scope): Scope | undefined {
  const scope = {
    clusters: intersectPatterns(left.clusters, right.clusters),
    namespaces: intersectPatterns(left.namespaces, right.namespaces),
    rollouts: intersectRollouts(left.rollouts, right.rollouts),
  };
  return Object.values(scope).every((patterns) => patterns.length > 0) ? scope : undefined;
}

/** Intersects kinds and names apart. A pattern without a kind is of every kind. */
function intersectRollouts(left: readonly string[], right: readonly string[]): string[] {
  if (![...left, ...right].some(namesKind)) return intersectPatterns(left, right);
  const found = left.map(splitRollout).flatMap((one) =>
    right.map(splitRollout).flatMap((other) => {
      const names = intersectPatterns([one.name], [other.name]);
      const kinds = intersectPatterns([one.kind], [other.kind]);
      return kinds.flatMap((kind) => names.map((name) => (kind === "*" ? name : `${kind}/${name}`)));
    }),
  );
  return [...new Set(found)].toSorted();
}

function splitRollout(pattern: string): { kind: string; name: string } {
  const [first = "", ...rest] = pattern.split("/");
  return namesKind(pattern) ? { kind: first, name: rest.join("/") } : { kind: "*", name: first };
}

function weaker(left: Role, right: Role): Role {
  return hasRole(left, right) ? right : left;
}

function withRole({ scope, actions, breakGlass }: Grant, role: Role): Grant {
  const acts = hasRole(role, "operator");
  return { role, scope, actions: acts ? actions : [], breakGlass: acts && breakGlass };
}

/** Which of a grant's actions need a second person, and in which part of its scope. */
export type SecondPersonNeed = {
  rule: string;
  actions: string[];
  scope: Scope;
  expireMinutes: number;
  /** Who must approve, in words. */
  approvers: string;
};

export function listSecondPersonNeeds({
  grant,
  rules,
  actions,
}: {
  grant: Grant;
  rules: readonly SecondPersonRule[];
  /** All actions that exist. */
  actions: readonly { name: string; protective: boolean }[];
}): SecondPersonNeed[] {
  return rules.flatMap((rule) => {
    const scope = intersectScopes(grant.scope, rule.scope);
    const named = actions
      .filter(({ name }) => matchesAny(grant.actions, name) && matchesAny(rule.actions, name))
      .filter(({ protective }) => rule.includeProtective || !protective)
      .map(({ name }) => name);
    if (scope === undefined || named.length === 0) return [];
    return [
      { rule: rule.name, actions: named, scope, expireMinutes: rule.expireMinutes, approvers: nameApprovers(rule) },
    ];
  });
}

/** Returns whether one grant lets the actor carry out an action everywhere in a scope. */
export function actsInScope(rights: Rights, { action, scope }: { action: string; scope: Scope }): boolean {
  return listGrants(rights).some(
    (grant) =>
      hasRole(grant.role, "operator") &&
      matchesAny(grant.actions, action) &&
      coversPatterns(grant.scope.clusters, scope.clusters) &&
      coversPatterns(grant.scope.namespaces, scope.namespaces) &&
      scope.rollouts.every((inner) => grant.scope.rollouts.some((outer) => coversRollout(outer, inner))),
  );
}

/** Returns where the actor may carry out an action in an area: everywhere in it, in a part, or nowhere. */
export function actsInArea(rights: Rights, { action, area }: { action: string; area: Area }): "all" | "some" | "none" {
  const acting = listGrants(rights).filter(
    ({ role, actions }) => hasRole(role, "operator") && matchesAny(actions, action),
  );
  if (acting.some(({ scope }) => coversArea(scope, area, "all"))) return "all";
  return acting.some(({ scope }) => coversArea(scope, area, "some")) ? "some" : "none";
}

/** Returns the patterns of a scope that overlap with what the actor may read; undefined if none do. */
export function readablePart(rights: Rights, scope: Scope): Scope | undefined {
  const grants = listGrants(rights).filter((grant) => overlapsScope(grant.scope, scope));
  if (grants.length === 0) return undefined;
  const shown = (part: keyof Scope, overlaps: (left: string, right: string) => boolean) =>
    scope[part].filter((pattern) => grants.some((grant) => grant.scope[part].some((own) => overlaps(own, pattern))));
  return {
    clusters: shown("clusters", overlapsGlob),
    namespaces: shown("namespaces", overlapsGlob),
    rollouts: shown("rollouts", overlapsRollout),
  };
}

function overlapsScope(left: Scope, right: Scope): boolean {
  const any = (part: keyof Scope, overlaps: (one: string, other: string) => boolean) =>
    left[part].some((one) => right[part].some((other) => overlaps(one, other)));
  return any("clusters", overlapsGlob) && any("namespaces", overlapsGlob) && any("rollouts", overlapsRollout);
}

function overlapsRollout(left: string, right: string): boolean {
  const [one, other] = [splitRollout(left), splitRollout(right)];
  return overlapsGlob(one.kind, other.kind) && overlapsGlob(one.name, other.name);
}

function coversRollout(outer: string, inner: string): boolean {
  const [wide, narrow] = [splitRollout(outer), splitRollout(inner)];
  return coversGlob(wide.kind, narrow.kind) && coversGlob(wide.name, narrow.name);
}

/** Returns whether one pattern of `outer` matches every name that a pattern of `inner` matches, for each of these. */
function coversPatterns(outer: readonly string[], inner: readonly string[]): boolean {
  return inner.every((pattern) => outer.some((wide) => coversGlob(wide, pattern)));
}

/** Returns patterns that match exactly the names that both lists match. */
export function intersectPatterns(left: readonly string[], right: readonly string[]): string[] {
  if (right.includes("*")) return [...left];
  if (left.includes("*")) return [...right];
  const found = left.flatMap((one) => right.flatMap((other) => [...intersectGlobs(one, other)]));
  return [...new Set(found)].toSorted();
}

function intersectGlobs(left: string, right: string): ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>();

  /** Returns what both rests match. If both begin with a star, the common part comes first, and then one star ends. */
  function common(at: number, other: number): ReadonlySet<string> {
    const key = `${at} ${other}`;
    const found = known.get(key) ?? computeCommon(at, other);
    known.set(key, found);
    return found;
  }

  function computeCommon(at: number, other: number): ReadonlySet<string> {
    const here = left[at];
    const there = right[other];
    if (here === undefined && there === undefined) return new Set([""]);
    if (here === "*" && there === "*") return prefixed("*", [common(at + 1, other), common(at, other + 1)]);
    if (here === "*") {
      const isPassed = common(at + 1, other);
      return there === undefined ? isPassed : new Set([...isPassed, ...prefixed(there, [common(at, other + 1)])]);
    }
    if (there === "*") {
      const isPassed = common(at, other + 1);
      return here === undefined ? isPassed : new Set([...isPassed, ...prefixed(here, [common(at + 1, other)])]);
    }
    if (here === undefined || there === undefined) return new Set();
    if (here !== there && here !== "?" && there !== "?") return new Set();
    return prefixed(here === "?" ? there : here, [common(at + 1, other + 1)]);
  }

  return common(0, 0);
}

function prefixed(text: string, rests: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set(rests.flatMap((rest) => [...rest].map((pattern) => (text + pattern).replaceAll(/\*+/g, "*"))));
}

/** The part of a grant that rules out an action; undefined if it gives the right. The decision itself is `mayAct`. */
export type GrantLack = "role" | "clusters" | "namespaces" | "rollouts" | "actions";

/** Finds the part of one grant that rules out an action at a place. */
export function findGrantLack(
  grant: Grant,
  { action, target }: { action: string; target: Target },
): GrantLack | undefined {
  if (!hasRole(grant.role, "operator")) return "role";
  return findScopeLack(grant.scope, target) ?? (matchesAny(grant.actions, action) ? undefined : "actions");
}

/** Finds the first part of a scope that does not reach a place. */
export function findScopeLack(scope: Scope, target: Target): "clusters" | "namespaces" | "rollouts" | undefined {
  if (isInScope(scope, target)) return undefined;
  if (!matchesAny(scope.clusters, target.cluster)) return "clusters";
  return matchesAny(scope.namespaces, target.namespace) ? "rollouts" : "namespaces";
}

/** Describes the lack, to follow "gives operator to ..., but ". */
export function describeGrantLack(
  lack: GrantLack,
  { scope, actions }: Pick<Grant, "scope" | "actions">,
  { action, target }: { action: string; target: Target },
): string {
  const list = (patterns: readonly string[]) => patterns.join(", ");
  switch (lack) {
    case "role":
      return "a viewer only reads";
    case "clusters":
      return `only in clusters ${list(scope.clusters)}, which do not include ${target.cluster}`;
    case "namespaces":
      return `only in namespaces ${list(scope.namespaces)}, which do not include ${target.namespace}`;
    case "rollouts":
      return target.name === ""
        ? `only for rollouts ${list(scope.rollouts)}, not for all of ${target.namespace}`
        : `only for rollouts ${list(scope.rollouts)}, which do not include ${target.name}`;
    case "actions":
      return `only for the actions ${list(actions)}, which do not include ${action}`;
  }
}
