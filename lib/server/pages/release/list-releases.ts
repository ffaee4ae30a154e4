import { sql } from "kysely";
import type { ListPage, ListQuery } from "#lib/contract/common.ts";
import type { Release, RolloutPath } from "#lib/contract/rollout.ts";
import type { ReleaseExportQuery, ReleaseListQuery, releaseSorts } from "#lib/contract/rollout-lists.ts";
import { type CsvColumn, columnsOf, exportOf, formatPhaseCounts } from "#lib/server/pages/export-list.ts";
import { readWaitSentences } from "#lib/server/pages/inbox/read-wait-sentences.ts";
import { releaseFigureConditions, waitedFromHour } from "#lib/server/pages/insights/release-conditions.ts";
import { linksOfRelease } from "#lib/server/pages/links/list-links.ts";
import { isActedOnBy, readReleaseActs } from "#lib/server/pages/release/read-release-acts.ts";
import { findRolloutIds } from "#lib/server/people/permission/find-rollout.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { allOf, anyContains, given, isOneOf } from "#lib/server/platform/db/conditions.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { numberFor } from "#lib/server/platform/db/sql-functions.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { isInTimeSpan } from "#lib/server/records/in-time-span.ts";
import { pageOf } from "#lib/server/records/list-cursor.ts";
import { bothWays, inOrder, listOrder, type Orders, orderPart, worstFirst } from "#lib/server/records/list-order.ts";
import { selectReleases, serializeRelease } from "#lib/server/records/release-row.ts";
import { rolloutPlace, teamOf } from "#lib/server/records/rollout-row.ts";

const eb = fragment<{ l: "release"; r: "rollout" }>();

/** The worst has the highest number. Like the next one, word for word as in its index. */
const stateRank = numberFor(
  eb.ref("l.state"),
  { aborted: 6, paused: 5, progressing: 4, superseded: 2, promoted: 1 },
  eb.lit(3),
);

const seconds = sql`extract(epoch FROM ${eb.ref("l.ended_at")} - ${eb.ref("l.started_at")})::numeric`;

const orders: Orders<(typeof releaseSorts)[number]> = {
  startedAt: bothWays([orderPart(eb.ref("l.started_at"), "timestamptz", "desc"), orderPart(eb.ref("l.id"), "uuid")]),
  state: worstFirst({ rank: stateRank, time: eb.ref("l.started_at"), id: orderPart(eb.ref("l.id"), "uuid") }),
  duration: {
    asc: [orderPart(eb.fn.coalesce(seconds, eb.lit(1_000_000_000_000)), "numeric"), orderPart(eb.ref("l.id"), "uuid")],
    desc: [
      orderPart(eb.fn.coalesce(seconds, eb.lit(-1)), "numeric", "desc"),
      orderPart(eb.ref("l.id"), "uuid", "desc"),
    ],
  },
};

type Filters = ReleaseListQuery & {
  rolloutIds?: string[];
};

/** Lists releases of all rollouts, newest first. */
export async function listReleases({ ctx, input }: Call<ReleaseListQuery>): Promise<ListPage<Release>> {
  return readReleases(ctx, input);
}

async function readReleases(ctx: ServiceContext, filters: Filters): Promise<ListPage<Release>> {
  const { runtime, actor } = ctx;
  const order = listOrder(orders, { sort: filters.sort, usual: "-startedAt", cursor: filters.cursor });
  const query = selectReleases.where(() =>
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
      anyContains([eb.cast<string>("l.images", "text")], filters.version),
      given(filters.person, isActedOnBy),
      isInTimeSpan(eb.ref("l.started_at"), filters),
      order.isAfter,
    ]),
  );
  const rows = await readRows(runtime.pool, inOrder(query, order).limit(filters.limit + 1));
  const kept = rows.slice(0, filters.limit);
  const [acts, waits] = await Promise.all([
    readReleaseActs(
      ctx,
      kept.map(({ id }) => id),
    ),
    readWaitSentences(runtime, kept),
  ]);
  return pageOf({
    rows,
    limit: filters.limit,
    keyOf: order.keyOf,
    toItem: (row) =>
      serializeRelease(row, {
        team: teamOf(runtime, row)?.name ?? null,
        sentence: waits.of(row),
        acts: acts.of(row.id),
        links: linksOfRelease(runtime, row),
      }),
  });
}

/** Lists releases of one rollout, newest first. Throws `not_found`. */
export async function listRolloutReleases({ ctx, input }: Call<RolloutPath & ListQuery>): Promise<ListPage<Release>> {
  const rolloutIds = await findRolloutIds(ctx, input);
  return readReleases(ctx, { rolloutIds, limit: input.limit, cursor: input.cursor });
}

const columns: readonly CsvColumn<Release>[] = [
  ["id", ({ id }) => id],
  ["rollout.cluster", ({ rollout }) => rollout.cluster],
  ["rollout.namespace", ({ rollout }) => rollout.namespace],
  ["rollout.kind", ({ rollout }) => rollout.kind],
  ["rollout.name", ({ rollout }) => rollout.name],
  ["team", ({ team }) => team],
  ...columnsOf<Release>(["revision", "runKey", "attempt", "state", "waitsFor", "message"]),
  ["images", ({ images }) => images],
  ...columnsOf<Release>(["startedAt", "endedAt"]),
  ["runs.total", ({ runs }) => runs.total],
  ["runs.byPhase", ({ runs }) => formatPhaseCounts(runs.byPhase)],
  ["findings.open", ({ findings }) => findings.open],
  ["findings.worst", ({ findings }) => findings.worst],
  ["acts.total", ({ acts }) => acts.total],
  [
    "acts.latest",
    ({ acts }) => acts.latest.map(({ time, who, did, reason }) => describeAct({ time, who, did, reason })),
  ],
];

/** Exports the releases that `listReleases` lists, in the same order. */
export const exportReleases = exportOf<Release, ReleaseExportQuery>({ name: "releases", columns, list: listReleases });

type Act = Pick<Release["acts"]["latest"][number], "time" | "who" | "did" | "reason">;

function describeAct({ time, who, did, reason }: Act): string {
  return `${time} ${who} ${did}${reason === null || reason === "" ? "" : ` (${reason})`}`;
}
