import { sql } from "kysely";
import type { Release } from "#lib/contract/rollout.ts";
import { overridingActions } from "#lib/domain/acting/action-catalogue.ts";
import { isReadableAudit } from "#lib/server/pages/audit/readable-audit.ts";
import { type ReleaseActRow, serializeReleaseAct } from "#lib/server/pages/release/release-act.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { allOf, anyContains, type Condition, isOneOf } from "#lib/server/platform/db/conditions.ts";
import { secondsAfter, secondsBefore } from "#lib/server/platform/db/database-time.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { endOfTime } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tableName } from "#lib/server/platform/db/tables.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { runKeyOf } from "#lib/server/records/action-store.ts";

type Row = ReleaseActRow & { release_id: string; total: number };
type Acts = Release["acts"];

const defaultActs = 10;

/**
 * Reads the acts on each of these releases, by the last audit entry of each act that the actor may read, and each
 * request for approval and decision about it. An act belongs
 * to the attempt that was current when it was requested: the last one begun of the revision it was sent to. A retry, or
 * another act that begins a new attempt, is listed with the attempt that it ended. Of many acts, those that override a
 * result or a step come before newer ones.
 */
export async function readReleaseActs(
  { runtime, actor }: ServiceContext,
  releaseIds: readonly string[],
  { shownActs = defaultActs }: { shownActs?: number } = {},
): Promise<{ of(releaseId: string): Acts }> {
  const rows =
    releaseIds.length === 0 ? [] : await readRows(runtime.pool, selectActs({ releaseIds, actor, shownActs }));
  const byRelease = Map.groupBy(rows, ({ release_id }) => release_id);
  return {
    of: (releaseId) => {
      const found = byRelease.get(releaseId) ?? [];
      return { total: found[0]?.total ?? 0, latest: found.map(serializeReleaseAct) };
    },
  };
}

const { ref } = fragment<{
  a: "audit_entry";
  b: "release";
  i: "audit_entry";
  l: "release";
  m: "audit_entry";
  n: "audit_entry";
  o: "observation";
  p: "approval";
  t: "unasked_change";
  u: "unasked_change";
  x: "action";
}>();

/**
 * Builds the query. Clocks of database and recorder differ a little: if the revision is known, an act that seems to
 * precede its first attempt belongs to that attempt. Acts on another revision after the next release had begun are left
 * out. An act is compared only with the releases of its revision and with those that had begun last, since a history
 * may be long.
 */
function selectActs({
  releaseIds,
  actor,
  shownActs,
}: {
  releaseIds: readonly string[];
  actor: Actor;
  shownActs: number;
}) {
  return sql<Row>`WITH asked AS (
    SELECT ${ref("l.rollout_id")}, min(${ref("l.started_at")}) - interval '1 minute' AS since,
      max(${ref("l.started_at")}) AS newest, array_agg(${ref("l.run_key")}) AS run_keys
    FROM ${tableName("release")} l WHERE ${isOneOf(ref("l.id"), releaseIds, "uuid")} GROUP BY ${ref("l.rollout_id")}
  ), spans AS (
    SELECT asked.*, COALESCE((SELECT min(${ref("b.started_at")}) FROM ${tableName("release")} b
      WHERE ${ref("b.rollout_id")} = asked.rollout_id AND ${ref("b.started_at")} > asked.newest), 'infinity') AS until
    FROM asked
  ), acts AS (
    SELECT ${ref("x.rollout_id")}, ${ref("x.requested_at")} AS at, ${ref("x.action")},
      ${runKeyOf(ref("x.plan"))} AS run_key,
      (SELECT max(${ref("n.seq")}) FROM ${tableName("audit_entry")} n WHERE ${ref("n.action_id")} = ${ref("x.id")}
         AND ${ref("n.code")} LIKE 'action.%' AND ${ref("n.outcome")} IS NOT NULL) AS seq
    FROM asked JOIN ${tableName("action")} x
      ON ${ref("x.rollout_id")} = asked.rollout_id AND ${ref("x.requested_at")} >= asked.since
    UNION ALL
    SELECT ${ref("u.rollout_id")}, ${ref("u.at")}, ${ref("u.action")}, ${ref("o.run_key")}, ${ref("u.audit_seq")}
    FROM asked JOIN ${tableName("unasked_change")} u
      ON ${ref("u.rollout_id")} = asked.rollout_id AND ${ref("u.at")} >= asked.since
      LEFT JOIN ${tableName("observation")} o
        ON ${ref("o.rollout_id")} = ${ref("u.rollout_id")} AND ${ref("o.id")} = ${ref("u.observation_id")}
    UNION ALL
    SELECT ${ref("p.rollout_id")}, ${ref("n.time")}, ${ref("p.action")}, NULL, ${ref("n.seq")}
    FROM asked JOIN ${tableName("approval")} p
      ON ${ref("p.rollout_id")} = asked.rollout_id AND ${ref("p.requested_at")} >= asked.since
      JOIN ${tableName("audit_entry")} n ON ${ref("n.cluster")} = ${ref("p.cluster")}
        AND ${ref("n.namespace")} = ${ref("p.namespace")} AND ${ref("n.name")} = ${ref("p.name")}
        AND ${ref("n.code")} LIKE 'approval.%' AND strpos(${ref("n.entry")}, '"approval":"' || ${ref("p.id")}::text || '"') > 0
  ), done AS (
    SELECT acts.* FROM acts JOIN spans ON spans.rollout_id = acts.rollout_id
      AND (acts.at <= spans.until OR acts.run_key = ANY(spans.run_keys))
  ), placed AS (
    SELECT d.seq, p.release_id FROM done d JOIN LATERAL (
      SELECT ${ref("l.id")} AS release_id, (${ref("l.started_at")} < d.at
          OR (${ref("l.started_at")} = d.at AND d.action NOT IN ('retry', 'undo', 'promote-full'))) AS had_begun
      FROM (
        (SELECT * FROM ${tableName("release")} l WHERE ${ref("l.rollout_id")} = d.rollout_id AND ${ref("l.run_key")} = d.run_key)
        UNION ALL
        (SELECT * FROM ${tableName("release")} l WHERE ${ref("l.rollout_id")} = d.rollout_id AND ${ref("l.started_at")} < d.at
         ORDER BY ${ref("l.started_at")} DESC, ${ref("l.id")} LIMIT 1)
        UNION ALL
        (SELECT * FROM ${tableName("release")} l WHERE ${ref("l.rollout_id")} = d.rollout_id AND ${ref("l.started_at")} = d.at)
      ) l
      ORDER BY (${ref("l.run_key")} = d.run_key) IS TRUE DESC, had_begun DESC,
        abs(extract(epoch FROM ${ref("l.started_at")} - d.at))
      LIMIT 1
    ) p ON true
  ), ranked AS (
    SELECT p.release_id, a.*, count(*) OVER of_release AS total,
      row_number() OVER (PARTITION BY p.release_id
        ORDER BY (${ref("a.action")} = ANY(${[...overridingActions]}::text[]) AND ${ref("a.code")} NOT LIKE 'approval.%') IS TRUE DESC, ${ref("a.seq")} DESC) AS place
    FROM placed p JOIN ${tableName("audit_entry")} a ON ${ref("a.seq")} = p.seq
    WHERE p.release_id = ANY(${releaseIds}::uuid[]) AND ${ref("a.outcome")} IS DISTINCT FROM 'refused'
      AND ${allOf([isReadableAudit(actor)])}
    WINDOW of_release AS (PARTITION BY p.release_id)
  )
  SELECT a.release_id, a.total::int, ${ref("a.seq")}, ${ref("a.time")}, ${ref("a.entry")},
    ${ref("x.state")} AS action_state, ${ref("x.effect_why")} AS effect_why,
    extract(epoch FROM ${ref("x.effective_at")} - ${ref("x.requested_at")})::float8 AS effect_seconds,
    (SELECT ${ref("i.entry")} FROM ${tableName("audit_entry")} i
     WHERE ${ref("i.action_id")} = ${ref("a.action_id")} AND ${ref("i.outcome")} = 'intent'
     ORDER BY ${ref("i.seq")} LIMIT 1) AS intent,
    (SELECT ${ref("m.entry")} FROM ${tableName("unasked_change")} t
     JOIN ${tableName("audit_entry")} m ON ${ref("m.seq")} = ${ref("t.attributed_seq")}
     WHERE ${ref("t.audit_seq")} = ${ref("a.seq")}) AS attribution
  FROM ranked a LEFT JOIN ${tableName("action")} x ON ${ref("x.id")} = ${ref("a.action_id")}
  WHERE a.place <= ${shownActs} ORDER BY ${ref("a.seq")} DESC`;
}

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
