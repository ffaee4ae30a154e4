import { type Expression, expressionBuilder, sql } from "kysely";
import {
  mayRead,
  namesKind,
  type Rights,
  readsArea,
  readsEverything,
  type Scope,
  type Target,
} from "#lib/domain/policy/rights.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf, type Condition, isLikeAny } from "#lib/server/platform/db/conditions.ts";

/**
 * Columns with the place of a row's rollout. Things that belong to no rollout, such as a template, have neither kind nor
 * name. A name without its kind cannot be judged: patterns may be of both.
 */
export type PlaceColumns = {
  cluster: Expression<string | null>;
  namespace?: Expression<string | null>;
} & ({ kind: Expression<string | null>; name: Expression<string | null> } | { kind?: undefined; name?: undefined });

/** Returns the condition that the actor may read a row's rollout; undefined if everything may be read. */
export function isReadable(rights: Rights, columns: PlaceColumns): Condition | undefined {
  if (readsEverything(rights)) return undefined;
  const { or } = expressionBuilder();
  const lists = rights.tokenGrants === undefined ? [rights.grants] : [rights.grants, rights.tokenGrants];
  return allOf(lists.map((grants) => or(grants.map(({ scope }) => isWithin(scope, columns)))));
}

/** Returns the condition that a row's rollout is in a scope. */
export function isWithin(scope: Scope, { cluster, namespace, kind, name }: PlaceColumns): Condition {
  return allOf([
    matchesAny(cluster, scope.clusters),
    namespace && matchesAny(namespace, scope.namespaces),
    name && isRolloutLike({ kind, name }, scope.rollouts),
  ]);
}

/** Patterns with a slash match kind and name. A row of unknown kind does not match such a pattern. */
function isRolloutLike(
  { kind, name }: { kind: Expression<string | null> | undefined; name: Expression<string | null> },
  patterns: readonly string[],
): Condition | undefined {
  const withKind = patterns.filter(namesKind);
  const byName = matchesAny(
    name,
    patterns.filter((pattern) => !namesKind(pattern)),
  );
  if (withKind.length === 0 || byName === undefined || kind === undefined) return byName;
  return expressionBuilder().or([
    byName,
    matchesAny(sql<string | null>`${kind} || '/' || ${name}`, withKind) ?? byName,
  ]);
}

/** Undefined if the patterns match everything. */
function matchesAny(column: Expression<string | null>, patterns: readonly string[]): Condition | undefined {
  return patterns.includes("*") ? undefined : isLikeAny(column, patterns.map(toLikePattern));
}

/** Returns the LIKE pattern equivalent to the glob. */
export function toLikePattern(glob: string): string {
  return glob
    .replace(/[\\%_]/g, "\\$&")
    .replaceAll("*", "%")
    .replaceAll("?", "_");
}

/** Throws `not_found`, as for a missing object: its existence is not revealed to every caller. */
export function assertReadable(rights: Rights, target: Target, missing: string): void {
  if (!mayRead(rights, target)) throw new ServiceError("not_found", missing);
}

/** Returns whether any grant covers part of the cluster: then its name and freshness may be shown. */
export function seesCluster(rights: Rights, cluster: string): boolean {
  return readsArea(rights, { cluster }, "some");
}
