import { allOf, anyContains, type Condition } from "#lib/server/platform/db/conditions.ts";
import { secondsAfter, secondsBefore } from "#lib/server/platform/db/database-time.ts";
import { endOfTime } from "#lib/server/platform/db/sql-functions.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";
import { runKeyOf } from "#lib/server/records/action-store.ts";

const eb = fragment<{ l: "release" }>();

/** Acts of this long before a release's first observation may have begun it; clocks differ a little too. */
const earliest = secondsBefore(eb.ref("l.started_at"), 60);
const latest = secondsAfter(eb.fn.coalesce("l.ended_at", endOfTime), 1);

/**
 * Returns the condition that somebody with a name like this acted on the revision of release `l` in its time: through
 * Gatehouse, or without it, as far as the cluster's evidence names them.
 */
export function isActedOnBy(name: string): Condition | undefined {
  if (name === "") return undefined;
  const asked = eb
    .selectFrom("action as x")
    .select("x.id")
    .whereRef("x.rollout_id", "=", "l.rollout_id")
    .where((of) => of(of.fn.coalesce(runKeyOf(of.ref("x.plan")), "l.run_key"), "=", of.ref("l.run_key")))
    .where("x.requested_at", ">=", earliest)
    .where("x.requested_at", "<=", latest)
    .where(({ ref }) => allOf([anyContains([ref("x.actor_name"), ref("x.actor_username")], name)]));
  const unasked = eb
    .selectFrom("unasked_change as u")
    .leftJoin("audit_entry as m", "m.seq", "u.attributed_seq")
    .leftJoin("observation as o", (join) =>
      join.onRef("o.rollout_id", "=", "u.rollout_id").onRef("o.id", "=", "u.observation_id"),
    )
    .select("u.audit_seq")
    .whereRef("u.rollout_id", "=", "l.rollout_id")
    .where((of) => of(of.fn.coalesce("o.run_key", "l.run_key"), "=", of.ref("l.run_key")))
    .where("u.at", ">=", earliest)
    .where("u.at", "<=", latest)
    .where(({ ref }) => allOf([anyContains([ref("u.client"), ref("m.actor_name")], name)]));
  return eb.or([eb.exists(asked), eb.exists(unasked)]);
}
