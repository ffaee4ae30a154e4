import { sql } from "kysely";
import { controllerOf, type Parsed } from "#lib/domain/kube/kube-object.ts";
import {
  extractPodTemplate,
  extractReplicaSetFacts,
  parseReplicaSet,
  type ReplicaSetObject,
} from "#lib/domain/kube/replica-set-object.ts";
import { readRevisionMark } from "#lib/domain/providers.ts";
import { storableTime, toStorableJson } from "#lib/domain/storable/escape-text.ts";
import type { SourceKey } from "#lib/server/clusters/sources/watched-resources.ts";
import { isNews, notOlder, prepareInsert } from "#lib/server/platform/db/prepare-insert.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";
import type { KindWriter } from "#lib/server/recording/store/batch-types.ts";
import { toPart, writeParts } from "#lib/server/recording/store/recorded-parts.ts";
import { redactPart, storableName } from "#lib/server/recording/store/text-fields.ts";
import { lockJoin } from "#lib/server/recording/store/view-lock.ts";
import {
  listLiveUids,
  loadRolloutChanges,
  objectColumns,
  ownerRolloutId,
  toObjectRow,
  updateGone,
} from "./kind-rows.ts";
import { createRowWriter, type SeenObject } from "./object-writer.ts";
import { refreshViews } from "./refresh-views.ts";
import { listChangedFacts, markContradicted } from "./replica-set-rows.ts";

const stored = fragment<{ replica_set: "replica_set"; excluded: "replica_set" }>();

/** A row from before templates were recorded gets its own from the next list, though the ReplicaSet is the same. */
const lacksTemplate = stored.and([
  notOlder("replica_set"),
  stored("replica_set.template_digest", "is", null),
  stored("excluded.template_digest", "is not", null),
]);

const insert = prepareInsert({
  table: "replica_set",
  columns: {
    ...objectColumns,
    namespace: "text",
    name: "text",
    rollout_id: "uuid",
    pod_hash: "text",
    revision: "int4",
    revisions: "jsonb",
    images: "jsonb",
    template_digest: "text",
    replicas: "int4",
    ready: "int4",
    available: "int4",
    desired: "int4",
    owner_kind: "text",
    owner_uid: "text",
    created_at: "timestamptz",
  },
  conflict: { key: ["uid"], keep: ["created_at"], when: stored.or([isNews("replica_set"), lacksTemplate]) },
  returning: ["rollout_id", sql<boolean>`xmax = 0`.as("is_new")],
});

/** Writes ReplicaSets, but only what rollouts need of them: which revision runs what, with which template and pods. */
export function createReplicaSetWriter(source: SourceKey): KindWriter {
  return createRowWriter(source, {
    joins: ["rollout-view", "pod-owner"],
    parse: readReplicaSet,
    partToRedact: ({ value }) => value.template,
    toRow: (seenObject) => toRow(source, seenObject),
    async store(tx, rows) {
      const changed = await listChangedFacts(tx, rows);
      await writeParts(
        tx,
        rows.map(({ template }) => template),
      );
      const written = await insert(tx, rows);
      const views = await refreshViews(tx, ownersOf(written));
      await markContradicted(tx, changed);
      // Its pods may have been stored before it, without notifying anyone.
      const rolloutIds = ownersOf(written.filter((row) => row.is_new));
      return [...views, ...(await loadRolloutChanges(tx, { kind: "rollout-pods", rolloutIds }))];
    },
    async markGone(tx, gone) {
      await lockJoin(tx, "rollout-view", source.cluster);
      return refreshViews(tx, ownersOf(await readRows(tx, updateGone("replica_set", gone).returning("rollout_id"))));
    },
    listLive: (tx) => listLiveUids(tx, "replica_set", source),
  });
}

function ownersOf(rows: readonly { rollout_id: string | null }[]): string[] {
  return rows.flatMap((row) => row.rollout_id ?? []);
}

type ReadReplicaSet = { replicaSet: ReplicaSetObject; template: unknown };

function readReplicaSet(object: unknown): Parsed<ReadReplicaSet> {
  const parsed = parseReplicaSet(object);
  if (!parsed.ok) return parsed;
  return { ok: true, value: { replicaSet: parsed.value, template: extractPodTemplate(parsed.value) } };
}

function toRow(
  source: SourceKey,
  { entry, value: { replicaSet: value, template: podTemplate } }: SeenObject<ReadReplicaSet>,
) {
  const facts = extractReplicaSetFacts(value);
  const mark = readRevisionMark(value.metadata);
  const namespace = value.metadata.namespace ?? "";
  const owner = controllerOf(value.metadata);
  const template = toPart(redactPart(podTemplate, entry).value);
  return {
    template,
    ...toObjectRow({ source, entry }),
    namespace,
    name: storableName(facts.name),
    rollout_id: ownerRolloutId({ cluster: source.cluster, namespace, owner }),
    pod_hash: mark.podHash ?? null,
    revision: mark.revision ?? null,
    revisions: toStorableJson(mark.revisions),
    images: toStorableJson(facts.images),
    template_digest: template?.digest ?? null,
    replicas: facts.replicas,
    ready: facts.ready,
    available: facts.available,
    desired: facts.desired,
    owner_kind: owner?.kind ?? null,
    owner_uid: owner?.uid ?? null,
    created_at: storableTime(facts.createdAt) ?? entry.receivedAt.toISOString(),
  };
}
