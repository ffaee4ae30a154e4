import { type SubjectActionName, subjectActions } from "#lib/domain/acting/action-catalogue.ts";
import type { ActionSubject } from "#lib/domain/acting/action-params.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { rolloutIdOf } from "#lib/domain/delivery/rollout-id.ts";
import { rolloutKinds } from "#lib/domain/providers.ts";
import { ServiceError } from "#lib/server/actor/service-error.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { runPlaceSql as runPlace } from "#lib/server/services/analysis-runs/run-row.ts";
import { experimentPlaceSql as experimentPlace } from "#lib/server/services/experiments/experiment-row.ts";
import { readableSql } from "#lib/server/services/read-scope.ts";
import { createSqlConditions } from "#lib/server/services/sql-conditions.ts";

export type FoundSubject = {
  subject: ActionSubject;
  /**
   * Path of the rollout that owns it, else of an Experiment that does, else its own. Scopes of rights refer to this
   * path.
   */
  path: ObjectRef;
  namespace: string;
  isOwned: boolean;
  /** Uid of the Experiment that a run belongs to, as recorded. */
  experimentUid: string | undefined;
  rolloutId: string;
};

type Row = {
  name: string;
  cluster: string;
  namespace: string;
  rollout_id: string | null;
  /** Kind of the recorded rollout that owns it. */
  rollout_kind: string | null;
  owner_kind: string | null;
  place_name: string;
  experiment_uid: string | null;
  is_chain_known: boolean;
};

/** The Experiment that owns a run must be recorded and must not itself be owned by a rollout. */
const experimentOwner = {
  AnalysisRun: {
    join: "LEFT JOIN experiment o ON a.owner_kind = 'Experiment' AND o.uid = a.owner_uid",
    uid: "CASE WHEN a.owner_kind = 'Experiment' THEN a.owner_uid END",
    isKnown: (kinds: string) =>
      `(a.owner_kind IS DISTINCT FROM 'Experiment' OR o.uid IS NOT NULL AND coalesce(o.owner_kind <> ALL (${kinds}), true))`,
  },
  Experiment: { join: "", uid: "NULL", isKnown: () => "true" },
} as const;

/**
 * Finds a run or an Experiment with the path that rights apply to. Throws `not_found`, even if it exists but the actor
 * may not see it. Throws `source_stale` while it is unknown whether a rollout owns it: that rollout's guards would be
 * skipped.
 */
export async function findSubject(
  { runtime, actor }: ServiceContext,
  { kind, uid }: Pick<ActionSubject, "kind" | "uid">,
): Promise<FoundSubject> {
  const sql = createSqlConditions();
  const [alias, table, place] =
    kind === "AnalysisRun" ? ["a", "analysis_run", runPlace] : ["e", "experiment", experimentPlace];
  const owner = experimentOwner[kind];
  sql.where(uid, (value) => `${alias}.uid = ${value}`);
  sql.and(readableSql(sql, actor.rights, place));
  const kinds = sql.bind(rolloutKinds);
  const { rows } = await runtime.pool.query<Row>(
    `SELECT ${alias}.name, ${alias}.cluster, ${alias}.namespace, ${alias}.rollout_id, ${alias}.owner_kind,
       r.kind AS rollout_kind, ${place.name} AS place_name, ${owner.uid} AS experiment_uid,
       coalesce(${alias}.owner_kind <> ALL (${kinds}), true) AND ${owner.isKnown(kinds)} AS is_chain_known
     FROM ${table} ${alias} LEFT JOIN rollout r ON r.id = ${alias}.rollout_id ${owner.join}
     WHERE ${sql.text()}`,
    sql.values,
  );
  const [row] = rows;
  const word = kind === "AnalysisRun" ? "analysis run" : "Experiment";
  if (row === undefined) throw new ServiceError("not_found", `There is no ${word} ${uid}.`);
  const { cluster, namespace, name, rollout_kind: rolloutKind } = row;
  const isOwned = rolloutKind !== null;
  if (!isOwned && !row.is_chain_known)
    throw new ServiceError("source_stale", "The recorder has not seen the rollout that owns it yet.");
  return {
    subject: { kind, name, uid },
    path: { cluster, namespace, kind: rolloutKind ?? row.owner_kind ?? kind, name: row.place_name },
    namespace,
    isOwned,
    experimentUid: row.experiment_uid ?? undefined,
    rolloutId: row.rollout_id ?? rolloutIdOf({ cluster, namespace, kind, name, uid }),
  };
}

/** Throws `not_allowed_now` for actions that do not apply to it. */
export function assertSubjectAction(asked: string, { kind }: Pick<ActionSubject, "kind">): SubjectActionName {
  const action = subjectActions.find((name) => name === asked);
  if (action === undefined || (action === "retry" && kind !== "Experiment"))
    throw new ServiceError("not_allowed_now", `Action ${asked} on a ${kind} is not offered by this version.`);
  return action;
}
