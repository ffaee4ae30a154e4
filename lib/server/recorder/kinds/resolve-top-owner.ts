import type { PoolClient } from "pg";
import type { MeasuredRun } from "#lib/domain/delivery/measuring.ts";
import { rolloutIdOf } from "#lib/domain/delivery/rollout-id.ts";
import { storableName } from "#lib/server/recorder/store/text-fields.ts";

type OwnedRun = Pick<MeasuredRun, "uid" | "name" | "namespace" | "owner">;
/** For an Experiment: the id of the rollout that owns it, if any, and the name of its top owner. */
type ExperimentOwner = { rolloutId: string | null; name: string };
/** Keyed by uids of Experiments; unseen ones are left out. */
export type ExperimentOwners = ReadonlyMap<string, ExperimentOwner>;

const experimentTop = "CASE WHEN e.rollout_id IS NULL THEN e.name ELSE e.owner_name END";

/** Gives the same result as `nameTopOwner`, for `analysis_run a`. */
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
 * Returns the name of the rollout that a run belongs to, or of its other top owner. Returns null while that is unknown.
 */
export function nameTopOwner({ run, owners }: { run: OwnedRun; owners: ExperimentOwners }): string | null {
  const { owner } = run;
  if (owner?.kind === "Experiment") return owners.get(owner.uid)?.name ?? null;
  return storableName(owner?.name ?? run.name);
}

/**
 * Resolves the id under which a run is stored: that of its Rollout, or of its Experiment's Rollout, else the
 * Experiment's. A run without an owner has its own. A run that arrives before its Experiment is moved once the
 * Experiment is seen.
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
  /** The id under which the run was last stored, as far as we know. */
  stored: string | undefined;
}): string {
  const { owner, namespace } = run;
  const known = owner?.kind === "Experiment" ? owners.get(owner.uid)?.rolloutId : undefined;
  // Checked first: since we stored the run, the Experiment may have been seen and have moved it.
  if (known !== undefined && known !== null) return known;
  if (stored !== undefined) return stored;
  const { kind, name, uid } = owner ?? { kind: "AnalysisRun", name: run.name, uid: run.uid };
  return rolloutIdOf({ cluster, namespace, kind, name, uid });
}
