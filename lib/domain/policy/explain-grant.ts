import { matchesAny } from "./match-glob.ts";
import { type Grant, hasRole, isInScope, type Scope, type Target } from "./rights.ts";

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
