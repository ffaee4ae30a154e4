import type { SecondPersonRule } from "./decide.ts";
import { intersectPatterns } from "./intersect-patterns.ts";
import { matchesAny } from "./match-glob.ts";
import { type Grant, hasRole, namesKind, type Rights, type Role, type Scope } from "./rights.ts";

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
export type SecondPersonNeed = { rule: string; actions: string[]; scope: Scope; expireMinutes: number };

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
    return [{ rule: rule.name, actions: named, scope, expireMinutes: rule.expireMinutes }];
  });
}
