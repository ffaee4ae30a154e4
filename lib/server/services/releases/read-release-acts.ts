import type { Release } from "#lib/contract/rollout.ts";
import { runKeySql } from "#lib/server/acting/action-store.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { readableAuditSql } from "#lib/server/services/acting/readable-audit.ts";
import { type ReleaseActRow, serializeReleaseAct } from "#lib/server/services/releases/release-act.ts";
import { createSqlConditions } from "#lib/server/services/sql-conditions.ts";

type Row = ReleaseActRow & { release_id: string; total: number };
type Acts = Release["acts"];

const shownActs = 10;

/**
 * Reads what was done to each of these releases, by the last audit entry of each act that the actor may read. An act
 * belongs to the attempt that was current when it was requested: the last one begun of the revision it was sent to. A
 * retry, or another act that begins a new attempt, is listed with the attempt that it ended.
 */
export async function readReleaseActs(
  { runtime, actor }: ServiceContext,
  releaseIds: readonly string[],
): Promise<{ of(releaseId: string): Acts }> {
  const rows: Row[] = [];
  if (releaseIds.length > 0) {
    const sql = createSqlConditions();
    const ids = sql.bind(releaseIds);
    sql.and(readableAuditSql(sql, actor));
    const limit = sql.bind(shownActs);
    rows.push(...(await runtime.pool.query<Row>(actsSql({ ids, limit, readable: sql.text() }), sql.values)).rows);
  }
  const byRelease = Map.groupBy(rows, ({ release_id }) => release_id);
  return {
    of: (releaseId) => {
      const found = byRelease.get(releaseId) ?? [];
      return { total: found[0]?.total ?? 0, latest: found.map(serializeReleaseAct) };
    },
  };
}

/**
 * Builds the query. Clocks of database and recorder differ a little: if the revision is known, an act that seems to
 * precede its first attempt belongs to that attempt.
 */
function actsSql({ ids, limit, readable }: { ids: string; limit: string; readable: string }): string {
  return `WITH asked AS (
    SELECT l.rollout_id, min(l.started_at) - interval '1 minute' AS since
    FROM release l WHERE l.id = ANY(${ids}::uuid[]) GROUP BY l.rollout_id
  ), done AS (
    SELECT x.rollout_id, x.requested_at AS at, x.action, ${runKeySql("x.plan")} AS run_key,
      (SELECT max(n.seq) FROM audit_entry n WHERE n.action_id = x.id AND n.code LIKE 'action.%'
         AND n.outcome IS NOT NULL) AS seq
    FROM asked JOIN action x ON x.rollout_id = asked.rollout_id AND x.requested_at >= asked.since
    UNION ALL
    SELECT u.rollout_id, u.at, u.action, o.run_key, u.audit_seq
    FROM asked JOIN unasked_change u ON u.rollout_id = asked.rollout_id AND u.at >= asked.since
      LEFT JOIN observation o ON o.id = u.observation_id
  ), placed AS (
    SELECT d.seq, p.id AS release_id FROM done d JOIN LATERAL (
      SELECT l.id, (l.started_at < d.at
          OR (l.started_at = d.at AND d.action NOT IN ('retry', 'undo', 'promote-full'))) AS had_begun
      FROM release l WHERE l.rollout_id = d.rollout_id AND (l.run_key = d.run_key OR l.started_at <= d.at)
      ORDER BY (l.run_key = d.run_key) IS TRUE DESC, had_begun DESC, abs(extract(epoch FROM l.started_at - d.at))
      LIMIT 1
    ) p ON true
  ), ranked AS (
    SELECT p.release_id, a.*, count(*) OVER of_release AS total,
      row_number() OVER (PARTITION BY p.release_id ORDER BY a.seq DESC) AS place
    FROM placed p JOIN audit_entry a ON a.seq = p.seq
    WHERE p.release_id = ANY(${ids}::uuid[]) AND a.outcome IS DISTINCT FROM 'refused' AND ${readable}
    WINDOW of_release AS (PARTITION BY p.release_id)
  )
  SELECT a.release_id, a.total::int, a.seq::text, a.time, a.entry, x.state AS action_state, x.effect_why,
    extract(epoch FROM x.effective_at - x.requested_at)::float8 AS effect_seconds,
    (SELECT i.entry FROM audit_entry i WHERE i.action_id = a.action_id AND i.outcome = 'intent'
     ORDER BY i.seq LIMIT 1) AS intent
  FROM ranked a LEFT JOIN action x ON x.id = a.action_id WHERE a.place <= ${limit} ORDER BY a.seq DESC`;
}
