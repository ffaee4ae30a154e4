import type { PoolClient } from "pg";
import type { DeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";
import { parseDaemonSet, parseDeployment, type WorkloadFacts } from "#lib/domain/kube/workload-object.ts";
import { isRolloutKind, kindsControlledBy } from "#lib/domain/providers.ts";
import { storableTime, toStorableJson } from "#lib/domain/storable/escape-text.ts";
import type { SourceKey } from "#lib/server/clusters/sources/watched-resources.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { type InsertedRow, isNews, notOlder, prepareInsert } from "#lib/server/platform/db/prepare-insert.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { mapInSlices } from "#lib/server/platform/db/slices.ts";
import { joinTexts, listHas } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables, wantedRows } from "#lib/server/platform/db/tables.ts";
import type { KindWriter } from "#lib/server/recording/store/batch-types.ts";
import type { ChangeRow } from "#lib/server/recording/store/change-rows.ts";
import { toPart, writeParts } from "#lib/server/recording/store/recorded-parts.ts";
import { redactPart, storableName } from "#lib/server/recording/store/text-fields.ts";
import { lockJoin } from "#lib/server/recording/store/view-lock.ts";
import { isSame } from "#lib/util/diff-merge.ts";
import { listLiveUids, loadRolloutChanges, objectColumns, toObjectRow, updateGone } from "./kind-rows.ts";
import { createRowWriter, type SeenObject } from "./object-writer.ts";
import { refreshKinds, refreshViews } from "./refresh-views.ts";

const eb = fragment<{ d: "deployment"; r: "rollout" }>();
const { ref } = eb;
const stored = fragment<{ deployment: "deployment"; excluded: "deployment" }>();

/** A workload that no rollout named when it was stored gets its template from the next list, though it is the same. */
const lacksTemplate = stored.and([
  notOlder("deployment"),
  stored("deployment.template_digest", "is", null),
  stored("excluded.template_digest", "is not", null),
]);

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
    template_digest: "text",
    created_at: "timestamptz",
  },
  conflict: { key: ["uid"], keep: ["created_at"], when: stored.or([isNews("deployment"), lacksTemplate]) },
  returning: ["uid"],
});
type DeploymentRow = Omit<InsertedRow<typeof insert>, "template_digest"> & {
  redactTemplate: () => unknown;
  ownerKind: string | undefined;
};

/** Writes a few facts of each workload for the rollouts that name it, and the pod templates of those that one names. */
export function createDeploymentWriter(source: SourceKey): KindWriter {
  return createRowWriter(source, {
    joins: ["rollout-view"],
    parse: source.kind === "DaemonSet" ? parseDaemonSet : parseDeployment,
    keepsOnlyValue: true,
    partToRedact: ({ value }) => value.podTemplate,
    toRow: ({ entry, value: workload }): DeploymentRow => ({
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
      redactTemplate: () => redactPart(workload.podTemplate, entry).value,
      ownerKind: workload.ownerKind,
      created_at: storableTime(workload.creationTimestamp) ?? entry.receivedAt.toISOString(),
    }),
    async store(tx, rows, seenObjects) {
      const known = await readKnown(tx, rows);
      const written = await insert(tx, await recordTemplates(tx, source.cluster, rows));
      const wantedBefore = (uid: string) => known.get(uid)?.generation;
      const wanting = new Set(
        rows.flatMap(({ uid, generation }) => (wantedBefore(uid) === generation?.toString() ? [] : [uid])),
      );
      const changes = await changesOf(tx, written, wanting);
      return [
        ...changes,
        ...(await refreshKinds(tx, { cluster: source.cluster, kinds: findUpgraded(known, seenObjects) })),
      ];
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

/**
 * Stores the pod templates of the workloads that a rollout names. Those of all others are not our business. One that a
 * rollout controls may be listed before its rollout is.
 */
async function recordTemplates(
  tx: PoolClient,
  cluster: string,
  rows: readonly DeploymentRow[],
): Promise<InsertedRow<typeof insert>[]> {
  const named = await findNamed(tx, cluster, rows);
  const isWanted = ({ uid, ownerKind }: DeploymentRow) =>
    named.has(uid) || (ownerKind !== undefined && isRolloutKind(ownerKind));
  const parts = new Map(
    await mapInSlices(rows.filter(isWanted), ({ uid, redactTemplate }) => [uid, toPart(redactTemplate())] as const),
  );
  await writeParts(tx, [...parts.values()]);
  return rows.map(({ redactTemplate: _redactTemplate, ownerKind: _ownerKind, ...row }) => ({
    ...row,
    template_digest: parts.get(row.uid)?.digest ?? null,
  }));
}

/** Returns the uids of the workloads that a live rollout of their namespace names. */
async function findNamed(tx: PoolClient, cluster: string, rows: readonly DeploymentRow[]): Promise<Set<string>> {
  const workloads = rows.map(({ uid, namespace, kind, name }) => ({ uid, namespace, workload: `${kind}/${name}` }));
  const found = await readRows(
    tx,
    tables
      .selectFrom(wantedRows({ uid: "text", namespace: "text", workload: "text" }, workloads))
      .innerJoin("rollout as r", "r.namespace", "wanted.namespace")
      .select("wanted.uid")
      .where("r.cluster", "=", cluster)
      .where("r.presence", "=", "live")
      .where(({ ref }) => listHas(ref("r.workloads"), ref("wanted.workload"))),
  );
  return new Set(found.map(({ uid }) => uid));
}

type Known = { uid: string; generation: string | null; images: string[] };

/** Reads what is stored of these workloads. */
async function readKnown(tx: PoolClient, rows: readonly { uid: string }[]): Promise<Map<string, Known>> {
  const stored = await readRows(
    tx,
    tables
      .selectFrom("deployment")
      .select(["uid", "generation", "images"])
      .where("presence", "=", "live")
      .where(({ ref }) =>
        isOneOf(
          ref("uid"),
          rows.map(({ uid }) => uid),
        ),
      ),
  );
  return new Map(stored.map((row) => [row.uid, row]));
}

/** Returns the kinds of rollouts whose controller has another version in these Deployments than was stored. */
function findUpgraded(
  known: ReadonlyMap<string, Known>,
  seenObjects: readonly SeenObject<WorkloadFacts>[],
): DeliveryKind[] {
  const newest = new Map(seenObjects.map(({ entry, value }) => [entry.uid, value.images]));
  const images = [...newest].flatMap(([uid, own]) => (isSame(known.get(uid)?.images, own) ? [] : own));
  return [...new Set(kindsControlledBy(images))];
}

/**
 * Shows the rollouts that are judged by these workloads again. Returns changes for all that refer to them, and for those
 * whose workload is among `wanting`: it wants another version, which its rollout may not show.
 */
async function changesOf(
  tx: PoolClient,
  workloads: readonly { uid: string }[],
  wanting: ReadonlySet<string> = new Set(),
): Promise<ChangeRow[]> {
  if (workloads.length === 0) return [];
  const uids = workloads.map(({ uid }) => uid);
  const isSamePlace = eb.and([
    eb("r.cluster", "=", eb.ref("d.cluster")),
    eb("r.namespace", "=", eb.ref("d.namespace")),
  ]);
  const isJudged = listHas(ref("r.workloads"), joinTexts("/", [ref("d.kind"), ref("d.name")])).$castTo<boolean>();
  const referring = await readRows(
    tx,
    tables
      .selectFrom("deployment as d")
      .innerJoin("rollout as r", (join) => join.on(isSamePlace))
      .select(["r.id", "d.uid", isJudged.as("is_judged")])
      .where(isOneOf(ref("d.uid"), uids))
      .where("r.presence", "=", "live")
      .where(eb.or([eb("r.workload_ref", "=", ref("d.name")), isJudged])),
  );
  const refreshed = await refreshViews(
    tx,
    referring.filter(({ is_judged }) => is_judged).map(({ id }) => id),
  );
  const reported = referring.filter(({ is_judged, uid }) => !is_judged || wanting.has(uid)).map(({ id }) => id);
  const others = await loadRolloutChanges(tx, { kind: "rollout", rolloutIds: reported });
  const refs = new Set(refreshed.map((change) => change.ref));
  return [...refreshed, ...others.filter((change) => !refs.has(change.ref))];
}
