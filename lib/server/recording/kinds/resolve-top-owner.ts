import { type AliasableExpression, type Expression, sql } from "kysely";
import type { PoolClient } from "pg";
import type { MeasuredRun } from "#lib/domain/delivery/measuring.ts";
import { rolloutIdOf } from "#lib/domain/delivery/rollout-id.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { storableName } from "#lib/server/recording/store/text-fields.ts";

type OwnedRun = Pick<MeasuredRun, "uid" | "name" | "namespace" | "owner">;
/** The rollout that a run belongs to, or its other top owner, or the run itself. */
export type TopOwner = { kind: string; name: string };
/** For an Experiment: the id of the rollout that owns it, if any, and its top owner. */
type ExperimentOwner = { rolloutId: string | null } & TopOwner;
/** Keyed by uids of Experiments; unseen ones are left out. */
export type ExperimentOwners = ReadonlyMap<string, ExperimentOwner>;

const eb = fragment<{ e: "experiment"; analysis_run: "analysis_run" }>();

const topOfExperiment = (own: Expression<string>, owners: Expression<string | null>) =>
  eb.case().when("e.rollout_id", "is", null).then(own).else(owners).end().$castTo<string>();
const experimentTop = topOfExperiment(eb.ref("e.name"), eb.ref("e.owner_name"));
const experimentTopKind = topOfExperiment(sql.lit("Experiment"), eb.ref("e.owner_kind"));

const topOfRun = (ofExperiment: AliasableExpression<string>, ofOther: Expression<string>) =>
  eb
    .case()
    .when("analysis_run.owner_kind", "=", sql.lit("Experiment"))
    .then(
      eb.selectFrom("experiment as e").select(ofExperiment.as("top")).whereRef("e.uid", "=", "analysis_run.owner_uid"),
    )
    .else(ofOther)
    .end()
    .$castTo<string | null>();

/** Give the same result as `findTopOwner`, for a row of `analysis_run`. */
export const topOwnerName = topOfRun(experimentTop, eb.fn.coalesce("analysis_run.owner_name", "analysis_run.name"));
export const topOwnerKind = topOfRun(
  experimentTopKind,
  eb.fn.coalesce("analysis_run.owner_kind", sql.lit("AnalysisRun")),
);

export async function loadExperimentOwners(tx: PoolClient, runs: readonly OwnedRun[]): Promise<ExperimentOwners> {
  const uids = runs.flatMap(({ owner }) => (owner?.kind === "Experiment" ? owner.uid : []));
  if (uids.length === 0) return new Map();
  const rows = await readRows(
    tx,
    tables
      .selectFrom("experiment as e")
      .select(["e.uid", "e.rollout_id as rolloutId", experimentTopKind.as("kind"), experimentTop.as("name")])
      .where(({ ref }) => isOneOf(ref("e.uid"), uids)),
  );
  return new Map(rows.map(({ uid, ...owner }) => [uid, owner]));
}

/** Finds the rollout that a run belongs to, or its other top owner; undefined while that is unknown. */
export function findTopOwner({ run, owners }: { run: OwnedRun; owners: ExperimentOwners }): TopOwner | undefined {
  const { owner } = run;
  if (owner?.kind === "Experiment") return owners.get(owner.uid);
  return { kind: storableName(owner?.kind ?? "AnalysisRun"), name: storableName(owner?.name ?? run.name) };
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
