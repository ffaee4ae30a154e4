import type { PoolClient } from "pg";
import {
  derivationVersion,
  foldRelease,
  noReleases,
  type Release,
  runKeysOf,
} from "#lib/domain/delivery/derive-releases.ts";
import { compareObservations, type TimelineEvent } from "#lib/domain/delivery/derive-timeline.ts";
import type { DeliveryObject, Provider } from "#lib/domain/delivery/provider.ts";
import { nothingRelated, type RelatedState } from "#lib/domain/delivery/related-state.ts";
import { rolloutIdOf } from "#lib/domain/delivery/rollout-id.ts";
import { computeWriter, markManagedFields } from "#lib/domain/kube/compute-writer.ts";
import { isOlderVersion } from "#lib/domain/kube/resource-version.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { toStorableJson } from "#lib/domain/storable/escape-text.ts";
import { splitObject } from "#lib/domain/storable/split-object.ts";
import { type RelatedStateQuery, readRelatedState } from "#lib/server/clusters/sources/read-related-state.ts";
import type { SourceKey } from "#lib/server/clusters/sources/watched-resources.ts";
import { answersOf } from "#lib/server/platform/db/in-transaction.ts";
import { startSlices } from "#lib/server/platform/db/slices.ts";
import { loadAttempts, loadRolloutStates, type RolloutState } from "#lib/server/recording/history/rollout-state.ts";
import {
  type NewObservation,
  type Owned,
  releaseId,
  voidDecisions,
  writeObservations,
  writeReleases,
  writeTimeline,
} from "#lib/server/recording/history/write-history.ts";
import type { KindWriter, ObjectEntry } from "#lib/server/recording/store/batch-types.ts";
import type { ChangeRow } from "#lib/server/recording/store/change-rows.ts";
import { toPart } from "#lib/server/recording/store/recorded-parts.ts";
import { storableName, storableText, toStoredObject } from "#lib/server/recording/store/text-fields.ts";
import type { RecordedObservation } from "#lib/server/records/observation-row.ts";
import { lockWaits } from "#lib/server/records/rollout-wait.ts";
import { sha256Hex } from "#lib/util/sha256.ts";
import { listLiveUids } from "./kind-rows.ts";
import { markRolloutsGone, releaseChange, rolloutChange } from "./mark-rollouts-gone.ts";
import { createOrderedWriter, type SeenObject as ParsedObject } from "./object-writer.ts";
import { loadReplicaSets, type StoredReplicaSet, toKnownRevisions } from "./replica-set-rows.ts";
import { insertRollouts, type KnownPass, loadKnownPasses, type RolloutRow, toRolloutRow } from "./rollout-row.ts";

type SeenObject = { id: string; entry: ObjectEntry; rollout: DeliveryObject };

type Found = {
  rows: Map<string, RolloutRow>;
  observations: Owned<NewObservation>[];
  events: Owned<TimelineEvent>[];
  releases: Owned<Release>[];
  /** Rollouts whose release ended, with the checksum of their current run: decisions on other runs are over. */
  ended: Map<string, string | undefined>;
  changes: ChangeRow[];
  states: Map<string, RolloutState>;
};

/**
 * Writes rollouts, and each change in the fields that decisions depend on, in order. Several versions of one rollout in
 * a batch make one row, but as many observations as there were changes.
 */
export function createRolloutWriter(source: SourceKey): KindWriter {
  const provider = providerOfKind(source.kind);
  const states = new Map<string, RolloutState>();
  return createOrderedWriter(source, {
    joins: ["rollout-view"],
    parse: provider.parse,
    partToRedact: ({ entry }) => entry.object,
    async store(tx, parsed) {
      const seenObjects = parsed.map((seenObject) => identify(source, seenObject));
      const ids = [...new Set(seenObjects.map((seenObject) => seenObject.id))];
      const before = await loadRolloutStates(tx, ids, states);
      const withNews = new Set(seenObjects.flatMap(({ id, entry }) => (isNothingNew(before.get(id), entry) ? [] : id)));
      if (withNews.size === 0) return { changes: [] };
      const news = seenObjects.filter(({ id }) => withNews.has(id));
      const [replicaSets, knownPasses, waits] = await answersOf([
        loadReplicaSets(tx, [...withNews]),
        loadKnownPasses(tx, news),
        lockWaits(tx, [...withNews]),
        completeAttempts(tx, news, before),
      ]);
      const related = await readRelatedState(tx, news.map(relatedStateOf(source)), { withTemplates: true });
      const found = await examine({ source, provider, seenObjects: news, before, replicaSets, knownPasses, related });
      const knownSpecs = new Set([...before.values()].map(({ storedSpec }) => storedSpec));
      await insertRollouts(tx, [...found.rows.values()], waits);
      await writeObservations(tx, found.observations, knownSpecs);
      await writeReleases(tx, found.releases, new Date().toISOString());
      await writeTimeline(tx, found.events);
      const keptChecksums = [...found.ended.values()].flatMap((checksum) => checksum ?? []);
      await voidDecisions(tx, { rolloutIds: [...found.ended.keys()], keptChecksums });
      return { changes: found.changes, committed: () => remember(states, found.states) };
    },
    async markGone(tx, gone) {
      const { ids, changes } = await markRolloutsGone(tx, { source, gone });
      for (const id of ids) states.delete(id);
      return changes;
    },
    listLive: (tx) => listLiveUids(tx, "rollout", source),
    reset: () => states.clear(),
  });
}

function relatedStateOf({ cluster, kind }: SourceKey): (seenObject: SeenObject) => RelatedStateQuery {
  return ({ id, rollout: { metadata, workloads } }) => ({
    id,
    cluster,
    namespace: metadata.namespace ?? "",
    kind,
    workloads,
  });
}

function identify(source: SourceKey, { entry, value: rollout }: ParsedObject<DeliveryObject>): SeenObject {
  const { namespace = "", name, uid } = rollout.metadata;
  const id = rolloutIdOf({ cluster: source.cluster, namespace, kind: source.kind, name, uid });
  return { id, entry, rollout };
}

function remember(states: Map<string, RolloutState>, fresh: ReadonlyMap<string, RolloutState>): void {
  for (const [id, state] of fresh) {
    // A rollout whose history is due for rederivation is read again each time, until that is done.
    if (state.presence === "live" && !isDerivationDue(state)) states.set(id, withoutOldAttempts(state));
    else states.delete(id);
  }
}

/**
 * Returns whether the rollout is due for rederivation. Then only observations are written: releases and timeline are
 * derived from them later (rederive.ts).
 */
function isDerivationDue(state: RolloutState | undefined): boolean {
  return state !== undefined && state.derivationVersion < derivationVersion;
}

/**
 * Returns the version that derived the rollout's rows; zero, so that they are derived again, for one that comes back:
 * its release ended when it was marked gone.
 */
function derivedBy(state: RolloutState | undefined, { op }: ObjectEntry): number {
  if (state === undefined) return derivationVersion;
  return op === "upsert" && state.presence !== "live" ? 0 : Math.min(state.derivationVersion, derivationVersion);
}

/** Returns the state without old attempts: memory must not grow with the number of revisions. */
function withoutOldAttempts(state: RolloutState): RolloutState {
  const { attempts, previous } = state.history;
  if (previous === undefined || attempts.size <= 2) return state;
  const kept = runKeysOf(previous).map((key) => [key, attempts.get(key) ?? 0] as const);
  return { ...state, history: { ...state.history, attempts: new Map(kept) } };
}

/** Reads the number of the newest attempt of each revision that a rollout newly names. */
async function completeAttempts(
  tx: PoolClient,
  seenObjects: readonly SeenObject[],
  before: Map<string, RolloutState>,
): Promise<void> {
  const wanted = seenObjects.flatMap(({ id, rollout }) => {
    const known = before.get(id)?.history.attempts;
    if (known === undefined) return [];
    return rollout.runKeys.filter((key) => !known.has(key)).map((runKey) => ({ id, runKey: storableName(runKey) }));
  });
  for (const [id, attempts] of await loadAttempts(tx, wanted)) {
    const state = before.get(id);
    if (state === undefined) continue;
    const history = { ...state.history, attempts: new Map([...state.history.attempts, ...attempts]) };
    before.set(id, { ...state, history });
  }
}

async function examine(options: {
  source: SourceKey;
  provider: Provider;
  seenObjects: readonly SeenObject[];
  before: ReadonlyMap<string, RolloutState>;
  replicaSets: ReadonlyMap<string, StoredReplicaSet[]>;
  knownPasses: ReadonlyMap<string, KnownPass[]>;
  related: ReadonlyMap<string, RelatedState>;
}): Promise<Found> {
  const { source, provider, seenObjects, before, replicaSets, knownPasses, related } = options;
  const found: Found = {
    rows: new Map(),
    observations: [],
    events: [],
    releases: [],
    ended: new Map(),
    changes: [],
    states: new Map(),
  };
  const slices = startSlices();
  for (const seenObject of seenObjects) {
    if (slices.isOver) await slices.rest();
    const state = found.states.get(seenObject.id) ?? before.get(seenObject.id);
    if (isNothingNew(state, seenObject.entry)) continue;
    examineSeen({
      source,
      provider,
      seenObject,
      state,
      found,
      replicaSets: replicaSets.get(seenObject.id) ?? [],
      knownPasses: knownPasses.get(seenObject.id) ?? [],
      related: related.get(seenObject.id) ?? nothingRelated,
    });
  }
  return found;
}

/** Returns whether the entry brings nothing new. A relist may repeat versions from a watch, or return older ones. */
function isNothingNew(state: RolloutState | undefined, entry: ObjectEntry): boolean {
  if (state === undefined) return false;
  if (isOlderVersion(entry.resourceVersion, state.resourceVersion)) return true;
  const isSame = entry.resourceVersion === state.resourceVersion && entry.op === "upsert" && state.presence === "live";
  return isSame && !state.isLoaded;
}

function examineSeen(options: {
  source: SourceKey;
  provider: Provider;
  seenObject: SeenObject;
  state: RolloutState | undefined;
  found: Found;
  replicaSets: readonly StoredReplicaSet[];
  knownPasses: readonly KnownPass[];
  related: RelatedState;
}): void {
  const { source, provider, seenObject, found, replicaSets, knownPasses } = options;
  const { id, entry, rollout } = seenObject;
  const state = options.state && { ...options.state, derivationVersion: derivedBy(options.state, entry) };
  const now = entry.receivedAt.toISOString();
  const stored = toStoredObject(entry.object, entry);
  const { viewDigest } = rollout;
  const related = { ...options.related, replicaSets, memory: state?.observation?.projection };
  const computed = rollout.summarize(related);
  // Observations, releases and events contain the object's texts: none may repeat a secret.
  const toStorable = (text: string): string => storableText(text, stored.secrets);
  const summary = { ...computed, message: toStorable(computed.message) };
  const managedFields = markManagedFields(rollout.metadata.managedFields);
  const manager = computeWriter({ current: managedFields, previous: state?.managedFields });
  const writer = manager === undefined ? null : rollout.nameWriter(manager, source.controllerManagers);
  const observedAt = timeAfter(state?.observation?.observedAt, entry.receivedAt);
  const projection = rollout.observe({
    summary,
    toStorable,
    related,
    writer,
    observedAt,
    isDeleted: entry.op === "deleted",
    knownPasses: knownPasses.filter(({ runKey }) => runKey === rollout.runKey).map(({ step }) => step),
  });
  const observed = { observedAt, resourceVersion: observedVersionOf(entry, state?.observation), writer, projection };
  const observation: RecordedObservation = { ...observed, ...provider.readObservation(observed) };
  const attention = rollout.findAttention({
    summary,
    related: { ...related, memory: projection },
    state: observation.state,
    previous: state?.attention,
    now,
  });
  // One version of an object makes one observation: history is derived from the stored observations.
  const isChanged =
    observation.resourceVersion !== state?.observation?.resourceVersion &&
    !isSameJson(observation.projection, state?.observation?.projection);
  let history = state?.history ?? noReleases;
  let { storedSpec } = state ?? {};
  if (isChanged) {
    const { frame, spec: content } = splitObject(stored.value);
    const spec = toPart(content);
    storedSpec = spec?.digest;
    found.observations.push({
      rolloutId: id,
      value: { ...observation, provider: provider.name, viewDigest, frame: toStorableJson(frame), spec },
    });
  }
  if (isChanged && !isDerivationDue(state)) {
    const known = toKnownRevisions(replicaSets);
    const events = compareObservations(state?.observation, observation, { named: history.previous, known });
    found.events.push(...events.map((value) => ({ rolloutId: id, value })));
    const folded = foldRelease(history, observation, known);
    history = folded.history;
    addReleases({ source, seenObject, found, changed: folded.changed });
    if (folded.changed.some(({ endedAt }) => endedAt === observedAt)) found.ended.set(id, rollout.runChecksum);
  }
  const row = toRolloutRow({
    ...{ id, source, entry, rollout, summary, viewDigest, attention, stored },
    derivationVersion: state?.derivationVersion ?? derivationVersion,
    // An earlier version of the same batch may have made an observation.
    isRunsDue: provider.reporting !== undefined && (isChanged || found.rows.get(id)?.runs_due === true),
  });
  found.rows.set(id, row);
  const digest = digestOf({ provider, row, stored: stored.value });
  found.states.set(id, {
    resourceVersion: entry.resourceVersion,
    presence: entry.op === "deleted" ? "deleted" : "live",
    attention,
    observation: isChanged ? observation : state?.observation,
    history,
    derivationVersion: row.derivation_version,
    managedFields,
    storedSpec,
    digest,
    isLoaded: false,
  });
  const isSame = !isChanged && digest !== undefined && digest === state?.digest;
  const isOther = state?.resourceVersion !== entry.resourceVersion && !isSame;
  if (isOther || state?.presence !== "live" || entry.op === "deleted")
    found.changes.push(
      rolloutChange({ source, place: placeOf(rollout), op: entry.op === "deleted" ? "delete" : "upsert" }),
    );
}

/**
 * Returns the digest of the row that lists and pages show, and of the object without its version and without the fields
 * that the controller rewrites at every check. Undefined if the controller writes only changes.
 */
function digestOf({
  provider,
  row,
  stored,
}: {
  provider: Provider;
  row: RolloutRow;
  stored: unknown;
}): string | undefined {
  if (provider.withoutTicks === undefined) return undefined;
  const shown = { ...row, resource_version: "", updated_at: "", derivation_version: 0, runs_due: false, object: "" };
  const object = provider.withoutTicks(stored) as { metadata: Record<string, unknown> };
  const metadata = { ...object.metadata, resourceVersion: undefined, managedFields: undefined };
  return sha256Hex(JSON.stringify([shown, { ...object, metadata }]));
}

/**
 * Returns a time at least a millisecond after the previous observation. History is ordered by these times: several
 * changes come within one millisecond, and another recorder's clock may have been ahead of ours.
 */
function timeAfter(last: string | undefined, receivedAt: Date): string {
  const earliest = last === undefined ? 0 : Date.parse(last) + 1;
  return new Date(Math.max(receivedAt.getTime(), earliest)).toISOString();
}

/** Returns the version to store: a deletion may come with the version of the last change. */
function observedVersionOf(entry: ObjectEntry, last: RecordedObservation | undefined): string {
  const { op, resourceVersion } = entry;
  return op === "deleted" && last?.resourceVersion === resourceVersion ? `${resourceVersion}-deleted` : resourceVersion;
}

function addReleases(options: {
  source: SourceKey;
  seenObject: SeenObject;
  found: Found;
  changed: readonly Release[];
}): void {
  const { source, seenObject, found, changed } = options;
  for (const release of changed) {
    const ref = releaseId(seenObject.id, release);
    const earlier = found.releases.findIndex(
      (each) => each.rolloutId === seenObject.id && releaseId(each.rolloutId, each.value) === ref,
    );
    if (earlier >= 0) found.releases.splice(earlier, 1);
    found.releases.push({ rolloutId: seenObject.id, value: release });
    found.changes.push(releaseChange({ source, place: placeOf(seenObject.rollout), ref }));
  }
}

function placeOf({ metadata: { namespace = "", name } }: DeliveryObject): { namespace: string; name: string } {
  return { namespace, name };
}

/** Compares JSON regardless of key order, which differs in stored JSON (jsonb sorts keys). */
function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(sortKeys(one)) === JSON.stringify(sortKeys(other));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  );
}
