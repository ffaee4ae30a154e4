import { sql } from "kysely";
import type { PoolClient } from "pg";
import type { MeasuredExperiment } from "#lib/domain/delivery/measuring.ts";
import { measuringProviderOf } from "#lib/domain/providers.ts";
import { storableTime } from "#lib/domain/storable/escape-text.ts";
import type { SourceKey } from "#lib/server/clusters/sources/watched-resources.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { isNews, prepareInsert } from "#lib/server/platform/db/prepare-insert.ts";
import { readRows, write } from "#lib/server/platform/db/run-query.ts";
import { textAt } from "#lib/server/platform/db/sql-functions.ts";
import { type Columns, fragment, tables } from "#lib/server/platform/db/tables.ts";
import type { KindWriter } from "#lib/server/recording/store/batch-types.ts";
import type { ChangeRow } from "#lib/server/recording/store/change-rows.ts";
import { storableName, storableText, toStoredObject } from "#lib/server/recording/store/text-fields.ts";
import { listLiveUids, objectColumns, ownerRolloutId, toObjectRow, updateGone } from "./kind-rows.ts";
import { createRowWriter, type SeenObject } from "./object-writer.ts";
import { insertTerminations, type TerminationRow, toTerminationRows } from "./write-terminations.ts";

const eb = fragment<{ experiment: "experiment" }>();
const { fn, ref } = eb;

/** Kind and name of the rollout that controls it, or its own if none does. */
const topKind = fn.coalesce("experiment.owner_kind", sql.lit("Experiment")).as("object_kind");
const topName = fn.coalesce("experiment.owner_name", "experiment.name").as("name");

const insert = prepareInsert({
  table: "experiment",
  columns: {
    ...objectColumns,
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
    created_at: "timestamptz",
    available_at: "timestamptz",
    completed_at: "timestamptz",
    clock_skew_ms: "int4",
  },
  conflict: { key: ["uid"], keep: ["clock_skew_ms"], when: isNews("experiment") },
  returning: ["uid", "namespace", topKind, topName],
});

/** Writes Experiments, which link the runs that they own to the rollout at the top. */
export function createExperimentWriter(source: SourceKey): KindWriter {
  const { cluster } = source;
  const changeOf = ({ uid, ...place }: { uid: string } & Pick<ChangeRow, "namespace" | "object_kind" | "name">) =>
    ({ kind: "experiment", ref: uid, op: "upsert", cluster, ...place }) satisfies ChangeRow;
  return createRowWriter(source, {
    joins: ["run-owner"],
    parse: measuringProviderOf(source.kind).parseExperiment,
    partToRedact: ({ entry }) => entry.object,
    toRow: (seenObject) => toRow(source, seenObject),
    async store(tx, rows, seenObjects) {
      const terminations = await findTerminations(tx, seenObjects, source.controllerManagers);
      const written = await insert(tx, rows);
      await insertTerminations(tx, terminations);
      const uids = rows.map(({ uid }) => uid);
      return [...written.map(changeOf), ...(await adoptRuns(tx, uids))];
    },
    async markGone(tx, gone) {
      const update = updateGone("experiment", gone).returning(["uid", "namespace", topKind, topName]);
      return (await readRows(tx, update)).map(changeOf);
    },
    listLive: (tx) => listLiveUids(tx, "experiment", source),
  });
}

function toRow(source: SourceKey, { entry, value: experiment }: SeenObject<MeasuredExperiment>) {
  const { namespace, owner } = experiment;
  const stored = toStoredObject(entry.object, entry);
  return {
    ...toObjectRow({ source, entry }),
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
    created_at: storableTime(experiment.createdAt) ?? entry.receivedAt.toISOString(),
    available_at: storableTime(experiment.availableAt),
    completed_at: storableTime(experiment.completedAt),
    clock_skew_ms: entry.clockSkewMs ?? null,
  };
}

/** Finds Experiments that were told to end and were not known to be. Must run before they are stored. */
async function findTerminations(
  tx: PoolClient,
  seenObjects: readonly SeenObject<MeasuredExperiment>[],
  managers: readonly string[],
): Promise<TerminationRow[]> {
  const terminated = new Map<string, SeenObject<MeasuredExperiment>>();
  const seen = new Set<string>();
  for (const seenObject of seenObjects) {
    const { uid } = seenObject.entry;
    if (!seenObject.value.isTerminated) seen.add(uid);
    else if (!terminated.has(uid)) terminated.set(uid, seenObject);
  }
  if (terminated.size === 0) return [];
  const isTerminated = eb(textAt(ref("experiment.object"), "spec", "terminate"), "=", "true");
  const stored = await readRows(
    tx,
    tables
      .selectFrom("experiment")
      .select(["uid", isTerminated.as("is_known")])
      .where(isOneOf(ref("experiment.uid"), [...terminated.keys()])),
  );
  const known = new Map(stored.map((row) => [row.uid, row.is_known]));
  return [...terminated]
    .filter(([uid]) => known.get(uid) !== true)
    .flatMap(([uid, { entry, value }]) => {
      const isFirstSight = !known.has(uid) && !seen.has(uid);
      return toTerminationRows({ kind: "Experiment", entry, holders: value.findEnders(managers), isFirstSight });
    });
}

/** Moves runs that were stored before their Experiment was seen to its rollout, with their events. */
async function adoptRuns(tx: PoolClient, experimentUids: readonly string[]): Promise<ChangeRow[]> {
  if (experimentUids.length === 0) return [];
  const moved = await readRows(
    tx,
    tables
      .with("moved", (db) =>
        db
          .selectFrom("analysis_run as run")
          .innerJoin("experiment as e", "e.uid", "run.owner_uid")
          .select([
            "run.uid",
            "run.rollout_id as old_id",
            "e.rollout_id as new_id",
            "e.owner_kind as object_kind",
            "e.owner_name as place",
          ])
          .where((eb) => isOneOf(eb.ref("e.uid"), experimentUids))
          .where("run.owner_kind", "=", "Experiment")
          .where("e.rollout_id", "is not", null)
          .whereRef("run.rollout_id", "<>", "e.rollout_id")
          .$narrowType<{ new_id: string }>(),
      )
      .updateTable("analysis_run as a")
      .from("moved as m")
      .set((eb) => ({ rollout_id: eb.ref("m.new_id") }) satisfies Columns<"analysis_run">)
      .whereRef("a.uid", "=", "m.uid")
      .returning(["a.uid", "a.cluster", "a.namespace", "m.old_id", "m.new_id", "m.object_kind", "m.place"]),
  );
  for (const { uid, old_id: oldId, new_id: newId } of moved) {
    const events = tables.updateTable("kube_event").where("involved_uid", "=", uid);
    await write(tx, events.set({ rollout_id: newId }).where("rollout_id", "=", oldId));
  }
  return moved.map(({ uid, cluster, namespace, object_kind, place: name }) => {
    return { kind: "analysis-run", ref: uid, op: "upsert", cluster, namespace, object_kind, name };
  });
}
