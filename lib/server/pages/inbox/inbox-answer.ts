import { type Expression, sql } from "kysely";
import { jsonBuildObject } from "kysely/helpers/postgres";
import type { InboxAnswer } from "#lib/contract/inbox.ts";
import { backActions } from "#lib/domain/acting/action-catalogue.ts";
import { secondsAfter, secondsBefore } from "#lib/server/platform/db/database-time.ts";
import { timeOf } from "#lib/server/platform/db/sql-functions.ts";
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

/** How far the cluster's time of an abort may differ from ours. */
const earliest = secondsBefore(eb.ref("r.attention_since"), 120);
const latest = secondsAfter(eb.ref("r.attention_since"), 120);

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
      .select((of) => [
        of.fn
          .coalesce(
            of
              .selectFrom("audit_entry as m")
              .select("m.actor_name")
              .whereRef("m.seq", "=", "u.attributed_seq")
              .where("u.state", "=", "named"),
            of("u.client", "||", sql.lit(", outside Gatehouse")),
          )
          .$castTo<string>()
          .as("who"),
        of.lit(null).$castTo<string | null>().as("reason"),
        "u.at",
      ])
      .whereRef("u.rollout_id", "=", "r.id")
      .where("u.action", "in", backActions)
      .where("u.at", ">=", earliest),
  )
  .orderBy("at", "desc")
  .limit(1);

function abortedBy(who: Expression<string | null>, reason: Expression<string | null>) {
  return jsonBuildObject({ kind: sql.lit("aborted"), who, at: timeOf(eb.ref("r.attention_since")), reason });
}

/** Null for rollouts that still wait. */
export const answer = eb.fn
  .coalesce(
    acknowledgementInForce.select(({ ref }) =>
      jsonBuildObject({
        kind: sql.lit("acknowledged"),
        who: ref("k.marked_by_name"),
        at: timeOf(ref("k.marked_at")),
        reason: ref("k.reason"),
      }).as("answer"),
    ),
    eb
      .case()
      .when(isAborted)
      .then(
        eb.fn.coalesce(
          eb.selectFrom(lastAbort.as("b")).select(({ ref }) => abortedBy(ref("b.who"), ref("b.reason")).as("answer")),
          abortedBy(eb.lit(null), eb.lit(null)),
        ),
      )
      .end(),
  )
  .$castTo<InboxAnswer | null>();
