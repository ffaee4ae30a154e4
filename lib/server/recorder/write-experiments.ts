import type { PoolClient } from "pg";
import { type ExperimentObject, parseExperiment } from "#lib/domain/argo/experiment-object.ts";
import type { KindResult, KindWriter, ObjectEntry } from "./batch-types.ts";
import type { ChangeRow } from "./change-rows.ts";
import { type Columns, insertRows, overwrite } from "./insert-rows.ts";
import { collectRows, listLiveUids, ownerRolloutId } from "./kind-rows.ts";
import { storableName, storableObject, storableText } from "./text-fields.ts";
import { lockJoin } from "./view-lock.ts";
import type { SourceKey } from "./watched-resources.ts";

type Row = {
  uid: string;
  cluster: string;
  namespace: string;
  name: string;
  rollout_id: string | null;
  phase: string;
  message: string;
  object: string;
  presence: string;
  updated_at: string;
};

const columns: Columns<Row> = {
  uid: "text",
  cluster: "text",
  namespace: "text",
  name: "text",
  rollout_id: "uuid",
  phase: "text",
  message: "text",
  object: "jsonb",
  presence: "text",
  updated_at: "timestamptz",
};

/** Experiments are kept so that a run which one owns finds the rollout at the top. */
export function createExperimentWriter(source: SourceKey): KindWriter {
  async function write(tx: PoolClient, entries: readonly ObjectEntry[]): Promise<KindResult> {
    await lockJoin(tx, "run-owner", source.cluster);
    const { rows, poison } = collectRows(entries, parseExperiment, (entry, experiment) =>
      toRow({ source, entry, experiment }),
    );
    await insertRows(tx, {
      table: "experiment",
      columns,
      rows: [...rows.values()],
      onConflict: `ON CONFLICT (uid) DO UPDATE SET ${overwrite(columns, ["uid"])}`,
    });
    return { changes: await adoptRuns(tx, [...rows.keys()]), poison, committed: () => {} };
  }

  async function markGone(tx: PoolClient, gone: { uids: readonly string[]; presence: string; at: Date }) {
    await tx.query(
      "UPDATE experiment SET presence = $2, updated_at = $3 WHERE uid = ANY($1::text[]) AND presence = 'live'",
      [gone.uids, gone.presence, gone.at],
    );
    return [];
  }

  return { write, markGone, listLive: (tx) => listLiveUids(tx, "experiment", source), reset: () => {} };
}

function toRow(options: { source: SourceKey; entry: ObjectEntry; experiment: ExperimentObject }): Row {
  const { source, entry, experiment } = options;
  const { metadata, status } = experiment;
  const namespace = metadata.namespace ?? "";
  return {
    uid: entry.uid,
    cluster: source.cluster,
    namespace,
    name: storableName(metadata.name),
    rollout_id: ownerRolloutId(source.cluster, metadata),
    phase: storableName(status?.phase || "Pending"),
    message: storableText(status?.message ?? ""),
    object: storableObject(entry.object),
    presence: entry.op === "deleted" ? "deleted" : "live",
    updated_at: entry.receivedAt.toISOString(),
  };
}

/** Runs that were stored before their Experiment was seen move under its rollout, with their measurements. */
async function adoptRuns(tx: PoolClient, experimentUids: readonly string[]): Promise<ChangeRow[]> {
  if (experimentUids.length === 0) return [];
  const { rows } = await tx.query<{ uid: string; cluster: string; namespace: string; old_id: string; new_id: string }>(
    `WITH moved AS (
       SELECT run.uid, run.rollout_id AS old_id, experiment.rollout_id AS new_id
         FROM analysis_run run JOIN experiment ON experiment.uid = run.owner_uid
        WHERE experiment.uid = ANY($1::text[]) AND run.owner_kind = 'Experiment'
          AND experiment.rollout_id IS NOT NULL AND run.rollout_id <> experiment.rollout_id
     )
     UPDATE analysis_run SET rollout_id = moved.new_id FROM moved WHERE analysis_run.uid = moved.uid
     RETURNING analysis_run.uid, analysis_run.cluster, analysis_run.namespace, moved.old_id, moved.new_id`,
    [experimentUids],
  );
  for (const row of rows)
    await tx.query("UPDATE measurement SET rollout_id = $3 WHERE rollout_id = $2 AND run_uid = $1", [
      row.uid,
      row.old_id,
      row.new_id,
    ]);
  return rows.map(({ uid, cluster, namespace }) => ({
    kind: "analysis-run",
    ref: uid,
    op: "upsert",
    cluster,
    namespace,
  }));
}
