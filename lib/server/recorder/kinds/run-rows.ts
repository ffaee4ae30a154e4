import type { MeasuredMetric, MeasuredRun, MeasuringProvider } from "#lib/domain/delivery/measuring.ts";
import type { SequencedMeasurement } from "#lib/domain/delivery/sequence-measurements.ts";
import { escapeText, toStorableJson } from "#lib/domain/storable/escape-text.ts";
import { hideSecrets } from "#lib/domain/storable/redact-text.ts";
import { storableTime } from "#lib/domain/storable/storable-time.ts";
import type { ObjectEntry } from "#lib/server/recorder/store/batch-types.ts";
import type { Columns } from "#lib/server/recorder/store/insert-rows.ts";
import { type StoredObject, storableName, storableText } from "#lib/server/recorder/store/text-fields.ts";
import type { SourceKey } from "#lib/server/sources/watched-resources.ts";

export type RunRow = {
  uid: string;
  rollout_id: string;
  cluster: string;
  namespace: string;
  name: string;
  owner_kind: string | null;
  owner_name: string | null;
  owner_uid: string | null;
  type: string;
  step_index: number | null;
  revision: number | null;
  pod_hash: string | null;
  phase: string;
  message: string;
  terminated: boolean;
  spec: string;
  run_summary: string | null;
  dry_run_summary: string | null;
  resource_version: string;
  presence: string;
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  gone_at: string | null;
  updated_at: string;
};

export const runColumns: Columns<RunRow> = {
  uid: "text",
  rollout_id: "uuid",
  cluster: "text",
  namespace: "text",
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
  resource_version: "text",
  presence: "text",
  created_at: "timestamptz",
  started_at: "timestamptz",
  completed_at: "timestamptz",
  gone_at: "timestamptz",
  updated_at: "timestamptz",
};

export function toRunRow(options: {
  source: SourceKey;
  entry: ObjectEntry;
  run: MeasuredRun;
  spec: StoredObject;
  rolloutId: string;
}): RunRow {
  const { source, entry, run, spec, rolloutId } = options;
  const { owner } = run;
  const isGone = entry.op === "deleted";
  const receivedAt = entry.receivedAt.toISOString();
  return {
    uid: entry.uid,
    rollout_id: rolloutId,
    cluster: source.cluster,
    namespace: run.namespace,
    name: storableName(run.name),
    owner_kind: owner?.kind ?? null,
    owner_name: owner?.name ?? null,
    owner_uid: owner?.uid ?? null,
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
    resource_version: entry.resourceVersion,
    presence: isGone ? "deleted" : "live",
    created_at: storableTime(run.createdAt) ?? receivedAt,
    started_at: storableTime(run.startedAt),
    completed_at: storableTime(run.readCompletedAt()),
    gone_at: isGone ? receivedAt : null,
    updated_at: receivedAt,
  };
}

export type MetricRow = {
  run_uid: string;
  name: string;
  ord: number;
  phase: string;
  message: string;
  dry_run: boolean;
  provider: string | null;
  count: number;
  successful: number;
  failed: number;
  inconclusive: number;
  error: number;
  consecutive_error: number;
  consecutive_success: number;
  query: string | null;
  inconsistent: boolean;
};

export const metricColumns: Columns<MetricRow> = {
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
};

/** Returns a row per metric of the spec, measured or not, and per result that the spec does not name. */
export function toMetricRows(
  metrics: readonly MeasuredMetric[],
  { runUid, inconsistent, secrets }: { runUid: string; inconsistent: ReadonlySet<string>; secrets: readonly string[] },
): MetricRow[] {
  return metrics.map(({ name, metricProvider, query, result }, ord) => {
    return {
      run_uid: runUid,
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
    };
  });
}

export type MeasurementRow = {
  rollout_id: string;
  run_uid: string;
  metric: string;
  seq: number;
  started_at: string;
  finished_at: string | null;
  phase: string;
  value: string | null;
  escaped: boolean;
  parsed_kind: string;
  parsed: number | null;
  message: string;
  superseded: boolean;
};

export const measurementColumns: Columns<MeasurementRow> = {
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
};

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
  };
}
