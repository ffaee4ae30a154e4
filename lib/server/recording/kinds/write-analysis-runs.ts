import type { PoolClient } from "pg";
import type { MeasuredRun, Measurement, MeasuringProvider } from "#lib/domain/delivery/measuring.ts";
import {
  contradictsCounters,
  type KnownMeasurement,
  type MeasurementGap,
  sequenceMeasurements,
} from "#lib/domain/delivery/sequence-measurements.ts";
import type { Parsed } from "#lib/domain/kube/kube-object.ts";
import { isOlderVersion } from "#lib/domain/kube/resource-version.ts";
import { measuringProviderOf } from "#lib/domain/providers.ts";
import type { SourceKey } from "#lib/server/clusters/sources/watched-resources.ts";
import { answersOf } from "#lib/server/platform/db/in-transaction.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { runInSlices, type Slices, startSlices } from "#lib/server/platform/db/slices.ts";
import type {
  Gone,
  KindResult,
  KindWriter,
  ObjectEntry,
  PoisonEntry,
} from "#lib/server/recording/store/batch-types.ts";
import type { ChangeRow } from "#lib/server/recording/store/change-rows.ts";
import { type StoredObject, storableName, toStoredObject } from "#lib/server/recording/store/text-fields.ts";
import { lockJoin } from "#lib/server/recording/store/view-lock.ts";
import { listLiveUids, updateGone } from "./kind-rows.ts";
import {
  contentOfRow,
  countSameStart,
  findChangedMarks,
  keepMeasurement,
  keyStartOf,
  listMeasurements,
  loadStoredMeasurements,
  type Numbered,
  type StoredMeasurement,
  type SupersededMark,
  writeSupersededMarks,
} from "./known-measurements.ts";
import { readingOf } from "./object-writer.ts";
import { deleteOpenGaps, insertOpenGaps, storeGaps } from "./open-gaps.ts";
import { unpackWritten } from "./packed-measurements.ts";
import {
  findTopOwner,
  loadExperimentOwners,
  resolveTopOwner,
  type TopOwner,
  topOwnerKind,
  topOwnerName,
} from "./resolve-top-owner.ts";
import {
  insertMeasurements,
  insertRuns,
  lockRuns,
  type MetricName,
  type MetricRow,
  placeMeasurements,
  type RunRow,
  storeMetrics,
  toMeasurementRow,
  toMetricRows,
  toRunRow,
  type UnplacedMeasurement,
} from "./run-rows.ts";
import { createRunMemory, loadRunStates, type MetricState, type RunState } from "./run-state.ts";
import { insertTerminations, type TerminationRow, toTerminationRows } from "./write-terminations.ts";

/** `spec` is the run's spec as it is stored. */
type Prepared = { run: MeasuredRun; spec: StoredObject };
type SeenObject = Prepared & { entry: ObjectEntry };
type Reading = Parsed<Prepared>;
/** In characters. Most runs have a tenth of that. */
const largeSize = 64 * 1024;

/** Runs with so many measurements are inserted together. */
const enoughMeasurements = 3000;

type Found = {
  runs: Map<string, RunRow>;
  metrics: Map<string, MetricRow>;
  /** By run and metric. */
  measurements: Map<string, Numbered>;
  measured: number;
  marks: Map<string, SupersededMark>;
  gaps: Map<string, MetricName & MeasurementGap>;
  states: Map<string, RunState>;
  terminations: TerminationRow[];
  changes: ChangeRow[];
  completed: string[];
};

function nothingFound(): Found {
  return {
    ...{ runs: new Map(), metrics: new Map(), measurements: new Map(), marks: new Map(), gaps: new Map() },
    ...{ measured: 0, states: new Map(), terminations: [], changes: [], completed: [] },
  };
}

/**
 * Writes analysis runs, their metrics and all their measurements. The cluster keeps few measurements, so every version
 * of a run in a batch is examined, although only the newest one makes the run's row.
 */
export function createAnalysisRunWriter(source: SourceKey, onCompleted: (phase: string) => void): KindWriter {
  const measuring = measuringProviderOf(source.kind);
  const memory = createRunMemory();

  async function write(tx: PoolClient, entries: readonly ObjectEntry[]): Promise<KindResult> {
    await lockJoin(tx, "run-owner", source.cluster);
    const slices = startSlices();
    const { seenObjects, poison } = await parseEntries(
      entries.filter((entry) => !memory.isKnown(entry)),
      (entry) => readingOf<Prepared>(entry) ?? runInSlices(readInSteps(measuring, entry), slices),
    );
    const uids = [...new Set(seenObjects.map((seenObject) => seenObject.entry.uid))];
    const loaded = await loadRunStates(
      tx,
      uids.filter((uid) => memory.find(uid) === undefined),
    );
    const owners = await loadExperimentOwners(
      tx,
      seenObjects.map((seenObject) => seenObject.run),
    );
    const runs = [...Map.groupBy(seenObjects, ({ entry }) => entry.uid)];
    const examineSome = async (): Promise<Found> => {
      const found = nothingFound();
      while (runs.length > 0 && found.measured < enoughMeasurements) {
        const [uid, versions] = runs.shift() ?? ["", []];
        for (const seenObject of versions) {
          const state = found.states.get(uid) ?? memory.find(uid) ?? loaded.get(uid);
          if (state !== undefined && isNothingNew(state, seenObject.entry)) continue;
          const { run } = seenObject;
          const rolloutId = resolveTopOwner({ cluster: source.cluster, run, owners, stored: state?.rolloutId });
          const top = findTopOwner({ run, owners });
          await examineSeen({ tx, source, measuring, seenObject, state, rolloutId, top, found, slices });
          if (slices.isOver) await slices.rest();
        }
      }
      return found;
    };
    const isUnobserved = (uid: string) => loaded.get(uid)?.presence === "unobserved";
    const parts: Found[] = [];
    // The database inserts some runs while the next ones are examined.
    let inserting = Promise.resolve();
    while (runs.length > 0) {
      const [found] = await answersOf([examineSome(), inserting]);
      parts.push(found);
      inserting = insertFound(tx, found, isUnobserved);
    }
    await inserting;
    return {
      changes: parts.flatMap(({ changes }) => changes),
      poison,
      committed: () => {
        for (const { completed, states } of parts) {
          for (const phase of completed) onCompleted(phase);
          for (const [uid, state] of states) memory.keep(uid, state);
        }
      },
    };
  }

  async function markGone(tx: PoolClient, gone: Gone) {
    // Only runs that vanished unseen lost measurements; an observed deletion carried the last state.
    if (gone.presence === "unobserved") await insertOpenGaps(tx, gone.uids);
    const update = updateGone("analysis_run", gone).returning([
      "uid",
      "namespace",
      topOwnerKind.as("object_kind"),
      topOwnerName.as("name"),
    ]);
    const rows = await readRows(tx, update);
    for (const row of rows) memory.forget(row.uid);
    return rows.map((row) => changeOf(source, row));
  }

  return {
    prepare(entry) {
      // A large one is read in slices when it is its turn: later arrivals are already queued behind it.
      if ((entry.size ?? 0) < largeSize) entry.reading = readWhole(measuring, entry);
    },
    // The rules of a run are its spec: it need not be parsed twice.
    partToRedact: ({ object }) => (object as { spec?: unknown }).spec,
    write,
    markGone,
    listLive: (tx) => listLiveUids(tx, "analysis_run", source),
    reset: () => memory.clear(),
  };
}

function readWhole(measuring: MeasuringProvider, entry: ObjectEntry): Reading {
  const steps = readInSteps(measuring, entry);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

function* readInSteps(measuring: MeasuringProvider, entry: ObjectEntry): Generator<undefined, Reading, undefined> {
  const parsed = measuring.parseRun(entry.object);
  if (!parsed.ok) return parsed;
  yield;
  return { ok: true, value: { run: parsed.value, spec: toStoredObject(parsed.value.rules, entry) } };
}

async function parseEntries(
  entries: readonly ObjectEntry[],
  read: (entry: ObjectEntry) => Reading | Promise<Reading>,
): Promise<{ seenObjects: SeenObject[]; poison: PoisonEntry[] }> {
  const seenObjects: SeenObject[] = [];
  const poison: PoisonEntry[] = [];
  for (const entry of entries) {
    const reading = await read(entry);
    if (reading.ok) seenObjects.push({ entry, ...reading.value });
    else poison.push({ entry, reason: reading.reason });
  }
  return { seenObjects, poison };
}

/** Returns whether the entry brings nothing new. A relist may repeat versions from a watch, or return older ones. */
function isNothingNew(state: RunState, entry: ObjectEntry): boolean {
  if (isOlderVersion(entry.resourceVersion, state.resourceVersion)) return true;
  const isSame = entry.resourceVersion === state.resourceVersion && entry.op === "upsert" && state.presence === "live";
  return isSame && !state.isLoaded;
}

async function examineSeen(options: {
  tx: PoolClient;
  source: SourceKey;
  measuring: MeasuringProvider;
  seenObject: SeenObject;
  state: RunState | undefined;
  rolloutId: string;
  /** The rollout that it belongs to, if known. */
  top: TopOwner | undefined;
  found: Found;
  slices: Slices;
}): Promise<void> {
  const { tx, source, measuring, seenObject, state, rolloutId, top, found, slices } = options;
  const { entry, run } = seenObject;
  const { secrets } = seenObject.spec;
  const { parseValue } = measuring;
  const metrics = new Map<string, MetricState>(state?.metrics);
  for (const result of run.results) {
    const before = metrics.get(result.name);
    const ids = { runUid: entry.uid, metric: storableName(result.name) };
    const contentOf = (measurement: Measurement): string =>
      contentOfRow(
        toMeasurementRow({
          // The metadata does not tell measurements apart: older rows have none.
          measurement: { ...measurement, seq: 0, startedAt: "", metadata: undefined },
          secrets,
          parseValue,
        }),
      ) ?? "";
    const own = numberedOf(found, ids);
    const { stored, newest: known } = await knownOf({ tx, found, own, rolloutId, ids, result, before, contentOf });
    const sequence = sequenceMeasurements({
      result,
      lastSeq: before?.lastSeq ?? 0,
      known: stored ?? known,
      contentOf,
      fallbackStart: run.startedAt ?? run.createdAt ?? entry.receivedAt.toISOString(),
    });
    if (stored !== undefined)
      for (const mark of findChangedMarks(stored, sequence))
        found.marks.set([entry.uid, ids.metric, mark.seq, mark.key].join("\n"), { ...ids, ...mark });
    for (const gap of sequence.gaps)
      found.gaps.set([entry.uid, ids.metric, gap.afterSeq].join("\n"), { ...ids, ...gap });
    let newest = before?.newest;
    let newestRow: UnplacedMeasurement["row"] | undefined;
    for (const measurement of sequence.measurements) {
      if (slices.isOver) await slices.rest();
      const isFinished = measurement.finishedAt !== undefined && measurement.finishedAt !== "";
      const isNumbered = !sequence.inconsistent && measurement.seq <= (before?.lastSeq ?? 0);
      const isStored = isFinished && isNumbered && !measurement.isTakenAgain && !measurement.isEnd;
      const isNewest = isFinished && measurement.seq >= (newest?.seq ?? 0);
      if (isStored && !isNewest) continue;
      const row = toMeasurementRow({ measurement, secrets, parseValue });
      if (isNewest) {
        newest = { seq: row.seq, startedAt: measurement.startedAt, content: undefined, superseded: false };
        newestRow = row;
      }
      if (isStored) continue;
      if (measurement.isTakenAgain)
        row.started_at = keyStartOf(row.started_at, countSameStart(stored ?? [], measurement));
      if (keepMeasurement(own, { ...ids, row })) found.measured++;
    }
    if (newest !== undefined && newestRow !== undefined) newest = { ...newest, content: contentOfRow(newestRow) };
    if (newest !== undefined && newest.seq > result.count + result.error) newest = { ...newest, superseded: true };
    metrics.set(result.name, {
      lastSeq: sequence.lastSeq,
      newest,
      inconsistent: sequence.inconsistent || (before?.inconsistent ?? false),
    });
  }
  const inconsistent = new Set([...metrics].filter(([, metric]) => metric.inconsistent).map(([name]) => name));
  const row = toRunRow({ source, entry, run, spec: seenObject.spec, rolloutId });
  found.runs.set(entry.uid, row);
  for (const metric of toMetricRows(run.listMetrics(), { rolloutId, runUid: entry.uid }, { inconsistent, secrets }))
    found.metrics.set(`${entry.uid}\n${metric.name}`, metric);
  if (row.completed_at !== null && state?.isCompleted !== true) found.completed.push(row.phase);
  if (row.terminated && state?.isTerminated !== true) {
    const isFirstSight = state === undefined;
    const holders = run.findEnders(source.controllerManagers);
    found.terminations.push(...toTerminationRows({ kind: "AnalysisRun", entry, holders, isFirstSight }));
  }
  found.states.set(entry.uid, {
    rolloutId,
    resourceVersion: entry.resourceVersion,
    presence: row.presence,
    isCompleted: row.completed_at !== null || (state?.isCompleted ?? false),
    isTerminated: row.terminated,
    metrics,
    isLoaded: false,
  });
  if (state?.resourceVersion !== entry.resourceVersion || state.presence !== row.presence)
    found.changes.push(
      changeOf(source, {
        uid: entry.uid,
        namespace: row.namespace,
        object_kind: top?.kind ?? null,
        name: top?.name ?? null,
      }),
    );
}

function numberedOf(found: Found, { runUid, metric }: MetricName): Numbered {
  const key = `${runUid}\n${metric}`;
  const own: Numbered = found.measurements.get(key) ?? new Map();
  found.measurements.set(key, own);
  return own;
}

/** Loads known measurements for the cross-check. The newest stored one usually suffices; a contradiction needs all. */
async function knownOf(options: {
  tx: PoolClient;
  found: Found;
  own: Numbered;
  rolloutId: string;
  ids: MetricName;
  result: Parameters<typeof contradictsCounters>[0];
  before: MetricState | undefined;
  contentOf: (measurement: Measurement) => string;
}): Promise<{ newest: KnownMeasurement[]; stored?: StoredMeasurement[] }> {
  const { tx, found, own, rolloutId, ids, result, before, contentOf } = options;
  const newest = before?.newest === undefined ? [] : [before.newest];
  if (!contradictsCounters(result) && before?.inconsistent !== true && !isMoved(result, { before, contentOf }))
    return { newest };
  const isOwn = ({ runUid, metric }: MetricName) => runUid === ids.runUid && metric === ids.metric;
  const pending = listMeasurements(own).map(({ row }) => row);
  const marks = [...found.marks.values()].filter(isOwn);
  return { newest, stored: await loadStoredMeasurements(tx, { rolloutId, ...ids, pending, marks }) };
}

/** Returns whether the newest stored measurement left the list, or another one has its number. */
function isMoved(
  result: Parameters<typeof contradictsCounters>[0],
  { before, contentOf }: { before: MetricState | undefined; contentOf: (measurement: Measurement) => string },
): boolean {
  if (before?.newest === undefined) return false;
  const { seq, startedAt, content, superseded } = before.newest;
  const total = result.count + result.error;
  // The counters went back: the controller has forgotten some measurements, and will retake or remember them.
  if (total < seq || superseded) return true;
  const finished = result.measurements.filter((each) => each.finishedAt !== undefined && each.finishedAt !== "");
  const same = finished[seq - (total - finished.length) - 1];
  if (same?.startedAt === undefined) return false;
  return Date.parse(same.startedAt) !== Date.parse(startedAt) || contentOf(same) !== content;
}

async function insertFound(tx: PoolClient, found: Found, isUnobserved: (uid: string) => boolean): Promise<void> {
  await deleteOpenGaps(tx, [...found.states.keys()].filter(isUnobserved));
  const runs = [...found.runs.values()];
  const storeRuns = async () => {
    await insertRuns(tx, runs);
    return storeMetrics(tx, [...found.metrics.values()]);
  };
  const measurements = [...found.measurements.values()].flatMap(listMeasurements);
  const [locked, idOf] = await answersOf([lockRuns(tx, runs), storeRuns()]);
  await unpackWritten(tx, locked, [...measurements, ...found.marks.values(), ...found.gaps.values()]);
  await insertMeasurements(tx, placeMeasurements(measurements, idOf));
  await writeSupersededMarks(tx, [...found.marks.values()], idOf);
  const gaps = [...found.gaps.values()];
  await storeGaps(
    tx,
    gaps.map((gap) => ({ metric_id: idOf(gap), after_seq: gap.afterSeq, count: gap.count })),
  );
  await insertTerminations(tx, found.terminations);
}

type Changed = { uid: string } & Pick<ChangeRow, "namespace" | "object_kind" | "name">;

function changeOf({ cluster }: SourceKey, { uid, ...place }: Changed): ChangeRow {
  return { kind: "analysis-run", ref: uid, op: "upsert", cluster, ...place };
}
