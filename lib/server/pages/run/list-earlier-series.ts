import { sql } from "kysely";
import type { EarlierSeries, EarlierSeriesList } from "#lib/contract/analysis-run.ts";
import { findMeasuredRun } from "#lib/server/pages/run/find-measured-run.ts";
import { type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { kindCodes } from "#lib/server/records/measurement-codes.ts";
import { asPhase } from "#lib/server/records/run-row.ts";

const mostRuns = 5;
/** Stretches that a series is thinned to. */
const stretches = 120;

/** Selects, for each metric of a run, its measurements in the newest earlier runs of the rollout, thinned in SQL. */
function selectSeries(runUid: string) {
  return tables
    .selectFrom("analysis_run as own")
    .innerJoin("metric as t", (join) =>
      join.onRef("t.rollout_id", "=", "own.rollout_id").onRef("t.run_uid", "=", "own.uid"),
    )
    .crossJoinLateral(({ selectFrom }) =>
      selectFrom("analysis_run as a")
        .innerJoin("metric as o", (join) =>
          join
            .onRef("o.rollout_id", "=", "a.rollout_id")
            .onRef("o.run_uid", "=", "a.uid")
            .onRef("o.name", "=", "t.name"),
        )
        .select(["a.uid", "a.name", "a.phase", "a.revision", "a.started_at", "a.created_at", "o.id as metric_id"])
        .select(({ ref }) => sql<number>`GREATEST(${ref("o.count")}::bigint + ${ref("o.error")}, 1)`.as("taken"))
        .whereRef("a.rollout_id", "=", "own.rollout_id")
        .where(({ eb, refTuple }) => eb(refTuple("a.created_at", "a.uid"), "<", refTuple("own.created_at", "own.uid")))
        .where("a.started_at", "is not", null)
        .where("a.measurements_expired", "=", false)
        .orderBy("a.created_at", "desc")
        .orderBy("a.uid", "desc")
        .limit(mostRuns)
        .as("past"),
    )
    .crossJoinLateral(({ selectFrom }) =>
      selectFrom("recorded_measurement as m")
        .select(({ ref, fn }) => [
          sql<number>`avg(extract(epoch FROM COALESCE(${ref("m.finished_at")}, ${ref("m.started_at")}) - ${ref("past.started_at")}))::float8`.as(
            "offset_seconds",
          ),
          sql<number>`avg(${ref("m.seq")})::float8`.as("seq"),
          fn.min("m.parsed").as("low"),
          fn.max("m.parsed").as("high"),
        ])
        .whereRef("m.metric_id", "=", "past.metric_id")
        .where("m.superseded", "=", false)
        .where("m.parsed_kind", "in", [kindCodes.number, kindCodes.array])
        .where(({ between }) => between("m.parsed", -1.7e308, 1.7e308))
        .groupBy(({ ref }) => sql`(${ref("m.seq")} - 1)::bigint * ${sql.lit(stretches)} / ${ref("past.taken")}`)
        .orderBy("offset_seconds")
        .limit(stretches + 1)
        .as("stretch"),
    )
    .select(["past.uid", "past.name", "past.phase", "past.revision", "past.started_at", "t.name as metric"])
    .select(["stretch.offset_seconds", "stretch.seq", "stretch.low", "stretch.high"])
    .where("own.uid", "=", runUid)
    .orderBy("t.ord")
    .orderBy("t.name")
    .orderBy("past.created_at", "desc")
    .orderBy("past.uid", "desc")
    .orderBy("stretch.offset_seconds");
}

/** Lists the measurements of the run's metrics in earlier runs of the same rollout. Throws `not_found`. */
export async function listEarlierSeries({ ctx, input }: Call<{ uid: string }>): Promise<EarlierSeriesList> {
  const { uid } = await findMeasuredRun(ctx, input.uid);
  const rows = await readRows(ctx.runtime.pool, selectSeries(uid));
  const bySeries = Map.groupBy(rows, (row) => `${row.uid} ${row.metric}`);
  return { items: [...bySeries.values()].flatMap(serializeSeries) };
}

function serializeSeries(rows: readonly RowOf<ReturnType<typeof selectSeries>>[]): EarlierSeries[] {
  const [first] = rows;
  if (first === undefined || first.started_at === null) return [];
  return [
    {
      uid: first.uid,
      name: first.name,
      phase: asPhase(first.phase),
      revision: first.revision,
      startedAt: first.started_at.toISOString(),
      metric: first.metric,
      points: rows.flatMap(({ offset_seconds: offsetSeconds, seq, low, high }) =>
        low === null || high === null ? [] : [{ seq, offsetSeconds, low, high }],
      ),
    },
  ];
}
