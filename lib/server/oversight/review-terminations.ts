import type { Pool } from "pg";
import { z } from "zod";
import { rolloutIdOf } from "#lib/domain/delivery/rollout-id.ts";
import type { FieldHolder } from "#lib/domain/kube/find-field-holders.ts";
import { measuringProviderOf, rolloutKinds } from "#lib/domain/providers.ts";
import { appendUnasked } from "./append-unasked.ts";

const pageSize = 200;
const waitHours = 24;

type Due = {
  uid: string;
  kind: "AnalysisRun" | "Experiment";
  holders: unknown;
  is_first_sight: boolean;
  observed_at: Date;
  cluster: string;
  namespace: string;
  name: string;
  rollout_id: string | null;
  owner_kind: string | null;
  owner_name: string | null;
  created_at: Date;
  rollout_kind: string | null;
  rollout_name: string | null;
  watched_since: Date | null;
};

const Holders = z.array(z.object({ manager: z.string(), at: z.string().nullable() })).catch([]);

/** Selects those whose top owner is known: others wait until their Experiment or rollout is seen. */
const dueSql = `
SELECT t.uid, t.kind, t.holders, t.is_first_sight, t.observed_at, s.*, r.kind AS rollout_kind, r.name AS rollout_name, r.first_seen_at AS watched_since
  FROM termination t CROSS JOIN LATERAL (
    SELECT a.cluster, a.namespace, a.name, a.rollout_id, a.owner_kind, a.owner_name, a.owner_uid, a.created_at
      FROM analysis_run a WHERE t.kind = 'AnalysisRun' AND a.uid = t.uid
    UNION ALL
    SELECT e.cluster, e.namespace, e.name, e.rollout_id, e.owner_kind, e.owner_name, NULL, e.created_at
      FROM experiment e WHERE t.kind = 'Experiment' AND e.uid = t.uid) s
  LEFT JOIN rollout r ON r.id = s.rollout_id
 WHERE r.id IS NOT NULL OR CASE
    WHEN s.owner_kind = ANY($1::text[]) THEN false
    WHEN s.owner_kind = 'Experiment' THEN EXISTS (SELECT FROM experiment e WHERE e.uid = s.owner_uid AND e.rollout_id IS NULL)
    ELSE true END
 ORDER BY t.observed_at LIMIT ${pageSize}`;

/**
 * Reviews the runs and Experiments that were told to end, and writes an audit entry of source `cluster` for each that
 * neither the controller nor Gatehouse ended. Each is written once, regardless of interruptions. Resolves with their
 * number.
 */
export async function reviewTerminations({
  pool,
  onError,
}: {
  pool: Pool;
  onError: (error: unknown, uid: string) => void;
}): Promise<{ found: number }> {
  const { rows } = await pool.query<Due>(dueSql, [rolloutKinds]);
  const asked = await readAskedTimes(pool, rows);
  const done: string[] = [];
  let found = 0;
  for (const due of rows) {
    try {
      if (await reviewOne({ pool, due, askedAt: asked.get(due.uid) ?? [] })) found += 1;
      done.push(due.uid);
    } catch (error) {
      onError(error, due.uid);
    }
  }
  // Rows of objects that were deleted by age, or whose owner is never seen, must not remain for ever.
  await pool.query(
    `DELETE FROM termination WHERE uid = ANY($1::text[]) OR observed_at < clock_timestamp() - make_interval(hours => $2)`,
    [done, waitHours],
  );
  return { found };
}

async function reviewOne({
  pool,
  due,
  askedAt,
}: {
  pool: Pool;
  due: Due;
  askedAt: readonly number[];
}): Promise<boolean> {
  const { uid, kind, name, observed_at: at } = due;
  const holders: FieldHolder[] = Holders.parse(due.holders);
  const verdict = measuringProviderOf(kind).judgeTermination({
    holders,
    isFirstSight: due.is_first_sight,
    observedAt: at.getTime(),
    createdAt: due.created_at.getTime(),
    watchedSince: due.watched_since?.getTime() ?? null,
    isOwned: due.owner_kind !== null,
    askedAt,
  });
  if (verdict.by !== "somebody") return false;
  return appendUnasked({
    pool,
    change: {
      ...placeOf(due),
      action: "terminate",
      client: verdict.client,
      at,
      subject: { kind, uid, name },
      requestId: `termination-${uid}`,
    },
  });
}

/**
 * Returns the place as for actions on it (services/acting/find-subject.ts): the rollout that owns it, else another
 * owner, else itself.
 */
function placeOf(due: Due) {
  const { uid, cluster, namespace, kind, name } = due;
  const rolloutId = due.rollout_id ?? rolloutIdOf({ cluster, namespace, kind, name, uid });
  if (due.rollout_kind !== null && due.rollout_name !== null)
    return { rolloutId, target: { cluster, namespace, kind: due.rollout_kind, name: due.rollout_name } };
  return { rolloutId, target: { cluster, namespace, kind: due.owner_kind ?? kind, name: due.owner_name ?? name } };
}

/** Reads when Gatehouse was asked to terminate them. */
async function readAskedTimes(pool: Pool, rows: readonly Due[]): Promise<Map<string, number[]>> {
  if (rows.length === 0) return new Map();
  const { rows: actions } = await pool.query<{ uid: string; at: Date }>(
    `SELECT params -> 'subject' ->> 'uid' AS uid, requested_at AS at FROM action
     WHERE action = 'terminate' AND intent_seq IS NOT NULL AND state <> 'refused'
       AND rollout_id = ANY($1::uuid[]) AND params -> 'subject' ->> 'uid' = ANY($2::text[])`,
    [rows.map((due) => placeOf(due).rolloutId), rows.map(({ uid }) => uid)],
  );
  const times = new Map<string, number[]>();
  for (const { uid, at } of actions) times.set(uid, [...(times.get(uid) ?? []), at.getTime()]);
  return times;
}
