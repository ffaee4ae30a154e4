import type { PoolClient } from "pg";
import type { RunTemplate } from "#lib/domain/delivery/measuring.ts";
import { computeSpecWrite } from "#lib/domain/kube/compute-writer.ts";
import { isOlderVersion } from "#lib/domain/kube/resource-version.ts";
import { measuringProviderOf } from "#lib/domain/providers.ts";
import { hashSpec } from "#lib/domain/storable/digest-of.ts";
import { storableTime, toStorableJson } from "#lib/domain/storable/escape-text.ts";
import type { SourceKey } from "#lib/server/clusters/sources/watched-resources.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { type InsertedRow, notOlder, prepareInsert, timeOfChange } from "#lib/server/platform/db/prepare-insert.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { startSlices } from "#lib/server/platform/db/slices.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { KindWriter, ObjectEntry } from "#lib/server/recording/store/batch-types.ts";
import type { ChangeRow } from "#lib/server/recording/store/change-rows.ts";
import { storableName, toStoredObject } from "#lib/server/recording/store/text-fields.ts";
import { listLiveUids, objectColumns, presenceOf, toObjectRow, updateGone } from "./kind-rows.ts";
import { createOrderedWriter, type SeenObject } from "./object-writer.ts";

type Found = {
  rows: Map<string, TemplateRow>;
  versions: VersionRow[];
  states: Map<string, TemplateState>;
  changes: ChangeRow[];
};

/**
 * Writes analysis templates of either kind, and every spec seen with them. Several updates in a batch make one row of
 * the template, but as many versions as there were specs. Specs are distinguished by their stored, redacted form: a
 * hash over a secret would help to guess it.
 */
export function createTemplateWriter(source: SourceKey): KindWriter {
  const states = new Map<string, TemplateState>();
  return createOrderedWriter(source, {
    parse: measuringProviderOf(source.kind).parseTemplate,
    partToRedact: ({ value }) => value.spec,
    async store(tx, seenObjects) {
      const uids = new Set(seenObjects.map(({ entry }) => entry.uid));
      const loaded = await loadTemplateStates(
        tx,
        [...uids].filter((uid) => !states.has(uid)),
      );
      const found: Found = { rows: new Map(), versions: [], states: new Map(), changes: [] };
      const slices = startSlices();
      for (const seenObject of seenObjects) {
        if (slices.isOver) await slices.rest();
        const { uid } = seenObject.entry;
        const state = found.states.get(uid) ?? states.get(uid) ?? loaded.get(uid);
        if (state === undefined || isNews(state, seenObject.entry)) examine({ source, seenObject, state, found });
      }
      await insertTemplates(tx, [...found.rows.values()]);
      await insertVersions(tx, found.versions);
      const committed = (): void => {
        for (const [uid, state] of found.states) states.set(uid, state);
      };
      return { changes: found.changes, committed };
    },
    async markGone(tx, gone) {
      const rows = await readRows(tx, updateGone("analysis_template", gone).returning(["uid", "namespace", "name"]));
      for (const { uid } of rows) states.delete(uid);
      return rows.map(({ namespace, name }) => changeOf({ source, namespace, name, op: "delete" }));
    },
    listLive: (tx) => listLiveUids(tx, "analysis_template", source),
    reset: () => states.clear(),
  });
}

/** Returns whether the entry brings anything new. A relist may repeat versions from a watch, or return older ones. */
function isNews(state: TemplateState, entry: ObjectEntry): boolean {
  if (isOlderVersion(entry.resourceVersion, state.resourceVersion)) return false;
  return entry.resourceVersion !== state.resourceVersion || presenceOf(entry) !== state.presence;
}

function examine(options: {
  source: SourceKey;
  seenObject: SeenObject<RunTemplate>;
  state: TemplateState | undefined;
  found: Found;
}): void {
  const { source, seenObject, state, found } = options;
  const { entry, value: template } = seenObject;
  const { metadata } = template;
  const { json: spec } = toStoredObject(template.spec, entry);
  const specHash = hashSpec(JSON.parse(spec));
  const isChanged = specHash !== state?.specHash;
  const version = (state?.version ?? 0) + (isChanged ? 1 : 0);
  const createdAt = storableTime(metadata.creationTimestamp) ?? entry.receivedAt.toISOString();
  const row = toObjectRow({ source, entry });
  if (isChanged) {
    const write = computeSpecWrite(metadata.managedFields);
    found.versions.push({
      template_uid: entry.uid,
      version,
      spec_hash: specHash,
      spec,
      resource_version: entry.resourceVersion,
      writer: write === undefined ? null : storableName(write.writer),
      written_at: storableTime(write?.at) ?? (state === undefined ? createdAt : entry.receivedAt.toISOString()),
      observed_at: entry.receivedAt.toISOString(),
    });
  }
  found.rows.set(entry.uid, {
    ...row,
    namespace: metadata.namespace ?? "",
    kind: source.kind,
    name: storableName(metadata.name),
    version,
    spec_hash: specHash,
    template_refs: toStorableJson(template.listTemplateRefs()),
    created_at: createdAt,
  });
  found.states.set(entry.uid, {
    resourceVersion: entry.resourceVersion,
    presence: row.presence,
    specHash,
    version,
  });
  found.changes.push(
    changeOf({
      source,
      namespace: metadata.namespace ?? "",
      name: metadata.name,
      op: entry.op === "deleted" ? "delete" : "upsert",
    }),
  );
}

/** Builds the change. A template without a namespace has `-` in its place. */
function changeOf(options: { source: SourceKey; namespace: string; name: string; op: ChangeRow["op"] }): ChangeRow {
  const { source, namespace, name, op } = options;
  const ref = [source.cluster, namespace === "" ? "-" : namespace, source.kind, storableName(name)].join("/");
  return { kind: "template", ref, op, cluster: source.cluster, namespace, object_kind: null, name: null };
}

/** The writer's memory of a template between two seen versions. */
type TemplateState = { resourceVersion: string; presence: string; specHash: string; version: number };

const insertTemplates = prepareInsert({
  table: "analysis_template",
  columns: {
    ...objectColumns,
    namespace: "text",
    kind: "text",
    name: "text",
    version: "int4",
    spec_hash: "text",
    template_refs: "jsonb",
    created_at: "timestamptz",
  },
  conflict: {
    key: ["uid"],
    keep: ["created_at"],
    set: { updated_at: timeOfChange("analysis_template") },
    when: notOlder("analysis_template"),
  },
});
type TemplateRow = InsertedRow<typeof insertTemplates>;

const insertVersions = prepareInsert({
  table: "analysis_template_version",
  columns: {
    template_uid: "text",
    version: "int4",
    spec_hash: "text",
    spec: "jsonb",
    resource_version: "text",
    writer: "text",
    written_at: "timestamptz",
    observed_at: "timestamptz",
  },
  conflict: { key: ["template_uid", "version"] },
});
type VersionRow = InsertedRow<typeof insertVersions>;

/** Reads the stored state of these templates. Templates that are not stored yet are left out. */
async function loadTemplateStates(tx: PoolClient, uids: readonly string[]): Promise<Map<string, TemplateState>> {
  if (uids.length === 0) return new Map();
  const rows = await readRows(
    tx,
    tables
      .selectFrom("analysis_template")
      .select(["uid", "resource_version as resourceVersion", "presence", "spec_hash as specHash", "version"])
      .where(({ ref }) => isOneOf(ref("uid"), uids)),
  );
  return new Map(rows.map(({ uid, ...state }) => [uid, state]));
}
