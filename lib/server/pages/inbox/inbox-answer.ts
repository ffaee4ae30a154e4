import { type Expression, sql } from "kysely";
import type { InboxAnswer } from "#lib/contract/inbox.ts";
import { backActions } from "#lib/domain/acting/action-catalogue.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";
import { acknowledgementInForce } from "#lib/server/records/wait-mark.ts";

const eb = fragment<{ r: "rollout" }>();

/**
 * Aborted on purpose, and out of traffic: `computeAttention` gives that severity to no other degraded rollout. The
 * weight is checked here because it also changes through the ReplicaSets, without the rollout.
 */
const isAborted = eb.and([
  eb("r.attention_reason", "=", "degraded"),
  eb("r.attention_severity", "is not distinct from", "info"),
  eb(eb.fn.coalesce("r.weight_actual", sql.lit(0)), "=", 0),
]);

/** The state of rollout `r` needs no answer any more. */
export const isAnswered = eb.or([isAborted, eb.exists(acknowledgementInForce.select(sql.lit(1).as("one")))]);

/** Writes a time as the wire has it. */
export const timeOf = (time: Expression<Date | null>) =>
  sql<string>`to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** How far the cluster's time of an abort may differ from ours. */
const earliest = sql<Date>`${eb.ref("r.attention_since")} - interval '2 minutes'`;
const latest = sql<Date>`${eb.ref("r.attention_since")} + interval '2 minutes'`;

/** Selects who aborted it last, through Gatehouse or without it; null if the client left no name. */
const lastAbort = eb
  .selectFrom("action as a")
  .select(["a.actor_name as who", "a.reason", "a.requested_at as at"])
  .whereRef("a.rollout_id", "=", "r.id")
  .where("a.action", "in", backActions)
  .where("a.state", "in", ["applied", "effective", "not-effective"])
  .where((of) => of.between("a.requested_at", earliest, latest))
  .unionAll(
    eb
      .selectFrom("unasked_change as u")
      .select(({ ref, selectFrom }) => [
        sql<string>`COALESCE(${selectFrom("change_attribution as t")
          .innerJoin("audit_entry as m", "m.seq", "t.attributed_seq")
          .select("m.actor_name")
          .whereRef("t.audit_seq", "=", "u.audit_seq")
          .where("t.state", "=", "named")}, ${ref("u.client")} || ', outside Gatehouse')`.as("who"),
        sql<string | null>`NULL`.as("reason"),
        "u.at",
      ])
      .whereRef("u.rollout_id", "=", "r.id")
      .where("u.action", "in", backActions)
      .where("u.at", ">=", earliest),
  )
  .orderBy("at", "desc")
  .limit(1);

/** Null for rollouts that still wait. */
export const answer = sql<InboxAnswer | null>`COALESCE(
  ${acknowledgementInForce.select(({ ref }) =>
    sql`jsonb_build_object('kind', 'acknowledged', 'who', ${ref("k.marked_by_name")},
      'at', ${timeOf(ref("k.marked_at"))}, 'reason', ${ref("k.reason")})`.as("answer"),
  )},
  CASE WHEN ${isAborted} THEN (SELECT jsonb_build_object('kind', 'aborted', 'who', b.who,
      'at', ${timeOf(eb.ref("r.attention_since"))}, 'reason', b.reason)
    FROM (SELECT 1) one LEFT JOIN LATERAL ${lastAbort} b ON true) END)`;
