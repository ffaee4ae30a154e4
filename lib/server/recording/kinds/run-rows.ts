import { sql } from "kysely";
import type { PoolClient } from "pg";
import type { MeasuredMetric, MeasuredRun, MeasuringProvider } from "#lib/domain/delivery/measuring.ts";
import type { SequencedMeasurement } from "#lib/domain/delivery/sequence-measurements.ts";
import { escapeText, storableTime, toStorableJson } from "#lib/domain/storable/escape-text.ts";
import { hideSecrets } from "#lib/domain/storable/redact-text.ts";
import type { SourceKey } from "#lib/server/clusters/sources/watched-resources.ts";
import {
  type InsertedRow,
  notOlder,
  prepareInsert,
  prepareLock,
  timeOfChange,
} from "#lib/server/platform/db/prepare-insert.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";
import type { ObjectEntry } from "#lib/server/recording/store/batch-types.ts";
import {
  type StoredObject,
  storableName,
  storableText,
  storableTexts,
} from "#lib/server/recording/store/text-fields.ts";
import { encodePhase, encodeValue, kindCodes } from "#lib/server/records/measurement-codes.ts";
import { objectColumns, toObjectRow } from "./kind-rows.ts";

export const insertRuns = prepareInsert({
  table: "analysis_run",
  columns: {
    ...objectColumns,
    rollout_id: "uuid",
    namespace: "text",
    kind: "text",
    name: "text",
    owner_kind: "text",
    owner_name: "text",
    owner_uid: "text",
    type: "text",
    step_index: "int4",
    revision: "int4",
    pod_hash: "text",
    phase: "text",
    message: "text",
    terminated: "bool",
    spec: "jsonb",
    run_summary: "jsonb",
    dry_run_summary: "jsonb",
    created_at: "timestamptz",
    started_at: "timestamptz",
    completed_at: "timestamptz",
    clock_skew_ms: "int4",
  },
  conflict: {
    // The owner was settled when the run was first stored: the writer names that rollout (run-state.ts).
    key: ["rollout_id", "uid"],
    keep: ["clock_skew_ms"],
    set: { updated_at: timeOfChange("analysis_run") },
    when: notOlder("analysis_run"),
  },
});
export type RunRow = InsertedRow<typeof insertRuns>;

/**
 * Locks runs before they are inserted again. Who changes metrics, measurements or gaps of a run locks its row first as
 * well.
 */
export const lockRuns = prepareLock("analysis_run", { rollout_id: "uuid", uid: "text" }, [
  "rollout_id",
  "uid",
  "measurements_packed",
  "measurements_expired",
]);

export function toRunRow(options: {
  source: SourceKey;
  entry: ObjectEntry;
  run: MeasuredRun;
  spec: StoredObject;
  rolloutId: string;
}): RunRow {
  const { source, entry, run, spec, rolloutId } = options;
  const { owner } = run;
  return {
    ...toObjectRow({ source, entry }),
    rollout_id: rolloutId,
    namespace: run.namespace,
    kind: source.kind,
    name: storableName(run.name),
    owner_kind: owner?.kind ?? null,
    owner_name: owner?.name ?? null,
    owner_uid: owner?.uid || null,
    type: run.type,
    step_index: run.stepIndex ?? null,
    revision: run.revision ?? null,
    pod_hash: run.podHash ?? null,
    phase: storableName(run.phase),
    message: storableText(run.message, spec.secrets),
    terminated: run.isTerminated,
    spec: spec.json,
    run_summary: run.summary === undefined ? null : toStorableJson(run.summary),
    dry_run_summary: run.dryRunSummary === undefined ? null : toStorableJson(run.dryRunSummary),
    created_at: storableTime(run.createdAt) ?? entry.receivedAt.toISOString(),
    started_at: storableTime(run.startedAt),
    completed_at: storableTime(run.readCompletedAt()),
    clock_skew_ms: entry.clockSkewMs ?? null,
  };
}

const insertMetrics = prepareInsert({
  table: "metric",
  columns: {
    rollout_id: "uuid",
    run_uid: "text",
    name: "text",
    ord: "int4",
    phase: "text",
    message: "text",
    dry_run: "bool",
    provider: "text",
    count: "int4",
    successful: "int4",
    failed: "int4",
    inconclusive: "int4",
    error: "int4",
    consecutive_error: "int4",
    consecutive_success: "int4",
    query: "text",
    inconsistent: "bool",
    metadata: "jsonb",
  },
  conflict: { key: ["rollout_id", "run_uid", "name"], keep: [] },
  // Of every row: the stored ones are updated.
  returning: ["id", "run_uid", "name"],
});
export type MetricRow = InsertedRow<typeof insertMetrics>;

/** Returns a row per metric of the spec, measured or not, and per result that the spec does not name. */
export function toMetricRows(
  metrics: readonly MeasuredMetric[],
  ids: { rolloutId: string; runUid: string },
  { inconsistent, secrets }: { inconsistent: ReadonlySet<string>; secrets: readonly string[] },
): MetricRow[] {
  return metrics.map(({ name, metricProvider, query, metadata, result }, ord) => {
    return {
      rollout_id: ids.rolloutId,
      run_uid: ids.runUid,
      name: storableName(name),
      ord,
      phase: storableName(result?.phase || "Pending"),
      message: storableText(result?.message ?? "", secrets),
      dry_run: result?.dryRun ?? false,
      provider: metricProvider === undefined ? null : storableName(metricProvider),
      count: result?.count ?? 0,
      successful: result?.successful ?? 0,
      failed: result?.failed ?? 0,
      inconclusive: result?.inconclusive ?? 0,
      error: result?.error ?? 0,
      consecutive_error: result?.consecutiveError ?? 0,
      consecutive_success: result?.consecutiveSuccess ?? 0,
      query: query === undefined ? null : storableText(query, secrets),
      inconsistent: inconsistent.has(name),
      metadata: storableTexts(metadata, secrets),
    };
  });
}

const m = fragment<{ measurement: "measurement"; excluded: "measurement" }>();
/** A value that its number gives is stored as an empty text: then the numbers differ. */
const contentOf = (row: "measurement" | "excluded") =>
  sql`(${sql.join(
    (["finished_at", "phase", "value", "parsed_kind", "parsed", "message", "metadata"] as const).map((column) =>
      m.ref(`${row}.${column}`),
    ),
  )})`;

export const measurementColumns = {
  metric_id: "int8",
  started_at: "timestamptz",
  finished_at: "timestamptz",
  parsed: "float8",
  seq: "int4",
  superseded: "bool",
  escaped: "bool",
  phase: "text",
  parsed_kind: "text",
  value: "text",
  message: "text",
  metadata: "text",
} as const;

/** Inserts measurements. This is the hot path. Keys must differ within one call. */
export const insertMeasurements = prepareInsert({
  table: "measurement",
  columns: measurementColumns,
  conflict: {
    key: ["metric_id", "seq", "started_at"],
    keep: [],
    // Only rows that differ are rewritten: updating a row to itself costs as much as a new row. A finished measurement
    // is never overwritten by one in flight: a controller that is behind may show an earlier state again.
    when: sql`(${m("excluded.finished_at", "is not", null)} OR ${m("measurement.finished_at", "is", null)})
      AND ${contentOf("measurement")} IS DISTINCT FROM ${contentOf("excluded")}`,
  },
});
export type MeasurementRow = InsertedRow<typeof insertMeasurements>;

/** Names the metric of a row whose number is not known before the metric is inserted. */
export type MetricName = { runUid: string; metric: string };
export type UnplacedMeasurement = MetricName & { row: Omit<MeasurementRow, "metric_id"> };

/** Inserts metrics, and returns how to find their numbers. Those who insert something of a metric insert it first. */
export async function storeMetrics(
  tx: PoolClient,
  rows: readonly MetricRow[],
): Promise<(metric: MetricName) => string> {
  const written = await insertMetrics(tx, rows);
  const ids = new Map(written.map(({ id, run_uid: runUid, name }) => [`${runUid}\n${name}`, id]));
  return ({ runUid, metric }) => {
    const id = ids.get(`${runUid}\n${metric}`);
    if (id === undefined) throw new Error(`metric ${metric} of run ${runUid} was not stored`);
    return id;
  };
}

const gap = fragment<{ measurement_gap: "measurement_gap"; excluded: "measurement_gap" }>();

/** Gives rows the numbers of their metrics. The rows themselves change: a large run has tens of thousands. */
export function placeMeasurements(
  unplaced: readonly UnplacedMeasurement[],
  idOf: (metric: MetricName) => string,
): MeasurementRow[] {
  return unplaced.map((each) => Object.assign(each.row, { metric_id: idOf(each) }));
}

export const insertGaps = prepareInsert({
  table: "measurement_gap",
  columns: { metric_id: "int8", after_seq: "int4", count: "int4" },
  conflict: {
    key: ["metric_id", "after_seq"],
    set: { count: sql`GREATEST(${gap.ref("measurement_gap.count")}, ${gap.ref("excluded.count")})` },
  },
});
export type GapRow = InsertedRow<typeof insertGaps>;

export function toMeasurementRow(options: {
  measurement: Omit<SequencedMeasurement, "isTakenAgain" | "isEnd">;
  secrets: readonly string[];
  parseValue: MeasuringProvider["parseValue"];
}): UnplacedMeasurement["row"] {
  const { measurement, secrets, parseValue } = options;
  // A value is kept as received, except that the run's own secrets are replaced in it.
  const shown = measurement.value === undefined ? undefined : hideSecrets(measurement.value, secrets);
  const value = shown === undefined ? undefined : escapeText(shown);
  const message = escapeText(measurement.message);
  const parsed = parseValue(shown);
  return {
    started_at: storableTime(measurement.startedAt) ?? new Date(0).toISOString(),
    finished_at: storableTime(measurement.finishedAt),
    parsed: parsed.number ?? null,
    seq: measurement.seq,
    superseded: false,
    escaped: (value?.escaped ?? false) || message.escaped || shown !== measurement.value,
    phase: encodePhase(storableName(measurement.phase)),
    parsed_kind: kindCodes[parsed.kind],
    value: encodeValue(value?.text, parsed),
    message: storableText(measurement.message, secrets),
    metadata: storableTexts(measurement.metadata, secrets) ?? "",
  };
}
