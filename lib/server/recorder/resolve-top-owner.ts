import type { PoolClient } from "pg";
import type { AnalysisRunObject } from "#lib/domain/argo/analysis-run-object.ts";
import { controllerOf } from "#lib/domain/argo/kube-object.ts";
import { rolloutIdOf } from "#lib/domain/delivery/rollout-id.ts";

/** Experiment uid to the id of the rollout that owns it. */
export type ExperimentOwners = ReadonlyMap<string, string>;

export async function loadExperimentOwners(
  tx: PoolClient,
  runs: readonly AnalysisRunObject[],
): Promise<ExperimentOwners> {
  const uids = runs.flatMap((run) => {
    const owner = controllerOf(run.metadata);
    return owner?.kind === "Experiment" ? owner.uid : [];
  });
  if (uids.length === 0) return new Map();
  const { rows } = await tx.query<{ uid: string; rollout_id: string }>(
    "SELECT uid, rollout_id FROM experiment WHERE uid = ANY($1::text[]) AND rollout_id IS NOT NULL",
    [uids],
  );
  return new Map(rows.map((row) => [row.uid, row.rollout_id]));
}

/**
 * The id under which a run is stored: that of its Rollout, of the Rollout of its Experiment, else of the Experiment, or
 * of the run itself where nobody owns it. A run that comes before its Experiment is moved when that is seen.
 */
export function resolveTopOwner({
  cluster,
  run,
  owners,
  stored,
}: {
  cluster: string;
  run: AnalysisRunObject;
  owners: ExperimentOwners;
  /** The id under which the run was last known to be stored. */
  stored: string | undefined;
}): string {
  const owner = controllerOf(run.metadata);
  const namespace = run.metadata.namespace ?? "";
  const known = owner?.kind === "Experiment" ? owners.get(owner.uid) : undefined;
  // First: the Experiment may have been seen, and have moved the run, since we stored it.
  if (known !== undefined) return known;
  if (stored !== undefined) return stored;
  const { kind, name, uid } = owner ?? { kind: "AnalysisRun", name: run.metadata.name, uid: run.metadata.uid };
  return rolloutIdOf({ cluster, namespace, kind, name, uid });
}
