import { sql } from "kysely";
import { fragment, tableName, tables } from "#lib/server/db/tables.ts";

const valuesPerMetric = 30;
/** Numbers that are looked through first: the newest values are among them, unless many were lost or still run. */
const lookedThrough = 2 * valuesPerMetric;

type Value = { run_uid: string; metric: string; seq: number; value: string | null; parsed: number | null };

const { ref } = fragment<{ m: "measurement"; t: "metric" }>();
const taken = sql`(${ref("t.count")} + ${ref("t.error")})`;

const values = sql`SELECT ${ref("m.run_uid")}, ${ref("m.metric")}, ${ref("m.seq")}, ${ref("m.value")},
    CASE WHEN ${ref("m.parsed_kind")} IN ('number', 'array') THEN ${ref("m.parsed")} END AS parsed
  FROM ${tableName("measurement")} m
  WHERE ${ref("m.rollout_id")} = run.rollout_id AND ${ref("m.run_uid")} = run.uid AND ${ref("m.metric")} = ${ref("t.name")}
    AND ${ref("m.finished_at")} IS NOT NULL AND NOT ${ref("m.superseded")}`;
const newestFirst = sql`ORDER BY ${ref("m.seq")} DESC, ${ref("m.started_at")} DESC LIMIT ${sql.lit(valuesPerMetric)}`;

/**
 * Selects the newest finished values of each metric of these runs, oldest first. PostgreSQL cannot tell a long run from a
 * short one, and would read and sort all of its values: those with the last numbers, by the controller's count, come
 * first, and all others only if these are too few.
 */
export function selectNewestValues(runs: readonly { rollout_id: string; uid: string }[]) {
  const ids = sql`${runs.map((run) => run.rollout_id)}::uuid[], ${runs.map((run) => run.uid)}::text[]`;
  const newest = sql<Value>`(WITH near AS MATERIALIZED (
      ${values} AND ${ref("m.seq")} > ${taken} - ${sql.lit(lookedThrough)} ${newestFirst}
    ), far AS (
      ${values} AND ${ref("m.seq")} <= ${taken} - ${sql.lit(lookedThrough)} AND ${taken} > ${sql.lit(lookedThrough)}
        AND (SELECT count(*) FROM near) < ${sql.lit(valuesPerMetric)} ${newestFirst}
    )
    SELECT * FROM near UNION ALL SELECT * FROM far ORDER BY seq DESC LIMIT ${sql.lit(valuesPerMetric)})`;
  return tables
    .selectFrom(sql<{ rollout_id: string; uid: string }>`unnest(${ids})`.as<"run">(sql`run (rollout_id, uid)`))
    .innerJoin("metric as t", "t.run_uid", "run.uid")
    .crossJoinLateral(newest.as<"v">(sql`v`))
    .selectAll("v")
    .orderBy("v.run_uid")
    .orderBy("v.metric")
    .orderBy("v.seq");
}
