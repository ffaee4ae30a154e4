import { z } from "zod";
import type { ListQuery } from "#lib/contract/common.ts";
import type { RolloutPath, TimelineEvent } from "#lib/contract/rollout.ts";
import { gateAction } from "#lib/server/oversight/append-unasked.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { DatabaseInt, DatabaseTime, pageOf, parseListCursor } from "#lib/server/services/list-cursor.ts";
import { findRolloutIds } from "#lib/server/services/rollouts/find-rollout.ts";
import { formatTimelineText, type TimelineAct } from "#lib/server/services/rollouts/timeline-text.ts";
import { createSqlConditions } from "#lib/server/services/sql-conditions.ts";

const Key = z.tuple([DatabaseTime, DatabaseInt, z.string()]);

type Row = {
  id: string;
  at: Date;
  at_key: string;
  ord: number;
  kind: string;
  text: string;
  phase: string | null;
  run_uid: string | null;
  audit_seq: string | null;
  act: TimelineAct | null;
};

/**
 * Lists what happened to one rollout, newest first: observations, requests made through Gatehouse, and acts without it.
 * An action is listed at the time of its request, above observations of the same moment.
 */
export async function listRolloutTimeline({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: RolloutPath & ListQuery;
}): Promise<{ items: TimelineEvent[]; nextCursor: string | null }> {
  const rolloutIds = await findRolloutIds(ctx, input);
  const after = parseListCursor(Key, input.cursor);
  const sql = createSqlConditions();
  const ids = sql.bind(rolloutIds);
  const limit = sql.bind(input.limit + 1);
  sql.where(after?.[0], (at) => {
    return `(at, ord, id) < (${at}::timestamptz, ${sql.bind(after?.[1])}::int, ${sql.bind(after?.[2])})`;
  });
  const { rows } = await ctx.runtime.pool.query<Row>(
    `SELECT *, at::text AS at_key, (SELECT n.uid FROM analysis_run n
         WHERE n.rollout_id = events.rollout_id AND n.name = events.run_name ORDER BY n.created_at DESC LIMIT 1) AS run_uid
     FROM (
       SELECT e.id::text AS id, e.at, e.ord, e.kind, e.text, e.phase, e.rollout_id, e.run_name,
         NULL::bigint AS audit_seq, NULL::jsonb AS act
       FROM timeline_event e WHERE e.rollout_id = ANY(${ids}::uuid[])
       UNION ALL
       SELECT a.id::text, a.requested_at, 1000000, 'action',
         a.actor_name || CASE WHEN a.actor_username <> a.actor_name THEN ' (' || a.actor_username || ')' ELSE '' END,
         a.state, a.rollout_id, NULL, a.intent_seq,
         jsonb_build_object('action', a.action, 'state', a.state, 'reason', a.reason, 'message', a.message)
       FROM action a WHERE a.rollout_id = ANY(${ids}::uuid[])
       UNION ALL
       SELECT u.observation_id || ' ' || u.action || u.subject_uid, u.at, 999999, 'unasked',
         COALESCE(u.client, 'Client unknown') || ', outside Gatehouse: ' || u.action
           || COALESCE(' ' || u.subject_name, ''),
         NULL, u.rollout_id, u.subject_name, u.audit_seq,
         jsonb_build_object('entry', (SELECT n.entry FROM audit_entry n WHERE n.seq = u.audit_seq))
       FROM unasked_change u WHERE u.rollout_id = ANY(${ids}::uuid[]) AND u.action <> '${gateAction}'
     ) events WHERE ${sql.text()} ORDER BY at DESC, ord DESC, id DESC LIMIT ${limit}`,
    sql.values,
  );
  return pageOf({
    rows,
    limit: input.limit,
    keyOf: (row) => [row.at_key, row.ord, row.id],
    toItem: (row) => ({
      id: row.id,
      at: row.at.toISOString(),
      kind: row.kind,
      text: formatTimelineText(row),
      phase: row.phase,
      runUid: row.run_uid,
      auditSeq: row.audit_seq === null ? null : Number(row.audit_seq),
    }),
  });
}
