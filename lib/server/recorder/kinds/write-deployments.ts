import { sql } from "kysely";
import type { PoolClient } from "pg";
import type { DeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";
import { parseDaemonSet } from "#lib/domain/kube/daemon-set-object.ts";
import { parseDeployment } from "#lib/domain/kube/deployment-object.ts";
import type { WorkloadState } from "#lib/domain/kube/workload-state.ts";
import { kindsControlledBy } from "#lib/domain/providers.ts";
import { toStorableJson } from "#lib/domain/storable/escape-text.ts";
import { storableTime } from "#lib/domain/storable/storable-time.ts";
import { isOneOf } from "#lib/server/db/conditions.ts";
import { isNews, prepareInsert } from "#lib/server/db/prepare-insert.ts";
import { readRows } from "#lib/server/db/run-query.ts";
import { fragment, tables } from "#lib/server/db/tables.ts";
import type { KindWriter } from "#lib/server/recorder/store/batch-types.ts";
import type { ChangeRow } from "#lib/server/recorder/store/change-rows.ts";
import { storableName } from "#lib/server/recorder/store/text-fields.ts";
import { lockJoin } from "#lib/server/recorder/store/view-lock.ts";
import type { SourceKey } from "#lib/server/sources/watched-resources.ts";
import { isSame } from "#lib/util/diff-merge.ts";
import { listLiveUids, loadRolloutChanges, objectColumns, toObjectRow, updateGone } from "./kind-rows.ts";
import { refreshKinds, refreshViews } from "./refresh-views.ts";
import { createRowWriter, type Sight } from "./sight-writer.ts";

const eb = fragment<{ d: "deployment"; r: "rollout" }>();
const { ref } = eb;

const insert = prepareInsert({
  table: "deployment",
  columns: {
    ...objectColumns,
    namespace: "text",
    kind: "text",
    name: "text",
    images: "jsonb",
    generation: "int8",
    observed_generation: "int8",
    desired: "int4",
    replicas: "int4",
    ready: "int4",
    available: "int4",
    updated: "int4",
    strategy: "text",
    progress_deadline_seconds: "int4",
    conditions: "jsonb",
    created_at: "timestamptz",
  },
  conflict: { key: ["uid"], keep: ["created_at"], when: isNews("deployment") },
  returning: ["uid"],
});

/** Writes a few facts of each workload, for the rollouts that name it. */
export function createDeploymentWriter(source: SourceKey): KindWriter {
  return createRowWriter(source, {
    joins: ["rollout-view"],
    parse: source.kind === "DaemonSet" ? parseDaemonSet : parseDeployment,
    keepsOnlyValue: true,
    toRow: ({ entry, value: workload }) => ({
      ...toObjectRow({ source, entry }),
      namespace: workload.namespace ?? "",
      kind: workload.kind,
      name: storableName(workload.name),
      images: toStorableJson(workload.images),
      generation: workload.generation ?? null,
      observed_generation: workload.observedGeneration ?? null,
      desired: workload.desired,
      replicas: workload.replicas,
      ready: workload.ready,
      available: workload.available,
      updated: workload.updated,
      strategy: workload.strategy === undefined ? null : storableName(workload.strategy),
      progress_deadline_seconds: workload.progressDeadlineSeconds ?? null,
      conditions: toStorableJson(workload.conditions),
      created_at: storableTime(workload.creationTimestamp) ?? entry.receivedAt.toISOString(),
    }),
    async store(tx, rows, sights) {
      const kinds = await findUpgraded(tx, sights);
      const changes = await changesOf(tx, await insert(tx, rows));
      return [...changes, ...(await refreshKinds(tx, { cluster: source.cluster, kinds }))];
    },
    async markGone(tx, gone) {
      await lockJoin(tx, "rollout-view", source.cluster);
      const rows = await readRows(tx, updateGone("deployment", gone).returning(["uid", "images"]));
      const kinds = kindsControlledBy(rows.flatMap(({ images }) => images));
      return [...(await changesOf(tx, rows)), ...(await refreshKinds(tx, { cluster: source.cluster, kinds }))];
    },
    listLive: (tx) => listLiveUids(tx, "deployment", source),
  });
}

/** Returns the kinds of rollouts whose controller is another version by these sights than was stored. */
async function findUpgraded(tx: PoolClient, sights: readonly Sight<WorkloadState>[]): Promise<DeliveryKind[]> {
  const controllers = new Map(
    sights.flatMap(({ entry, value: { images } }) =>
      kindsControlledBy(images).length > 0 ? [[entry.uid, images] as const] : [],
    ),
  );
  if (controllers.size === 0) return [];
  const known = await readRows(
    tx,
    tables
      .selectFrom("deployment")
      .select(["uid", "images"])
      .where("presence", "=", "live")
      .where(({ ref }) => isOneOf(ref("uid"), [...controllers.keys()])),
  );
  for (const { uid, images } of known) if (isSame(images, controllers.get(uid))) controllers.delete(uid);
  return kindsControlledBy([...controllers.values()].flat());
}

/** Shows the rollouts that are judged by these workloads again. Returns changes for all that refer to them. */
async function changesOf(tx: PoolClient, workloads: readonly { uid: string }[]): Promise<ChangeRow[]> {
  if (workloads.length === 0) return [];
  const uids = workloads.map(({ uid }) => uid);
  const isSamePlace = eb.and([
    eb("r.cluster", "=", eb.ref("d.cluster")),
    eb("r.namespace", "=", eb.ref("d.namespace")),
  ]);
  const name = sql`jsonb_build_array(${ref("d.kind")} || '/' || ${ref("d.name")})`;
  const isJudged = sql<boolean>`${ref("r.workloads")} @> ${name}`;
  const referring = await readRows(
    tx,
    tables
      .selectFrom("deployment as d")
      .innerJoin("rollout as r", (join) => join.on(isSamePlace))
      .select(["r.id", isJudged.as("is_judged")])
      .where(isOneOf(ref("d.uid"), uids))
      .where("r.presence", "=", "live")
      .where(eb.or([eb("r.workload_ref", "=", ref("d.name")), isJudged])),
  );
  const idsOf = (isWanted: boolean) => referring.filter((row) => row.is_judged === isWanted).map(({ id }) => id);
  return [
    ...(await refreshViews(tx, idsOf(true))),
    ...(await loadRolloutChanges(tx, { kind: "rollout", rolloutIds: idsOf(false) })),
  ];
}
