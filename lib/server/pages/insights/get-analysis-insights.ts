import { type SqlBool, sql } from "kysely";
import type { AnalysisInsightQuery, AnalysisInsights, MetricFigures, TemplateFigures } from "#lib/contract/insight.ts";
import { formatTemplateId } from "#lib/server/pages/template/template-row.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { allOf, type Condition, given } from "#lib/server/platform/db/conditions.ts";
import { type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { runPlace } from "#lib/server/records/run-row.ts";
import { isWithin, readFilter } from "./insight-filter.ts";
import { parseTemplateFilter } from "./parse-template-filter.ts";
import { isCountedMetric, isFromTemplate, isPendingRun, overrideOfWait, selectWaitsOfRun } from "./run-conditions.ts";

const mostRows = 200;

/** The waits that an Inconclusive run caused, each with how its release ended. */
const selectWaits = selectWaitsOfRun()
  // Here rather than in the join: PostgreSQL then looks for waits of these alone.
  .where(sql<SqlBool>`a.phase = 'Inconclusive' AND t.phase = 'Inconclusive'`)
  .select(({ ref }) => [
    sql<number>`extract(epoch FROM ${ref("w.to_at")} - ${ref("w.from_at")})::float8`.as("seconds"),
    overrideOfWait.as("override"),
  ])
  // Without it PostgreSQL looks for the override once for each figure that uses it.
  .offset(0);

/** What an Inconclusive run cost, in seconds, and how the release ended that a person then let continue. */
const selectCost = tables.selectFrom(selectWaits.as("wait")).select(({ ref, fn }) => {
  const has = (override: string) =>
    sql<boolean>`COALESCE(bool_or(${ref("wait.override")} = ${sql.lit(override)}), false)`;
  return [
    fn.countAll<string>().as("waits"),
    sql<number>`COALESCE(sum(${ref("wait.seconds")}), 0)`.as("seconds"),
    sql<boolean>`COALESCE(bool_or(${ref("wait.override")} IS NOT NULL), false)`.as("is_overridden"),
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

const count = (condition: Condition) => sql<number>`(count(*) FILTER (WHERE ${condition}))::int`;
/** The same for runs, each once: a run may have several metrics of one template. */
const countRuns = (condition: Condition) => sql<number>`(count(DISTINCT a.uid) FILTER (WHERE ${condition}))::int`;

function selectMetrics(isCounted: Condition) {
  return selectCounted(isCounted)
    .select(({ ref, eb }) => {
      const template = [ref("t.template_kind"), ref("t.template_namespace"), ref("t.template_name")] as const;
      const sum = (value: unknown) => sql<number>`COALESCE(sum(${value}), 0)::float8`;
      const has = (column: "is_overridden" | "has_stayed" | "was_undone" | "was_aborted" | "other") =>
        count(sql<SqlBool>`${ref(`cost.${column}`)}`);
      const isKnown = eb("t.nans", "is not", null);
      const at = (share: number, value: unknown) =>
        sql<number | null>`percentile_cont(${sql.lit(share)}) WITHIN GROUP (ORDER BY ${value})`;
      return [
        "a.cluster",
        template[0].as("kind"),
        template[1].as("namespace"),
        template[2].as("name"),
        "t.name as metric",
        sql<number>`count(*)::int`.as("runs"),
        count(eb("t.phase", "=", "Successful")).as("successful"),
        count(eb("t.phase", "=", "Failed")).as("failed"),
        count(eb("t.phase", "=", "Inconclusive")).as("inconclusive"),
        count(eb("t.phase", "=", "Error")).as("error"),
        count(eb("cost.waits", ">", "0")).as("wait_runs"),
        sum(ref("cost.seconds")).as("wait_seconds"),
        has("is_overridden").as("overridden"),
        has("has_stayed").as("stayed"),
        has("was_undone").as("undone"),
        has("was_aborted").as("aborted"),
        has("other").as("other"),
        sum(eb("t.count", "+", ref("t.error"))).as("measurements"),
        sum(ref("t.inconclusive")).as("inconclusive_measurements"),
        sum(ref("t.error")).as("error_measurements"),
        count(eb("t.nans", ">", 0)).as("nan_runs"),
        sum(ref("t.nans")).as("nans"),
        sql<number>`COALESCE(sum(${eb("t.count", "+", ref("t.error"))}) FILTER (WHERE ${isKnown}), 0)::float8`.as(
          "nan_of",
        ),
        count(eb("t.nans", "is", null)).as("nan_unknown"),
        count(eb("t.margin_median", "is not", null)).as("margin_runs"),
        at(0.5, ref("t.margin_median")).as("margin_median"),
        at(0.1, ref("t.margin_low")).as("margin_low"),
      ];
    })
    .groupBy(["a.cluster", "t.template_kind", "t.template_namespace", "t.template_name", "t.name"])
    .orderBy("wait_seconds", "desc")
    .orderBy(({ ref }) => sql`count(*) FILTER (WHERE ${ref("t.phase")} IN ('Inconclusive', 'Error'))`, "desc")
    .orderBy("runs", "desc")
    .orderBy("a.cluster")
    .orderBy("t.template_name")
    .orderBy("t.name");
}

function selectTemplates(isCounted: Condition) {
  return selectCounted(isCounted)
    .select(({ ref, eb }) => {
      const has = (column: "is_overridden" | "has_stayed" | "was_undone" | "was_aborted" | "other") =>
        countRuns(sql<SqlBool>`${ref(`cost.${column}`)}`);
      // A run with several Inconclusive metrics of the template counts its waits once.
      const first = sql<SqlBool>`${ref("t.name")} = (SELECT min(o.name) FROM metric o WHERE o.rollout_id = a.rollout_id
        AND o.run_uid = a.uid AND o.phase = 'Inconclusive' AND NOT o.dry_run
        AND o.template_kind IS NOT DISTINCT FROM ${ref("t.template_kind")}
        AND o.template_namespace IS NOT DISTINCT FROM ${ref("t.template_namespace")}
        AND o.template_name IS NOT DISTINCT FROM ${ref("t.template_name")})`;
      return [
        "a.cluster",
        "t.template_kind as kind",
        "t.template_namespace as namespace",
        "t.template_name as name",
        sql<number>`count(DISTINCT ${ref("a.uid")})::int`.as("runs"),
        countRuns(eb("a.phase", "=", "Successful")).as("successful"),
        countRuns(eb("a.phase", "=", "Failed")).as("failed"),
        countRuns(eb("a.phase", "=", "Inconclusive")).as("inconclusive"),
        countRuns(eb("a.phase", "=", "Error")).as("error"),
        countRuns(eb("cost.waits", ">", "0")).as("wait_runs"),
        sql<number>`COALESCE(sum(${ref("cost.seconds")}) FILTER (WHERE ${ref("cost.seconds")} > 0 AND ${first}), 0)::float8`.as(
          "wait_seconds",
        ),
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
}: {
  ctx: ServiceContext;
  input: AnalysisInsightQuery;
}): Promise<AnalysisInsights> {
  const { period, template, metric, ...filter } = readFilter(input, runtime.now());
  const from = template === undefined ? undefined : parseTemplateFilter(template);
  const { kind, cluster, namespace } = runPlace;
  const isAsked = allOf([
    isWithin(sql<Date>`a.created_at`, period),
    isReadable(actor.rights, runPlace),
    given(filter.cluster, (value) => sql<SqlBool>`${cluster} = ${value}`),
    given(filter.namespace, (value) => sql<SqlBool>`${namespace} = ${value}`),
    given(filter.kind, (value) => sql<SqlBool>`${kind} = ${value}`),
    given(filter.rollout, (value) => sql<SqlBool>`COALESCE(r.name, a.owner_name) = ${value}`),
  ]);
  const isCounted = allOf([
    isCountedMetric,
    isAsked,
    given(metric, (value) => sql<SqlBool>`t.name = ${value}`),
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
        .select(sql<number>`count(*)::int`.as("count"))
        .where(allOf([isPendingRun, isAsked])),
    ),
  ]);
  return {
    period,
    pendingRuns: pending?.count ?? 0,
    metrics: metrics.slice(0, mostRows).map(serializeMetric),
    metricCount: metrics.length,
    templates: templates.slice(0, mostRows).map(serializeTemplate),
    templateCount: templates.length,
  };
}

type MetricRow = RowOf<ReturnType<typeof selectMetrics>>;
type TemplateRow = RowOf<ReturnType<typeof selectTemplates>>;

function serializeMetric(row: MetricRow): MetricFigures {
  const { margin_median: median, margin_low: low } = row;
  return {
    ...serializeTemplate(row),
    metric: row.metric,
    measurements: row.measurements,
    inconclusiveMeasurements: row.inconclusive_measurements,
    errorMeasurements: row.error_measurements,
    nans: { runs: row.nan_runs, measurements: row.nans, of: row.nan_of, unknownRuns: row.nan_unknown },
    margin: median === null || low === null ? null : { runs: row.margin_runs, median, low },
  };
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
