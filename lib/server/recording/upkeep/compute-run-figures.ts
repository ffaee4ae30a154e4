import { type SqlBool, sql } from "kysely";
import type { Pool } from "pg";
import { endedPhases } from "#lib/domain/delivery/run-phase.ts";
import { type Margin, measureMargin } from "#lib/domain/insights/measure-margin.ts";
import { measuringProviderOf } from "#lib/domain/providers.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { kindCodes } from "#lib/server/records/measurement-codes.ts";
import { ofMetric } from "#lib/server/records/measurement-row.ts";

const maxPerPass = 100;
/** Values of a run that its margins are computed from, far more than one has; the first ones count. */
const mostValues = 50_000;

/** Ended runs whose figures are missing or outdated. Repeats a part of the index `analysis_run_due`. */
const selectDue = tables
  .selectFrom("analysis_run as a")
  .select(["a.uid", "a.rollout_id", "a.kind", "a.spec", "a.resource_version", "a.measurements_expired"])
  .where(({ ref }) => sql<SqlBool>`${ref("a.phase")} IN (${sql.join(endedPhases.map((phase) => sql.lit(phase)))})`)
  .whereRef("a.figures_version", "is distinct from", "a.resource_version")
  .orderBy("a.updated_at", "desc")
  .limit(maxPerPass);
type DueRun = RowOf<typeof selectDue>;

/**
 * Makes one pass over the runs that have ended and whose figures are due: the template of each metric, how many values
 * were NaN, and how far the values were from the limits. What was known stays if the measurements are no longer stored.
 * Several recorders may run this at once. Resolves with the number of runs that were stored.
 */
export async function computeDueRunFigures(pool: Pool, { signal }: { signal?: AbortSignal } = {}): Promise<number> {
  let stored = 0;
  for (const due of await readRows(pool, selectDue)) {
    if (signal?.aborted) break;
    if (await storeFigures(pool, due)) stored++;
  }
  return stored;
}

type Measured = { nans: number; margin: Margin | undefined };

async function storeFigures(pool: Pool, due: DueRun): Promise<boolean> {
  const templates = new Map((await readTemplates(pool, due)).map((row) => [row.metric, row]));
  const measured = due.measurements_expired ? undefined : await measure(pool, due);
  const ofRun = { rolloutId: due.rollout_id, runUid: due.uid };
  const names = await prismaOn(pool).metric.findMany({ where: ofRun, select: { name: true } });
  return inTransaction(pool, async (tx) => {
    const { analysisRun, metric } = prismaOn(tx);
    const version = due.resource_version;
    const { count } = await analysisRun.updateMany({
      where: {
        ...{ rolloutId: due.rollout_id, uid: due.uid, resourceVersion: version },
        OR: [{ figuresVersion: null }, { figuresVersion: { not: version } }],
      },
      data: { figuresVersion: version },
    });
    if (count === 0) return false;
    for (const { name } of names) {
      const template = templates.get(name);
      const figures = measured?.get(name) ?? { nans: 0, margin: undefined };
      await metric.updateMany({
        where: { ...ofRun, name },
        data: {
          templateKind: template?.kind ?? null,
          templateNamespace: template?.namespace ?? null,
          templateName: template?.name ?? null,
          ...(measured === undefined
            ? {}
            : {
                nans: figures.nans,
                marginMedian: figures.margin?.median ?? null,
                marginLow: figures.margin?.low ?? null,
              }),
        },
      });
    }
    return true;
  });
}

async function measure(pool: Pool, due: DueRun): Promise<Map<string, Measured>> {
  const { explaining } = measuringProviderOf(due.kind);
  const conditions = explaining.readConditions(due.spec);
  const [nans, values] = await Promise.all([readNans(pool, due), readValues(pool, due)]);
  const valuesOf = Map.groupBy(values, ({ metric }) => metric);
  return new Map(
    nans.map(({ metric, nans: count }) => {
      const rules = conditions.get(metric);
      const numbers = (valuesOf.get(metric) ?? []).flatMap(({ parsed }) => parsed ?? []);
      const margin = rules === undefined ? undefined : measureMargin(numbers, explaining.drawConditions(rules));
      return [metric, { nans: count, margin }];
    }),
  );
}

function selectMeasurements({ rollout_id, uid }: DueRun) {
  return tables
    .selectFrom("metric as t")
    .innerJoinLateral(ofMetric, (join) => join.onTrue())
    .where("t.rollout_id", "=", rollout_id)
    .where("t.run_uid", "=", uid)
    .where("m.superseded", "=", false)
    .where("m.finished_at", "is not", null);
}

async function readNans(pool: Pool, due: DueRun): Promise<{ metric: string; nans: number }[]> {
  return readRows(
    pool,
    selectMeasurements(due)
      .select(({ ref }) => [
        "t.name as metric",
        sql<number>`(count(*) FILTER (WHERE ${ref("m.parsed_kind")} = ${sql.lit(kindCodes.nan)}
          OR (${ref("m.parsed_kind")} = ${sql.lit(kindCodes.array)} AND ${ref("m.value")} ~* '\\mnan\\M')))::int`.as(
          "nans",
        ),
      ])
      .groupBy("t.name"),
  );
}

async function readValues(pool: Pool, due: DueRun): Promise<{ metric: string; parsed: number | null }[]> {
  return readRows(
    pool,
    selectMeasurements(due)
      .select(["t.name as metric", "m.parsed"])
      .where("m.parsed", "is not", null)
      .where("m.parsed_kind", "in", [kindCodes.number, kindCodes.array])
      .orderBy("t.name")
      .orderBy("m.seq")
      .limit(mostValues),
  );
}

/**
 * Finds the template of each metric of a run: the first one that was current at its creation and whose metrics are all
 * in the run word for word. A run does not name its templates.
 */
async function readTemplates(pool: Pool, due: DueRun) {
  return readRows(
    pool,
    tables
      .selectFrom("analysis_run as a")
      .innerJoin("analysis_template as t", "t.cluster", "a.cluster")
      .innerJoin("analysis_template_version as v", "v.template_uid", "t.uid")
      .innerJoinLateral(
        ({ ref }) =>
          sql<{
            name: string;
          }>`(SELECT each #>> '{}' AS name FROM jsonb_path_query(${ref("v.spec")}, '$.metrics[*].name') each)`.as<"e">(
            sql`e`,
          ),
        (join) => join.onTrue(),
      )
      .distinctOn("e.name")
      .select(["e.name as metric", "t.kind", "t.namespace", "t.name"])
      .where("a.rollout_id", "=", due.rollout_id)
      .where("a.uid", "=", due.uid)
      .where((eb) => eb.or([eb("t.namespace", "=", ""), eb("t.namespace", "=", eb.ref("a.namespace"))]))
      .where((eb) => eb.or([eb("t.gone_at", "is", null), eb("t.gone_at", ">=", eb.ref("a.created_at"))]))
      .whereRef("v.written_at", "<=", "a.created_at")
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("analysis_template_version as newer")
              .select("newer.version")
              .whereRef("newer.template_uid", "=", "v.template_uid")
              .whereRef("newer.version", ">", "v.version")
              .whereRef("newer.written_at", "<=", "a.created_at"),
          ),
        ),
      )
      .where(({ ref }) => sql<boolean>`${ref("a.spec")} -> 'metrics' @> (${ref("v.spec")} -> 'metrics')`)
      .orderBy("e.name")
      .orderBy("t.kind")
      .orderBy("t.name")
      .orderBy("t.first_seen_at", "desc"),
  );
}
