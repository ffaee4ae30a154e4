import { sql } from "kysely";
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
  },
  conflict: {
    // The owner was settled when the run was first stored: the writer names that rollout (run-state.ts).
    key: ["rollout_id", "uid"],
    set: { updated_at: timeOfChange("analysis_run") },
    when: notOlder("analysis_run"),
  },
});
export type RunRow = InsertedRow<typeof insertRuns>;

/** Locks runs before they are inserted again. Who changes metrics or gaps of a run locks its row first as well. */
export const lockRuns = prepareLock("analysis_run", { rollout_id: "uuid", uid: "text" });

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
  };
}

export const insertMetrics = prepareInsert({
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
const contentOf = (row: "measurement" | "excluded") =>
  m.refTuple(`${row}.finished_at`, `${row}.phase`, `${row}.value`, `${row}.message`, `${row}.metadata`);

export const measurementColumns = {
  rollout_id: "uuid",
  run_uid: "text",
  metric: "text",
  seq: "int4",
  started_at: "timestamptz",
  finished_at: "timestamptz",
  phase: "text",
  value: "text",
  escaped: "bool",
  parsed_kind: "text",
  parsed: "float8",
  message: "text",
  superseded: "bool",
  metadata: "jsonb",
} as const;

/** Inserts measurements. This is the hot path. Keys must differ within one call. */
export const insertMeasurements = prepareInsert({
  table: "measurement",
  columns: measurementColumns,
  conflict: {
    key: ["rollout_id", "run_uid", "metric", "seq", "started_at"],
    keep: [],
    // Only rows that differ are rewritten: updating a row to itself costs as much as a new row. A finished measurement
    // is never overwritten by one in flight: a controller that is behind may show an earlier state again.
    when: sql`(${m("excluded.finished_at", "is not", null)} OR ${m("measurement.finished_at", "is", null)})
      AND ${contentOf("measurement")} IS DISTINCT FROM ${contentOf("excluded")}`,
  },
});
export type MeasurementRow = InsertedRow<typeof insertMeasurements>;

const gap = fragment<{ measurement_gap: "measurement_gap"; excluded: "measurement_gap" }>();

export const insertGaps = prepareInsert({
  table: "measurement_gap",
  columns: { rollout_id: "uuid", run_uid: "text", metric: "text", after_seq: "int4", count: "int4" },
  conflict: {
    key: ["rollout_id", "run_uid", "metric", "after_seq"],
    set: { count: sql`GREATEST(${gap.ref("measurement_gap.count")}, ${gap.ref("excluded.count")})` },
  },
});
export type GapRow = InsertedRow<typeof insertGaps>;

export function toMeasurementRow(options: {
  rolloutId: string;
  runUid: string;
  metric: string;
  measurement: Omit<SequencedMeasurement, "isTakenAgain" | "isEnd">;
  secrets: readonly string[];
  parseValue: MeasuringProvider["parseValue"];
}): MeasurementRow {
  const { rolloutId, runUid, metric, measurement, secrets, parseValue } = options;
  // A value is kept as received, except that the run's own secrets are replaced in it.
  const shown = measurement.value === undefined ? undefined : hideSecrets(measurement.value, secrets);
  const value = shown === undefined ? undefined : escapeText(shown);
  const message = escapeText(measurement.message);
  const parsed = parseValue(shown);
  return {
    rollout_id: rolloutId,
    run_uid: runUid,
    metric: storableName(metric),
    seq: measurement.seq,
    started_at: storableTime(measurement.startedAt) ?? new Date(0).toISOString(),
    finished_at: storableTime(measurement.finishedAt),
    phase: storableName(measurement.phase),
    value: value?.text ?? null,
    escaped: (value?.escaped ?? false) || message.escaped || shown !== measurement.value,
    parsed_kind: parsed.kind,
    parsed: parsed.number ?? null,
    message: storableText(measurement.message, secrets),
    superseded: false,
    metadata: storableTexts(measurement.metadata, secrets),
  };
}
