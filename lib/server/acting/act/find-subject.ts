import { type Expression, sql } from "kysely";
import { type SubjectActionName, subjectActions } from "#lib/domain/acting/action-catalogue.ts";
import type { ActionSubject } from "#lib/domain/acting/action-params.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { rolloutIdOf } from "#lib/domain/delivery/rollout-id.ts";
import { rolloutKinds } from "#lib/domain/providers.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf } from "#lib/server/platform/db/conditions.ts";
import { readRow } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { StoreContext } from "#lib/server/process/store-context.ts";
import { experimentPlace } from "#lib/server/records/experiment-row.ts";
import { runPlace } from "#lib/server/records/run-row.ts";

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

/** Returns whether an owner of this kind is no rollout, so that no rollout is missing above it. */
const isTop = (ownerKind: Expression<string | null>) =>
  sql<boolean>`coalesce(${ownerKind} <> ALL (${rolloutKinds}::text[]), true)`;

const selectRuns = tables
  .selectFrom("analysis_run as a")
  .leftJoin("rollout as r", "r.id", "a.rollout_id")
  .leftJoin("experiment as o", (join) => join.onRef("o.uid", "=", "a.owner_uid").on("a.owner_kind", "=", "Experiment"))
  .select(["a.name", "a.cluster", "a.namespace", "a.rollout_id", "a.owner_kind", "r.kind as rollout_kind"])
  .select((eb) => [
    eb.fn.coalesce("r.name", "a.owner_name", "a.name").as("place_name"),
    eb.case().when("a.owner_kind", "=", "Experiment").then(eb.ref("a.owner_uid")).end().as("experiment_uid"),
    // The Experiment that owns a run must be recorded, and no rollout may own it.
    eb
      .and([
        isTop(eb.ref("a.owner_kind")),
        eb.or([
          eb("a.owner_kind", "is distinct from", "Experiment"),
          eb.and([eb("o.uid", "is not", null), isTop(eb.ref("o.owner_kind"))]),
        ]),
      ])
      .as("is_chain_known"),
  ]);

const selectExperiments = tables
  .selectFrom("experiment as e")
  .leftJoin("rollout as r", "r.id", "e.rollout_id")
  .select(["e.name", "e.cluster", "e.namespace", "e.rollout_id", "e.owner_kind", "r.kind as rollout_kind"])
  .select((eb) => [
    eb.fn.coalesce("r.name", "e.owner_name", "e.name").as("place_name"),
    sql<string | null>`NULL`.as("experiment_uid"),
    isTop(eb.ref("e.owner_kind")).as("is_chain_known"),
  ]);

/**
 * Finds a run or an Experiment with the path that rights apply to. Throws `not_found`, even if it exists but the actor
 * may not see it. Throws `source_stale` while it is unknown whether a rollout owns it: that rollout's guards would be
 * skipped.
 */
export async function findSubject(
  { runtime, actor }: StoreContext,
  { kind, uid }: Pick<ActionSubject, "kind" | "uid">,
): Promise<FoundSubject> {
  const row =
    kind === "AnalysisRun"
      ? await readRow(
          runtime.pool,
          // A run that was derived from messages is no object.
          selectRuns
            .where("a.uid", "=", uid)
            .where("a.kind", "=", kind)
            .where(allOf([isReadable(actor.rights, runPlace)])),
        )
      : await readRow(
          runtime.pool,
          selectExperiments.where("e.uid", "=", uid).where(allOf([isReadable(actor.rights, experimentPlace)])),
        );
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
