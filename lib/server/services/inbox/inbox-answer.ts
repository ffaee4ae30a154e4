/** Acknowledged in exactly the current state of rollout `r`: a state that it left and returned to counts as another. */
const acknowledgementOf = `acknowledgement k WHERE k.rollout_id = r.id AND k.view_digest = r.view_digest
  AND k.attention_reason = r.attention_reason AND k.attention_since = r.attention_since`;

/**
 * Aborted on purpose, and out of traffic: `computeAttention` gives that severity to no other degraded rollout. The
 * weight is checked here because it also changes through the ReplicaSets, without the rollout.
 */
const isAbortedSql = `(r.attention_reason = 'degraded' AND r.attention_severity = 'info'
  AND coalesce(r.weight_actual, 0) = 0)`;

/** SQL condition: the state of rollout `r` needs no answer any more. */
export const isAnsweredSql = `(${isAbortedSql} OR EXISTS (SELECT FROM ${acknowledgementOf}))`;

const timeOf = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** How far the cluster's time of an abort may differ from ours. */
const abortTolerance = "interval '2 minutes'";

/** Selects who aborted it last, through Gatehouse or without it; null if the client left no name. */
const abortedBySql = `(SELECT jsonb_build_object('kind', 'aborted', 'who', b.who, 'at', ${timeOf("r.attention_since")}, 'reason', b.reason)
  FROM (SELECT 1) one LEFT JOIN LATERAL (
    SELECT a.actor_name AS who, a.reason, a.requested_at AS at FROM action a
     WHERE a.rollout_id = r.id AND a.action = 'abort' AND a.state IN ('applied', 'effective', 'not-effective')
       AND a.requested_at BETWEEN r.attention_since - ${abortTolerance} AND r.attention_since + ${abortTolerance}
    UNION ALL
    SELECT u.client || ', outside Gatehouse', NULL, u.at FROM unasked_change u
     WHERE u.rollout_id = r.id AND u.action = 'abort' AND u.at >= r.attention_since - ${abortTolerance}
    ORDER BY at DESC LIMIT 1) b ON true)`;

/** Selects an `InboxAnswer`, or null for rollouts that still wait. */
export const answerSql = `COALESCE(
  (SELECT jsonb_build_object('kind', 'acknowledged', 'who', k.acknowledged_by_name, 'at', ${timeOf("k.acknowledged_at")},
     'reason', k.reason) FROM ${acknowledgementOf}),
  CASE WHEN ${isAbortedSql} THEN ${abortedBySql} END)`;
