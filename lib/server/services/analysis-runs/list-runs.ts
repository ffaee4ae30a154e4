import { type SqlBool, sql } from "kysely";
import { z } from "zod";
import type { AnalysisRunListQuery, AnalysisRunSummary } from "#lib/contract/analysis-run.ts";
import { allOf, anyContains, given, isOneOf } from "#lib/server/db/conditions.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { runPlace, selectRuns, serializeRun } from "#lib/server/services/analysis-runs/run-row.ts";
import { parseTemplateFilter } from "#lib/server/services/insights/parse-template-filter.ts";
import { hasCountedMetric } from "#lib/server/services/insights/run-conditions.ts";
import { asTime, DatabaseTime, isPast, parseListCursor, readPage } from "#lib/server/services/list-cursor.ts";
import { isReadable } from "#lib/server/services/read-scope.ts";

const Key = z.tuple([DatabaseTime, z.string()]);

/** Lists analysis runs of all clusters, live and past, newest first. */
export async function listRuns({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: AnalysisRunListQuery;
}): Promise<{ items: AnalysisRunSummary[]; nextCursor: string | null }> {
  return readRuns(ctx, input);
}

export async function readRuns(
  { runtime, actor }: ServiceContext,
  filters: AnalysisRunListQuery & { rolloutIds?: string[]; ownerUid?: string },
): Promise<{ items: AnalysisRunSummary[]; nextCursor: string | null }> {
  const after = parseListCursor(Key, filters.cursor);
  const query = selectRuns
    .where((eb) =>
      allOf([
        isReadable(actor.rights, runPlace),
        given(filters.rolloutIds, (ids) => isOneOf(eb.ref("a.rollout_id"), ids, "uuid")),
        given(filters.ownerUid, (uid) => eb("a.owner_uid", "=", uid)),
        given(filters.cluster, (cluster) => eb("a.cluster", "=", cluster)),
        given(filters.namespace, (namespace) => eb("a.namespace", "=", namespace)),
        given(filters.kind, (kind) => sql<SqlBool>`${runPlace.kind} = ${kind}`),
        given(filters.rollout, (name) => eb(eb.fn.coalesce("r.name", "a.owner_name"), "=", name)),
        given(filters.phase, (phase) => eb("a.phase", "=", phase)),
        hasCountedMetric({
          figure: filters.figure,
          metric: filters.metric,
          template: filters.template === undefined ? undefined : parseTemplateFilter(filters.template),
        }),
        given(filters.from, (from) => eb("a.created_at", ">=", asTime(from))),
        given(filters.to, (to) => eb("a.created_at", "<", asTime(to))),
        anyContains([eb.ref("a.name"), eb.ref("a.namespace"), eb.ref("r.name")], filters.q),
        given(after, (key) => isPast({ time: eb.ref("a.created_at"), id: eb.ref("a.uid") }, key)),
      ]),
    )
    .orderBy("a.created_at", "desc")
    .orderBy("a.uid");
  return readPage(runtime.pool, {
    query,
    limit: filters.limit,
    keyOf: (row) => [row.created_key, row.uid],
    toItem: serializeRun,
  });
}
