import { formatObjectRef, type ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { ServiceError } from "#lib/server/actor/service-error.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { assertReadable } from "#lib/server/services/read-scope.ts";
import { type RolloutRow, rolloutColumns } from "#lib/server/services/rollouts/rollout-row.ts";

export type FullRolloutRow = RolloutRow & { object: unknown; first_seen_at: Date };

/**
 * Finds the rollout at this address: the one that the cluster has, else the one seen last. Throws `not_found`, also for
 * one that the actor may not see.
 */
export async function findRollout({ runtime, actor }: ServiceContext, path: ObjectRef): Promise<FullRolloutRow> {
  assertReadable(actor.rights, path, missingText(path));
  const { rows } = await runtime.pool.query<FullRolloutRow>(
    `SELECT ${rolloutColumns}, r.object, r.first_seen_at FROM rollout r
     WHERE r.cluster = $1 AND r.namespace = $2 AND r.kind = $3 AND r.name = $4
     ORDER BY (r.presence = 'deleted'), r.first_seen_at DESC LIMIT 1`,
    [path.cluster, path.namespace, path.kind, path.name],
  );
  const [row] = rows;
  if (row === undefined) throw rolloutNotFound(path);
  return row;
}

/** Explains why the recorded state is not a basis to advance on; null if the cluster has the rollout. */
export function explainAbsence({ presence }: Pick<RolloutRow, "presence">): string | null {
  if (presence === "live") return null;
  return presence === "deleted"
    ? "The cluster has deleted this rollout."
    : "The cluster no longer shows this rollout; whether it is gone is not known.";
}

/**
 * Finds the ids of all objects that ever had this address: a recreated rollout keeps its history. Throws `not_found`.
 */
export async function findRolloutIds({ runtime, actor }: ServiceContext, path: ObjectRef): Promise<string[]> {
  assertReadable(actor.rights, path, missingText(path));
  const { rows } = await runtime.pool.query<{ id: string }>(
    "SELECT id FROM rollout WHERE cluster = $1 AND namespace = $2 AND kind = $3 AND name = $4",
    [path.cluster, path.namespace, path.kind, path.name],
  );
  if (rows.length === 0) throw rolloutNotFound(path);
  return rows.map((row) => row.id);
}

function rolloutNotFound(path: ObjectRef): ServiceError {
  return new ServiceError("not_found", missingText(path));
}

function missingText(path: ObjectRef): string {
  return `There is no rollout ${formatObjectRef(path)}.`;
}
