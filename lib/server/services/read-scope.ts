import {
  type Grant,
  isInScope,
  mayRead,
  type Rights,
  readsEverything,
  type Target,
} from "#lib/domain/policy/rights.ts";
import { ServiceError } from "#lib/server/actor/service-error.ts";
import type { SqlConditions } from "#lib/server/services/sql-conditions.ts";

/**
 * Columns that hold the place of a row's rollout. What is no rollout's own, as a template, is asked of without a name.
 */
export type PlaceColumns = { cluster: string; namespace?: string; name?: string };

/** The condition that a row's rollout is one that the actor may read; `true` where everything may be read. */
export function readableSql(sql: SqlConditions, rights: Rights, columns: PlaceColumns): string {
  if (readsEverything(rights)) return "true";
  const lists = rights.tokenGrants === undefined ? [rights.grants] : [rights.grants, rights.tokenGrants];
  return lists
    .map((grants) => {
      const each = grants.map((grant) => scopeSql({ sql, grant, columns }));
      return each.length === 0 ? "false" : `(${each.join(" OR ")})`;
    })
    .join(" AND ");
}

function scopeSql({ sql, grant, columns }: { sql: SqlConditions; grant: Grant; columns: PlaceColumns }): string {
  const { clusters, namespaces, rollouts } = grant.scope;
  const parts = [
    [columns.cluster, clusters],
    [columns.namespace, namespaces],
    [columns.name, rollouts],
  ] as const;
  const conditions = parts
    .filter(([column, patterns]) => column !== undefined && !patterns.includes("*"))
    .map(([column, patterns]) => `${column} LIKE ANY(${sql.bind(patterns.map(toLikePattern))}::text[])`);
  return conditions.length === 0 ? "true" : `(${conditions.join(" AND ")})`;
}

/** The LIKE pattern that matches what the glob matches. */
export function toLikePattern(glob: string): string {
  return glob
    .replace(/[\\%_]/g, "\\$&")
    .replaceAll("*", "%")
    .replaceAll("?", "_");
}

/** Throws `not_found`, as for a thing that does not exist: whether it does is not for everybody to know. */
export function assertReadable(rights: Rights, target: Target, missing: string): void {
  if (!mayRead(rights, target)) throw new ServiceError("not_found", missing);
}

/** Whether any grant reaches into the cluster at all: then its name and freshness may be told. */
export function seesCluster(rights: Rights, cluster: string): boolean {
  const reaches = ({ scope }: Grant) =>
    isInScope({ ...scope, namespaces: ["*"], rollouts: ["*"] }, { cluster, namespace: "", name: "" });
  return rights.grants.some(reaches) && (rights.tokenGrants === undefined || rights.tokenGrants.some(reaches));
}
