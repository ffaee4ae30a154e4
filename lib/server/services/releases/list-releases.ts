import { z } from "zod";
import type { Release, ReleaseListQuery } from "#lib/contract/rollout.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { DatabaseTime, pageOf, parseListCursor } from "#lib/server/services/list-cursor.ts";
import { readableSql } from "#lib/server/services/read-scope.ts";
import { readReleaseActs } from "#lib/server/services/releases/read-release-acts.ts";
import { type ReleaseRow, releaseColumns, serializeRelease } from "#lib/server/services/releases/release-row.ts";
import { createSqlConditions } from "#lib/server/services/sql-conditions.ts";

const Key = z.tuple([DatabaseTime, z.uuid()]);

type Filters = Pick<ReleaseListQuery, "cluster" | "namespace" | "name" | "limit" | "cursor"> & {
  rolloutIds?: string[];
};

/** Lists releases of all rollouts, newest first. */
export async function listReleases({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: ReleaseListQuery;
}): Promise<{ items: Release[]; nextCursor: string | null }> {
  return readReleases(ctx, input);
}

export async function readReleases(
  ctx: ServiceContext,
  filters: Filters,
): Promise<{ items: Release[]; nextCursor: string | null }> {
  const { runtime, actor } = ctx;
  const after = parseListCursor(Key, filters.cursor);
  const sql = createSqlConditions();
  sql.and(readableSql(sql, actor.rights, { cluster: "r.cluster", namespace: "r.namespace", name: "r.name" }));
  sql.where(filters.rolloutIds, (value) => `l.rollout_id = ANY(${value}::uuid[])`);
  sql.where(filters.cluster, (value) => `r.cluster = ${value}`);
  sql.where(filters.namespace, (value) => `r.namespace = ${value}`);
  sql.where(filters.name, (value) => `r.name = ${value}`);
  sql.where(after?.[0], (time) => {
    const id = sql.bind(after?.[1]);
    return `l.started_at <= ${time}::timestamptz AND (l.started_at < ${time}::timestamptz OR l.id > ${id}::uuid)`;
  });
  const { rows } = await runtime.pool.query<ReleaseRow>(
    `SELECT ${releaseColumns} FROM release l JOIN rollout r ON r.id = l.rollout_id WHERE ${sql.text()}
     ORDER BY l.started_at DESC, l.id LIMIT ${sql.bind(filters.limit + 1)}`,
    sql.values,
  );
  const acts = await readReleaseActs(
    ctx,
    rows.slice(0, filters.limit).map(({ id }) => id),
  );
  return pageOf({
    rows,
    limit: filters.limit,
    keyOf: (row) => [row.started_key, row.id],
    toItem: (row) => serializeRelease(row, acts.of(row.id)),
  });
}
