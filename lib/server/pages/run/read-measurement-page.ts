import { type SqlBool, sql } from "kysely";
import { z } from "zod";
import type { Measurement } from "#lib/contract/analysis-run.ts";
import type { ListPage } from "#lib/contract/common.ts";
import type { MeasuredRun } from "#lib/server/pages/run/find-measured-run.ts";
import { allOf, type Condition, given } from "#lib/server/platform/db/conditions.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { asTime, DatabaseInt, DatabaseTime, parseListCursor, readPage } from "#lib/server/records/list-cursor.ts";
import { phaseCodes } from "#lib/server/records/measurement-codes.ts";
import { selectMeasurements, serializeMeasurement } from "#lib/server/records/measurement-row.ts";

const { ref } = fragment<{ m: "recorded_measurement"; t: "metric" }>();
const Key = z.tuple([z.string(), DatabaseInt, DatabaseTime]);

export type MeasurementPage = {
  limit: number;
  cursor?: string | undefined;
  metric?: string | undefined;
  order?: "asc" | "desc";
  only?: "unsuccessful" | undefined;
};

/**
 * Reads one page of a run's measurements by metric and seq, or in reverse. Throws `invalid_request` for a cursor that
 * this list never issued.
 */
export async function readMeasurementPage(
  connection: Connection,
  run: Pick<MeasuredRun, "uid" | "rollout_id">,
  { limit, cursor, metric, order = "asc", only }: MeasurementPage,
): Promise<ListPage<Measurement>> {
  const after = parseListCursor(Key, cursor);
  const query = tables
    .selectFrom("metric as t")
    .innerJoinLateral(
      // Limited for each metric: the key's index gives these rows in order, and those of all metrics would be sorted.
      () =>
        selectPage({ after, order, only })
          .limit(limit + 1)
          .as("m"),
      (join) => join.onTrue(),
    )
    .selectAll("m")
    .select("t.name as metric")
    .where("t.rollout_id", "=", run.rollout_id)
    .where("t.run_uid", "=", run.uid)
    .where((eb) =>
      allOf([
        given(metric, (name) => eb("t.name", "=", name)),
        given(after, ([name]) => eb("t.name", order === "asc" ? ">=" : "<=", name)),
      ]),
    )
    .orderBy("t.name", order)
    .orderBy("m.seq", order)
    .orderBy("m.started_at", order);
  return readPage(connection, {
    query,
    limit,
    keyOf: (row) => [row.metric, row.seq, row.started_key],
    toItem: serializeMeasurement,
  });
}

type Part = { after: z.infer<typeof Key> | undefined; order: "asc" | "desc"; only: "unsuccessful" | undefined };

/** Selects the measurements of metric `t` that are on the page or after it. */
function selectPage({ after, order, only }: Part) {
  return selectMeasurements
    .select(({ cast }) => cast<string>("m.started_at", "text").as("started_key"))
    .where((eb) =>
      allOf([
        eb("m.metric_id", "=", ref("t.id")),
        given(after, ([name, seq, at]) => isBeyond(order, { name, seq, at })),
        given(only, () => eb("m.phase", "<>", phaseCodes.Successful)),
      ]),
    )
    .orderBy("m.seq", order)
    .orderBy("m.started_at", order);
}

/** A condition on the columns of the index, whatever the metric: with OR, all rows before the page would be read. */
function isBeyond(order: "asc" | "desc", { name, seq, at }: { name: string; seq: number; at: string }): Condition {
  const [seqs, times] = order === "asc" ? [sql`-2147483648`, sql`'-infinity'`] : [sql`2147483647`, sql`'infinity'`];
  const isOfCursor = sql`${ref("t.name")} = ${name}`;
  const from = sql`CASE WHEN ${isOfCursor} THEN ${seq}::int ELSE ${seqs} END`;
  const isNear = order === "asc" ? sql`${ref("m.last_seq")} >= ${from}` : sql`${ref("m.first_seq")} <= ${from}`;
  return sql<SqlBool>`${isNear} AND (${ref("m.seq")}, ${ref("m.started_at")}) ${order === "asc" ? sql`>` : sql`<`} (
    ${from}, CASE WHEN ${isOfCursor} THEN ${asTime(at)} ELSE ${times} END)`;
}
