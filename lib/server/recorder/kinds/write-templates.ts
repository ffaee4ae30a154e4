import type { PoolClient } from "pg";
import type { RunTemplate } from "#lib/domain/delivery/measuring.ts";
import { computeSpecWrite } from "#lib/domain/kube/compute-spec-write.ts";
import { isOlderVersion } from "#lib/domain/kube/resource-version.ts";
import { measuringProviderOf } from "#lib/domain/providers.ts";
import { toStorableJson } from "#lib/domain/storable/escape-text.ts";
import { hashSpec } from "#lib/domain/storable/hash-spec.ts";
import { storableTime } from "#lib/domain/storable/storable-time.ts";
import type { KindResult, KindWriter, ObjectEntry, PoisonEntry } from "#lib/server/recorder/store/batch-types.ts";
import type { ChangeRow } from "#lib/server/recorder/store/change-rows.ts";
import { insertRows, keepTimeOfSame, notOlder, overwrite } from "#lib/server/recorder/store/insert-rows.ts";
import { storableName, storableObject } from "#lib/server/recorder/store/text-fields.ts";
import type { SourceKey } from "#lib/server/sources/watched-resources.ts";
import { presenceOf } from "./kind-rows.ts";
import {
  loadTemplateStates,
  type TemplateRow,
  type TemplateState,
  templateColumns,
  type VersionRow,
  versionColumns,
} from "./template-rows.ts";

type Found = {
  rows: Map<string, TemplateRow>;
  versions: VersionRow[];
  states: Map<string, TemplateState>;
  changes: ChangeRow[];
};

/**
 * Writes analysis templates of either kind, and every spec seen with them. Several sights in a batch make one row of
 * the template, but as many versions as there were specs. Specs are told apart by their stored, redacted form: a hash
 * over a secret would help to guess it.
 */
export function createTemplateWriter(source: SourceKey): KindWriter {
  const measuring = measuringProviderOf(source.kind);
  const states = new Map<string, TemplateState>();

  async function write(tx: PoolClient, entries: readonly ObjectEntry[]): Promise<KindResult> {
    const poison: PoisonEntry[] = [];
    const unknown = entries.map((entry) => entry.uid).filter((uid) => !states.has(uid));
    const loaded = await loadTemplateStates(tx, [...new Set(unknown)]);
    const found: Found = { rows: new Map(), versions: [], states: new Map(), changes: [] };
    for (const entry of entries) {
      const parsed = measuring.parseTemplate(entry.object);
      const state = found.states.get(entry.uid) ?? states.get(entry.uid) ?? loaded.get(entry.uid);
      if (!parsed.ok) poison.push({ entry, reason: parsed.reason });
      else if (state === undefined || isNews(state, entry))
        examine({ source, entry, template: parsed.value, state, found });
    }
    await insertRows(tx, {
      table: "analysis_template",
      columns: templateColumns,
      rows: [...found.rows.values()],
      onConflict: `ON CONFLICT (uid) DO UPDATE
        SET ${overwrite(templateColumns, ["uid", "created_at", "updated_at"])}, ${keepTimeOfSame("analysis_template")}
        WHERE ${notOlder("analysis_template")}`,
    });
    await insertRows(tx, {
      table: "analysis_template_version",
      columns: versionColumns,
      rows: found.versions,
      onConflict: "ON CONFLICT (template_uid, version) DO NOTHING",
    });
    const committed = (): void => {
      for (const [uid, state] of found.states) states.set(uid, state);
    };
    return { changes: found.changes, poison, committed };
  }

  async function markGone(tx: PoolClient, gone: { uids: readonly string[]; presence: string; at: Date }) {
    const { rows } = await tx.query<{ uid: string; namespace: string; name: string }>(
      `UPDATE analysis_template SET presence = $2, gone_at = $3, updated_at = $3
        WHERE uid = ANY($1::text[]) AND presence = 'live' RETURNING uid, namespace, name`,
      [gone.uids, gone.presence, gone.at],
    );
    for (const row of rows) states.delete(row.uid);
    return rows.map((row) => changeOf({ source, namespace: row.namespace, name: row.name, op: "delete" }));
  }

  async function listLive(tx: PoolClient): Promise<string[]> {
    const { rows } = await tx.query<{ uid: string }>(
      `SELECT uid FROM analysis_template
        WHERE cluster = $1 AND kind = $2 AND ($3 = '' OR namespace = $3) AND presence = 'live'`,
      [source.cluster, source.kind, source.namespace],
    );
    return rows.map((row) => row.uid);
  }

  return { write, markGone, listLive, reset: () => states.clear() };
}

/** Returns whether the entry brings anything new. A relist may return what a watch has already delivered, or less. */
function isNews(state: TemplateState, entry: ObjectEntry): boolean {
  if (isOlderVersion(entry.resourceVersion, state.resourceVersion)) return false;
  return entry.resourceVersion !== state.resourceVersion || presenceOf(entry).presence !== state.presence;
}

function examine(options: {
  source: SourceKey;
  entry: ObjectEntry;
  template: RunTemplate;
  state: TemplateState | undefined;
  found: Found;
}): void {
  const { source, entry, template, state, found } = options;
  const { metadata } = template;
  const spec = storableObject(template.spec);
  const specHash = hashSpec(JSON.parse(spec));
  const isChanged = specHash !== state?.specHash;
  const version = (state?.version ?? 0) + (isChanged ? 1 : 0);
  const createdAt = storableTime(metadata.creationTimestamp) ?? entry.receivedAt.toISOString();
  const presence = presenceOf(entry);
  if (isChanged) {
    const write = computeSpecWrite(metadata.managedFields);
    found.versions.push({
      template_uid: entry.uid,
      version,
      spec_hash: specHash,
      spec,
      generation: metadata.generation ?? null,
      resource_version: entry.resourceVersion,
      writer: write === undefined ? null : storableName(write.writer),
      written_at: storableTime(write?.at) ?? (state === undefined ? createdAt : entry.receivedAt.toISOString()),
      observed_at: entry.receivedAt.toISOString(),
    });
  }
  found.rows.set(entry.uid, {
    uid: entry.uid,
    cluster: source.cluster,
    namespace: metadata.namespace ?? "",
    kind: source.kind,
    name: storableName(metadata.name),
    version,
    spec_hash: specHash,
    template_refs: toStorableJson(template.listTemplateRefs()),
    resource_version: entry.resourceVersion,
    created_at: createdAt,
    ...presence,
  });
  found.states.set(entry.uid, {
    resourceVersion: entry.resourceVersion,
    presence: presence.presence,
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
  return { kind: "template", ref, op, cluster: source.cluster, namespace, name: null };
}
