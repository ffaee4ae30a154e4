import { sql } from "kysely";
import type { AnalysisInsightQuery, AnalysisInsights, MetricFigures, TemplateFigures } from "#lib/contract/insight.ts";
import { formatTemplateId } from "#lib/server/pages/template/template-row.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { allOf, type Condition, given } from "#lib/server/platform/db/conditions.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { anyRow, countRows, secondsBetween, sumOf } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { unitOf } from "#lib/server/records/describe-metric.ts";
import { runPlace } from "#lib/server/records/run-row.ts";
import { isWithin, readFilter } from "./insight-filter.ts";
import { parseTemplateFilter } from "./parse-template-filter.ts";
import { isCountedMetric, isFromTemplate, isPendingRun, overrideOfWait, selectWaitsOfRun } from "./run-conditions.ts";

const mostRows = 200;

/** The waits that an Inconclusive run caused, each with how its release ended. */
const selectWaits = selectWaitsOfRun()
  // Here rather than in the join: PostgreSQL then looks for waits of these alone.
  .where("a.phase", "=", "Inconclusive")
  .where("t.phase", "=", "Inconclusive")
  .select(({ ref }) => [secondsBetween(ref("w.from_at"), ref("w.to_at")).as("seconds"), overrideOfWait.as("override")])
  // Without it PostgreSQL looks for the override once for each figure that uses it.
  .offset(0);

/** What an Inconclusive run cost, in seconds, and how the release ended that a person then let continue. */
const selectCost = tables.selectFrom(selectWaits.as("wait")).select((eb) => {
  const has = (override: string) => anyRow(eb("wait.override", "=", sql.lit(override)));
  return [
    eb.fn.countAll<string>().as("waits"),
    sumOf(eb.ref("wait.seconds")).as("seconds"),
    anyRow(eb("wait.override", "is not", null)).as("is_overridden"),
    has("stayed").as("has_stayed"),
    has("undone").as("was_undone"),
    has("aborted").as("was_aborted"),
    has("other").as("other"),
  ];
});

/** Every counted metric of every run, with what it cost; one that was Inconclusive shares the cost of its run. */
function selectCounted(isCounted: Condition) {
  return tables
    .selectFrom("analysis_run as a")
    .innerJoin("metric as t", (join) =>
      join.onRef("t.rollout_id", "=", "a.rollout_id").onRef("t.run_uid", "=", "a.uid"),
    )
    .leftJoin("rollout as r", "r.id", "a.rollout_id")
    .leftJoinLateral(selectCost.as("cost"), (join) => join.onTrue())
    .where(isCounted);
}

const counted = fragment<{ a: "analysis_run"; r: "rollout"; t: "metric" }>();

/** Counts runs that meet the condition, each once: a run may have several metrics of one template. */
function countRuns(condition: Condition) {
  return counted.cast<number>(counted.fn.count("a.uid").distinct().filterWhere(condition), "int4");
}

type CostColumn = "is_overridden" | "has_stayed" | "was_undone" | "was_aborted" | "other";

function selectMetrics(isCounted: Condition) {
  return selectCounted(isCounted)
    .select(({ ref, eb }) => {
      const has = (column: CostColumn) => countRows(ref(`cost.${column}`).$notNull());
      const taken = sql<number>`${ref("t.count")}::bigint + ${ref("t.error")}`;
      const at = (share: number) => eb.fn.agg<number | null>("percentile_cont", [eb.lit(share)]);
      return [
        "a.cluster",
        "t.template_kind as kind",
        "t.template_namespace as namespace",
        "t.template_name as name",
        "t.name as metric",
        countRows().as("runs"),
        countRows(eb("t.phase", "=", "Successful")).as("successful"),
        countRows(eb("t.phase", "=", "Failed")).as("failed"),
        countRows(eb("t.phase", "=", "Inconclusive")).as("inconclusive"),
        countRows(eb("t.phase", "=", "Error")).as("error"),
        countRows(eb("cost.waits", ">", "0")).as("wait_runs"),
        sumOf(ref("cost.seconds")).as("wait_seconds"),
        has("is_overridden").as("overridden"),
        has("has_stayed").as("stayed"),
        has("was_undone").as("undone"),
        has("was_aborted").as("aborted"),
        has("other").as("other"),
        sumOf(taken).as("measurements"),
        sumOf(ref("t.inconclusive")).as("inconclusive_measurements"),
        sumOf(ref("t.error")).as("error_measurements"),
        countRows(eb("t.nans", ">", 0)).as("nan_runs"),
        sumOf(ref("t.nans")).as("nans"),
        sumOf(taken, eb("t.nans", "is not", null)).as("nan_of"),
        countRows(eb("t.nans", "is", null)).as("nan_unknown"),
        countRows(eb("t.margin_median", "is not", null)).as("margin_runs"),
        at(0.5).withinGroupOrderBy("t.margin_median").as("margin_median"),
        at(0.1).withinGroupOrderBy("t.margin_low").as("margin_low"),
        eb.fn.min("t.id").as("first_id"),
        eb.fn.max("t.id").as("last_id"),
      ];
    })
    .groupBy(["a.cluster", "t.template_kind", "t.template_namespace", "t.template_name", "t.name"])
    .orderBy("wait_seconds", "desc")
    .orderBy((eb) => countRows(eb("t.phase", "in", ["Inconclusive", "Error"])), "desc")
    .orderBy("runs", "desc")
    .orderBy("a.cluster")
    .orderBy("t.template_name")
    .orderBy("t.name");
}

function selectTemplates(isCounted: Condition) {
  return selectCounted(isCounted)
    .select(({ ref, eb }) => {
      const has = (column: CostColumn) => countRuns(ref(`cost.${column}`).$notNull());
      // A run with several Inconclusive metrics of the template counts its waits once.
      const first = eb
        .selectFrom("metric as o")
        .select(({ fn }) => fn.min("o.name").as("name"))
        .whereRef("o.rollout_id", "=", "a.rollout_id")
        .whereRef("o.run_uid", "=", "a.uid")
        .where("o.phase", "=", "Inconclusive")
        .where("o.dry_run", "=", false)
        .whereRef("o.template_kind", "is not distinct from", "t.template_kind")
        .whereRef("o.template_namespace", "is not distinct from", "t.template_namespace")
        .whereRef("o.template_name", "is not distinct from", "t.template_name");
      return [
        "a.cluster",
        "t.template_kind as kind",
        "t.template_namespace as namespace",
        "t.template_name as name",
        eb.cast<number>(eb.fn.count("a.uid").distinct(), "int4").as("runs"),
        countRuns(eb("a.phase", "=", "Successful")).as("successful"),
        countRuns(eb("a.phase", "=", "Failed")).as("failed"),
        countRuns(eb("a.phase", "=", "Inconclusive")).as("inconclusive"),
        countRuns(eb("a.phase", "=", "Error")).as("error"),
        countRuns(eb("cost.waits", ">", "0")).as("wait_runs"),
        sumOf(ref("cost.seconds"), eb.and([eb("cost.seconds", ">", 0), eb("t.name", "=", first)])).as("wait_seconds"),
        has("is_overridden").as("overridden"),
        has("has_stayed").as("stayed"),
        has("was_undone").as("undone"),
        has("was_aborted").as("aborted"),
        has("other").as("other"),
      ];
    })
    .groupBy(["a.cluster", "t.template_kind", "t.template_namespace", "t.template_name"])
    .orderBy("wait_seconds", "desc")
    .orderBy("inconclusive", "desc")
    .orderBy("runs", "desc")
    .orderBy("a.cluster")
    .orderBy("t.template_name");
}

/** Returns the figures of metrics and templates over the ended runs that were created within a period. */
export async function getAnalysisInsights({
  ctx: { runtime, actor },
  input,
}: Call<AnalysisInsightQuery>): Promise<AnalysisInsights> {
  const { period, template, metric, ...filter } = readFilter(input, runtime.now());
  const from = template === undefined ? undefined : parseTemplateFilter(template);
  const isAsked = allOf([
    isWithin(counted.ref("a.created_at"), period),
    isReadable(actor.rights, runPlace),
    given(filter.cluster, (cluster) => counted("a.cluster", "=", cluster)),
    given(filter.namespace, (namespace) => counted("a.namespace", "=", namespace)),
    given(filter.kind, (kind) => counted(runPlace.kind, "=", kind)),
    given(filter.rollout, (name) => counted(counted.fn.coalesce("r.name", "a.owner_name"), "=", name)),
  ]);
  const isCounted = allOf([
    isCountedMetric,
    isAsked,
    given(metric, (name) => counted("t.name", "=", name)),
    given(from, isFromTemplate),
  ]);
  const [metrics, templates, [pending]] = await Promise.all([
    readRows(runtime.pool, selectMetrics(isCounted)),
    readRows(runtime.pool, selectTemplates(isCounted)),
    readRows(
      runtime.pool,
      tables
        .selectFrom("analysis_run as a")
        .leftJoin("rollout as r", "r.id", "a.rollout_id")
        .select(countRows().as("count"))
        .where(allOf([isPendingRun, isAsked])),
    ),
  ]);
  const shown = metrics.slice(0, mostRows);
  const units = await readUnits(runtime, shown);
  return {
    period,
    pendingRuns: pending?.count ?? 0,
    metrics: shown.map((row) => serializeMetric(row, units.get(row) ?? null)),
    metricCount: metrics.length,
    templates: templates.slice(0, mostRows).map(serializeTemplate),
    templateCount: templates.length,
  };
}

type MetricRow = RowOf<ReturnType<typeof selectMetrics>>;
type TemplateRow = RowOf<ReturnType<typeof selectTemplates>>;

function serializeMetric(row: MetricRow, unit: string | null): MetricFigures {
  const { margin_median: median, margin_low: low } = row;
  return {
    ...serializeTemplate(row),
    metric: row.metric,
    unit,
    measurements: row.measurements,
    inconclusiveMeasurements: row.inconclusive_measurements,
    errorMeasurements: row.error_measurements,
    nans: { runs: row.nan_runs, measurements: row.nans, of: row.nan_of, unknownRuns: row.nan_unknown },
    margin: median === null || low === null ? null : { runs: row.margin_runs, median, low },
  };
}

/** Reads the units of metrics: one that was not the same in the first and the last run counts as unknown. */
async function readUnits(
  { pool, config }: Runtime,
  rows: readonly MetricRow[],
): Promise<Map<MetricRow, string | null>> {
  const { units } = config().config;
  const ids = rows.flatMap((row) => [BigInt(row.first_id), BigInt(row.last_id)]);
  const select = { id: true, name: true, provider: true, query: true } as const;
  const metrics = await prismaOn(pool).metric.findMany({ where: { id: { in: ids } }, select });
  const unitBy = new Map(metrics.map((metric) => [metric.id, unitOf(metric, undefined, units)]));
  return new Map(
    rows.map((row) => {
      const unit = unitBy.get(BigInt(row.first_id)) ?? null;
      return [row, unit === (unitBy.get(BigInt(row.last_id)) ?? null) ? unit : null];
    }),
  );
}

function serializeTemplate(row: TemplateRow): TemplateFigures {
  const { cluster, kind, namespace, name } = row;
  const isKnown = kind !== null && namespace !== null && name !== null;
  return {
    cluster,
    template: isKnown
      ? {
          id: formatTemplateId({ cluster, namespace, kind, name }),
          cluster,
          namespace: namespace === "" ? null : namespace,
          kind,
          name,
        }
      : null,
    runs: row.runs,
    successful: row.successful,
    failed: row.failed,
    inconclusive: row.inconclusive,
    error: row.error,
    waits: { runs: row.wait_runs, seconds: row.wait_seconds },
    overrides: {
      runs: row.overridden,
      stayed: row.stayed,
      undone: row.undone,
      aborted: row.aborted,
      other: row.other,
    },
  };
}
