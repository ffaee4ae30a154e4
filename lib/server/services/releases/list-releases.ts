import { sql } from "kysely";
import { z } from "zod";
import type { Release, ReleaseListQuery } from "#lib/contract/rollout.ts";
import { allOf, anyContains, given, isOneOf } from "#lib/server/db/conditions.ts";
import { readRows } from "#lib/server/db/run-query.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { releaseFigureConditions, waitedFromHour } from "#lib/server/services/insights/release-conditions.ts";
import { linksOfRelease } from "#lib/server/services/links/links-of-release.ts";
import { DatabaseTime, isPast, pageOf, parseListCursor } from "#lib/server/services/list-cursor.ts";
import { isReadable } from "#lib/server/services/read-scope.ts";
import { isActedOnBy } from "#lib/server/services/releases/is-acted-on-by.ts";
import { readReleaseActs } from "#lib/server/services/releases/read-release-acts.ts";
import { selectReleases, serializeRelease } from "#lib/server/services/releases/release-row.ts";
import { rolloutPlace } from "#lib/server/services/rollouts/rollout-row.ts";

const Key = z.tuple([DatabaseTime, z.uuid()]);

type Filters = ReleaseListQuery & {
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
  const query = selectReleases
    .where((eb) =>
      allOf([
        isReadable(actor.rights, rolloutPlace),
        given(filters.rolloutIds, (ids) => isOneOf(eb.ref("l.rollout_id"), ids, "uuid")),
        given(filters.cluster, (cluster) => eb("r.cluster", "=", cluster)),
        given(filters.namespace, (namespace) => eb("r.namespace", "=", namespace)),
        given(filters.kind, (kind) => eb(eb.ref("r.kind").$castTo<string>(), "=", kind)),
        given(filters.name, (name) => eb("r.name", "=", name)),
        given(filters.state, (state) => eb("l.state", "=", state)),
        given(filters.figure, (figure) => releaseFigureConditions[figure]),
        given(filters.waitHour, (hour) => waitedFromHour(hour, filters.timeZone ?? "UTC")),
        anyContains([sql<string>`${eb.ref("l.images")}::text`], filters.version),
        given(filters.person, isActedOnBy),
        given(filters.from, (from) => eb("l.started_at", ">=", sql<Date>`${from}::timestamptz`)),
        given(filters.to, (to) => eb("l.started_at", "<", sql<Date>`${to}::timestamptz`)),
        given(after, (key) => isPast({ time: eb.ref("l.started_at"), id: eb.ref("l.id") }, key)),
      ]),
    )
    .orderBy("l.started_at", "desc")
    .orderBy("l.id")
    .limit(filters.limit + 1);
  const rows = await readRows(runtime.pool, query);
  const acts = await readReleaseActs(
    ctx,
    rows.slice(0, filters.limit).map(({ id }) => id),
  );
  return pageOf({
    rows,
    limit: filters.limit,
    keyOf: (row) => [row.started_key, row.id],
    toItem: (row) => serializeRelease(row, { acts: acts.of(row.id), links: linksOfRelease(runtime, row) }),
  });
}
