import type { PoolClient } from "pg";
import type { MeasuredRun } from "#lib/domain/delivery/measuring.ts";
import { rolloutIdOf } from "#lib/domain/delivery/rollout-id.ts";
import { storableName } from "#lib/server/recorder/store/text-fields.ts";

type OwnedRun = Pick<MeasuredRun, "uid" | "name" | "namespace" | "owner">;
/** Of an Experiment: the rollout that owns it, where one does, and the name of whoever stands at the top. */
type ExperimentOwner = { rolloutId: string | null; name: string };
/** By the uids of Experiments; those that were not seen yet are left out. */
export type ExperimentOwners = ReadonlyMap<string, ExperimentOwner>;

const experimentTop = "CASE WHEN e.rollout_id IS NULL THEN e.name ELSE e.owner_name END";

/** Of `analysis_run a`, the same as `nameTopOwner` gives. */
export const topOwnerNameSql = `CASE WHEN a.owner_kind = 'Experiment'
  THEN (SELECT ${experimentTop} FROM experiment e WHERE e.uid = a.owner_uid) ELSE COALESCE(a.owner_name, a.name) END`;

export async function loadExperimentOwners(tx: PoolClient, runs: readonly OwnedRun[]): Promise<ExperimentOwners> {
  const uids = runs.flatMap(({ owner }) => (owner?.kind === "Experiment" ? owner.uid : []));
  if (uids.length === 0) return new Map();
  const { rows } = await tx.query<{ uid: string; rollout_id: string | null; top: string }>(
    `SELECT e.uid, e.rollout_id, ${experimentTop} AS top FROM experiment e WHERE e.uid = ANY($1::text[])`,
    [uids],
  );
  return new Map(rows.map((row) => [row.uid, { rolloutId: row.rollout_id, name: row.top }]));
}

/**
 * The name of the rollout that a run belongs to, or of whoever else stands at the top; null while that is not known.
 */
export function nameTopOwner({ run, owners }: { run: OwnedRun; owners: ExperimentOwners }): string | null {
  const { owner } = run;
  if (owner?.kind === "Experiment") return owners.get(owner.uid)?.name ?? null;
  return storableName(owner?.name ?? run.name);
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
  run: OwnedRun;
  owners: ExperimentOwners;
  /** The id under which the run was last known to be stored. */
  stored: string | undefined;
}): string {
  const { owner, namespace } = run;
  const known = owner?.kind === "Experiment" ? owners.get(owner.uid)?.rolloutId : undefined;
  // First: the Experiment may have been seen, and have moved the run, since we stored it.
  if (known !== undefined && known !== null) return known;
  if (stored !== undefined) return stored;
  const { kind, name, uid } = owner ?? { kind: "AnalysisRun", name: run.name, uid: run.uid };
  return rolloutIdOf({ cluster, namespace, kind, name, uid });
}
