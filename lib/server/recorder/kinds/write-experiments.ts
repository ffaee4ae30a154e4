import type { PoolClient } from "pg";
import type { MeasuredExperiment } from "#lib/domain/delivery/measuring.ts";
import { measuringProviderOf } from "#lib/domain/providers.ts";
import { storableTime } from "#lib/domain/storable/storable-time.ts";
import type { KindResult, KindWriter, ObjectEntry } from "#lib/server/recorder/store/batch-types.ts";
import type { ChangeRow } from "#lib/server/recorder/store/change-rows.ts";
import { type Columns, insertReturning, isNews, overwrite } from "#lib/server/recorder/store/insert-rows.ts";
import { storableName, storableText, toStoredObject } from "#lib/server/recorder/store/text-fields.ts";
import { lockJoin } from "#lib/server/recorder/store/view-lock.ts";
import type { SourceKey } from "#lib/server/sources/watched-resources.ts";
import { listLiveUids, ownerRolloutId, parseSights, presenceOf, type Sight } from "./kind-rows.ts";
import { insertTerminations, type TerminationRow, toTerminationRows } from "./write-terminations.ts";

type Row = {
  uid: string;
  cluster: string;
  namespace: string;
  name: string;
  rollout_id: string | null;
  owner_kind: string | null;
  owner_name: string | null;
  revision: number | null;
  pod_hash: string | null;
  phase: string;
  message: string;
  object: string;
  resource_version: string;
  presence: string;
  created_at: string;
  available_at: string | null;
  completed_at: string | null;
  gone_at: string | null;
  updated_at: string;
};

const columns: Columns<Row> = {
  uid: "text",
  cluster: "text",
  namespace: "text",
  name: "text",
  rollout_id: "uuid",
  owner_kind: "text",
  owner_name: "text",
  revision: "int4",
  pod_hash: "text",
  phase: "text",
  message: "text",
  object: "jsonb",
  resource_version: "text",
  presence: "text",
  created_at: "timestamptz",
  available_at: "timestamptz",
  completed_at: "timestamptz",
  gone_at: "timestamptz",
  updated_at: "timestamptz",
};

/** `place` is the name of the rollout that controls it, or its own name if none does. */
type Changed = { uid: string; namespace: string; place: string };

const changedColumns = "uid, namespace, COALESCE(owner_name, name) AS place";

/** Writes Experiments, which link the runs that they own to the rollout at the top. */
export function createExperimentWriter(source: SourceKey): KindWriter {
  const measuring = measuringProviderOf(source.kind);

  async function write(tx: PoolClient, entries: readonly ObjectEntry[]): Promise<KindResult> {
    await lockJoin(tx, "run-owner", source.cluster);
    const { sights, poison } = parseSights(entries, measuring.parseExperiment);
    const rows = new Map(sights.map(({ entry, value }) => [entry.uid, toRow({ source, entry, experiment: value })]));
    const terminations = await findTerminations(tx, sights, source.controllerManagers);
    const written = await insertReturning<Changed, Row>(tx, {
      table: "experiment",
      columns,
      rows: [...rows.values()],
      onConflict: `ON CONFLICT (uid) DO UPDATE SET ${overwrite(columns, ["uid"])} WHERE ${isNews("experiment")}`,
      returning: changedColumns,
    });
    await insertTerminations(tx, terminations);
    const changes = [...written.map((row) => changeOf(source, row)), ...(await adoptRuns(tx, [...rows.keys()]))];
    return { changes, poison, committed: () => {} };
  }

  async function markGone(tx: PoolClient, gone: { uids: readonly string[]; presence: string; at: Date }) {
    const { rows } = await tx.query<Changed>(
      `UPDATE experiment SET presence = $2, gone_at = $3, updated_at = $3
        WHERE uid = ANY($1::text[]) AND presence = 'live' RETURNING ${changedColumns}`,
      [gone.uids, gone.presence, gone.at],
    );
    return rows.map((row) => changeOf(source, row));
  }

  return { write, markGone, listLive: (tx) => listLiveUids(tx, "experiment", source), reset: () => {} };
}

function toRow(options: { source: SourceKey; entry: ObjectEntry; experiment: MeasuredExperiment }): Row {
  const { source, entry, experiment } = options;
  const { namespace, owner } = experiment;
  const stored = toStoredObject(entry.object);
  return {
    uid: entry.uid,
    cluster: source.cluster,
    namespace,
    name: storableName(experiment.name),
    rollout_id: ownerRolloutId({ cluster: source.cluster, namespace, owner }),
    owner_kind: owner?.kind ?? null,
    owner_name: owner === undefined ? null : storableName(owner.name),
    revision: experiment.revision ?? null,
    pod_hash: experiment.podHash ?? null,
    phase: storableName(experiment.phase),
    message: storableText(experiment.message, stored.secrets),
    object: stored.json,
    resource_version: entry.resourceVersion,
    created_at: storableTime(experiment.createdAt) ?? entry.receivedAt.toISOString(),
    available_at: storableTime(experiment.availableAt),
    completed_at: storableTime(experiment.completedAt),
    ...presenceOf(entry),
  };
}

/** Finds Experiments that were told to end and were not known to be. Must run before they are stored. */
async function findTerminations(
  tx: PoolClient,
  sights: readonly Sight<MeasuredExperiment>[],
  managers: readonly string[],
): Promise<TerminationRow[]> {
  const terminated = new Map<string, Sight<MeasuredExperiment>>();
  const seen = new Set<string>();
  for (const sight of sights) {
    const { uid } = sight.entry;
    if (!sight.value.isTerminated) seen.add(uid);
    else if (!terminated.has(uid)) terminated.set(uid, sight);
  }
  if (terminated.size === 0) return [];
  const { rows } = await tx.query<{ uid: string; is_known: boolean }>(
    `SELECT uid, COALESCE(object #>> '{spec,terminate}' = 'true', false) AS is_known FROM experiment
      WHERE uid = ANY($1::text[])`,
    [[...terminated.keys()]],
  );
  const known = new Map(rows.map((row) => [row.uid, row.is_known]));
  return [...terminated]
    .filter(([uid]) => known.get(uid) !== true)
    .flatMap(([uid, { entry, value }]) => {
      const isFirstSight = !known.has(uid) && !seen.has(uid);
      return toTerminationRows({ kind: "Experiment", entry, holders: value.findEnders(managers), isFirstSight });
    });
}

function changeOf(source: SourceKey, { uid, namespace, place }: Changed): ChangeRow {
  return { kind: "experiment", ref: uid, op: "upsert", cluster: source.cluster, namespace, name: place };
}

type Moved = {
  uid: string;
  cluster: string;
  namespace: string;
  old_id: string;
  new_id: string;
  /** The rollout's name. */
  place: string | null;
};

/** Moves runs that were stored before their Experiment was seen to its rollout, with their measurements. */
async function adoptRuns(tx: PoolClient, experimentUids: readonly string[]): Promise<ChangeRow[]> {
  if (experimentUids.length === 0) return [];
  const { rows } = await tx.query<Moved>(
    `WITH moved AS (
       SELECT run.uid, run.rollout_id AS old_id, experiment.rollout_id AS new_id, experiment.owner_name AS place
         FROM analysis_run run JOIN experiment ON experiment.uid = run.owner_uid
        WHERE experiment.uid = ANY($1::text[]) AND run.owner_kind = 'Experiment'
          AND experiment.rollout_id IS NOT NULL AND run.rollout_id <> experiment.rollout_id
     )
     UPDATE analysis_run SET rollout_id = moved.new_id FROM moved WHERE analysis_run.uid = moved.uid
     RETURNING analysis_run.uid, analysis_run.cluster, analysis_run.namespace, moved.old_id, moved.new_id, moved.place`,
    [experimentUids],
  );
  for (const row of rows) {
    const move = [row.uid, row.old_id, row.new_id];
    await tx.query("UPDATE measurement SET rollout_id = $3 WHERE rollout_id = $2 AND run_uid = $1", move);
    await tx.query("UPDATE kube_event SET rollout_id = $3 WHERE rollout_id = $2 AND involved_uid = $1", move);
  }
  return rows.map(({ uid, cluster, namespace, place }) => ({
    kind: "analysis-run",
    ref: uid,
    op: "upsert",
    cluster,
    namespace,
    name: place,
  }));
}
