import type { Pool } from "pg";
import { z } from "zod";
import { rolloutIdOf } from "#lib/domain/delivery/rollout-id.ts";
import type { FieldHolder } from "#lib/domain/kube/find-field-holders.ts";
import { measuringProviderOf, rolloutKinds } from "#lib/domain/providers.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { clockTime, secondsBefore } from "#lib/server/platform/db/database-time.ts";
import { type RowOf, readRows, write } from "#lib/server/platform/db/run-query.ts";
import { textAt } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { type Attributing, appendUnasked } from "./append-unasked.ts";

const pageSize = 200;
const waitHours = 24;

const Holders = z.array(z.object({ manager: z.string(), at: z.string().nullable() })).catch([]);

const eb = fragment<{ t: "termination" }>();
const { cast, lit, ref } = eb;

const reported = eb
  .selectFrom("analysis_run as a")
  .select(["a.cluster", "a.namespace", "a.name", "a.owner_kind", "a.owner_name", "a.owner_uid", "a.created_at"])
  .select(({ ref }) => ref("a.rollout_id").$castTo<string | null>().as("rollout_id"))
  .where(ref("t.kind"), "=", "AnalysisRun")
  .whereRef("a.uid", "=", "t.uid")
  .unionAll(
    eb
      .selectFrom("experiment as e")
      .select(["e.cluster", "e.namespace", "e.name", "e.owner_kind", "e.owner_name"])
      .select([cast<string | null>(lit(null), "text").as("owner_uid"), "e.created_at", "e.rollout_id"])
      .where(ref("t.kind"), "=", "Experiment")
      .whereRef("e.uid", "=", "t.uid"),
  )
  .as("s");

/** Selects those whose top owner is known: others wait until their Experiment or rollout is seen. */
const selectDue = tables
  .selectFrom("termination as t")
  .innerJoinLateral(reported, (join) => join.onTrue())
  .leftJoin("rollout as r", "r.id", "s.rollout_id")
  .select(["t.uid", "t.kind", "t.holders", "t.is_first_sight", "t.observed_at"])
  .select(["s.cluster", "s.namespace", "s.name", "s.rollout_id", "s.owner_kind", "s.owner_name", "s.created_at"])
  .select(["r.kind as rollout_kind", "r.name as rollout_name", "r.first_seen_at as watched_since"])
  .where((eb) =>
    eb.or([
      eb("r.id", "is not", null),
      eb
        .case()
        .when(isOneOf(eb.ref("s.owner_kind"), rolloutKinds))
        .then(eb.lit<boolean>(false))
        .when("s.owner_kind", "=", "Experiment")
        .then(
          eb.exists(
            eb
              .selectFrom("experiment as e")
              .select("e.uid")
              .whereRef("e.uid", "=", "s.owner_uid")
              .where("e.rollout_id", "is", null),
          ),
        )
        .else(eb.lit<boolean>(true))
        .end(),
    ]),
  )
  .orderBy("t.observed_at")
  .limit(pageSize);

type Due = RowOf<typeof selectDue>;

/**
 * Reviews the runs and Experiments that were told to end, and writes an audit entry of source `cluster` for each that
 * neither the controller nor Gatehouse ended. Each is written once, regardless of interruptions. Resolves with their
 * number.
 */
export async function reviewTerminations({
  pool,
  attributing,
  onError,
}: {
  pool: Pool;
  /** Absent: no person is named. */
  attributing?: Attributing | undefined;
  onError: (error: unknown, uid: string) => void;
}): Promise<{ found: number }> {
  const rows = await readRows(pool, selectDue);
  const asked = await readAskedTimes(pool, rows);
  const done: string[] = [];
  let found = 0;
  for (const due of rows) {
    try {
      if (await reviewOne({ pool, due, attributing, askedAt: asked.get(due.uid) ?? [] })) found += 1;
      done.push(due.uid);
    } catch (error) {
      onError(error, due.uid);
    }
  }
  // Rows of objects that were deleted by age, or whose owner is never seen, must not remain for ever.
  await write(
    pool,
    tables
      .deleteFrom("termination")
      .where(({ eb, or, ref }) =>
        or([isOneOf(ref("uid"), done), eb("observed_at", "<", secondsBefore(clockTime, waitHours * 3600))]),
      ),
  );
  return { found };
}

async function reviewOne({
  pool,
  due,
  attributing,
  askedAt,
}: {
  pool: Pool;
  due: Due;
  attributing: Attributing | undefined;
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
    attributing,
    change: {
      ...placeOf(due),
      written: {
        object: { cluster: due.cluster, namespace: due.namespace, kind, name },
        uid,
        from: due.created_at.getTime(),
        to: at.getTime(),
        ...{ versionBefore: null, versionAfter: null },
      },
      action: "terminate",
      client: verdict.client,
      at,
      subject: { kind, uid, name },
      requestId: `termination-${uid}`,
    },
  });
}

/**
 * Returns the place as for actions on it (`find-subject.ts`): the rollout that owns it, else another
 * owner, else itself.
 */
function placeOf(due: Due) {
  const { uid, cluster, namespace, kind, name } = due;
  const rolloutId = due.rollout_id ?? rolloutIdOf({ cluster, namespace, kind, name, uid });
  if (due.rollout_kind !== null && due.rollout_name !== null)
    return { rolloutId, target: { cluster, namespace, kind: due.rollout_kind, name: due.rollout_name } };
  return { rolloutId, target: { cluster, namespace, kind: due.owner_kind ?? kind, name: due.owner_name ?? name } };
}

const subjectUid = textAt(fragment<{ action: "action" }>().ref("action.params"), "subject", "uid").$notNull();

/** Reads when Gatehouse was asked to terminate them. */
async function readAskedTimes(pool: Pool, rows: readonly Due[]): Promise<Map<string, number[]>> {
  if (rows.length === 0) return new Map();
  const rolloutIds = rows.map((due) => placeOf(due).rolloutId);
  const actions = await readRows(
    pool,
    tables
      .selectFrom("action")
      .select([subjectUid.as("uid"), "requested_at as at"])
      .where("action", "=", "terminate")
      .where("intent_seq", "is not", null)
      .where("state", "<>", "refused")
      .where(({ ref }) => isOneOf(ref("rollout_id"), rolloutIds, "uuid"))
      .where(
        isOneOf(
          subjectUid,
          rows.map(({ uid }) => uid),
        ),
      ),
  );
  const times = new Map<string, number[]>();
  for (const { uid, at } of actions) times.set(uid, [...(times.get(uid) ?? []), at.getTime()]);
  return times;
}
