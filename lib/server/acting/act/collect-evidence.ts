import type { Pool } from "pg";
import type { ActionSubject } from "#lib/domain/acting/action-params.ts";
import { type Evidence, makeEvidence } from "#lib/domain/audit/audit-entry.ts";
import type { DeliveryObject } from "#lib/domain/delivery/provider.ts";
import type { RelatedState } from "#lib/domain/delivery/related-state.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { decodePhase, notes, valueText } from "#lib/server/records/measurement-codes.ts";
import { ofMetric } from "#lib/server/records/measurement-row.ts";

const measurementsPerMetric = 20;

const runColumns = [
  "uid",
  "name",
  "type",
  "phase",
  "message",
  "created_at",
  "started_at",
  "completed_at",
  "spec",
  "run_summary",
  "dry_run_summary",
  "terminated",
] as const;
const metricColumns = [
  "id",
  "run_uid",
  "name",
  "phase",
  "message",
  "dry_run",
  "provider",
  "query",
  "count",
  "successful",
  "failed",
  "inconclusive",
  "error",
  "consecutive_error",
  "consecutive_success",
  "metadata",
] as const;

type Row = Record<string, unknown>;

/**
 * Collects the frozen evidence of a decision: the rollout's decision view, and its current runs with every metric and
 * the newest measurements as recorded (redacted like the records).
 */
export async function collectEvidence({
  pool,
  rolloutId,
  rollout,
  related,
  subject,
}: {
  pool: Pool;
  rolloutId: string;
  /** Undefined for a run that no rollout owns. */
  rollout: DeliveryObject | undefined;
  related: RelatedState;
  /** The run or Experiment that the action is for. */
  subject?: ActionSubject | undefined;
}): Promise<Evidence> {
  const own = subject?.kind === "AnalysisRun" ? [subject.name] : [];
  const names = [...new Set([...(rollout?.runNames ?? []), ...own])];
  const runs = names.length === 0 ? [] : await readRuns({ pool, rolloutId, names });
  return makeEvidence({
    rollout: rollout === undefined ? null : describeRollout(rollout, related),
    ...(subject === undefined ? {} : { subject }),
    runs,
    runsNotRecorded: names.filter((name) => !runs.some((run) => run.name === name)),
  });
}

/** Describes the rollout, redacted: the object is live and not redacted yet, and evidence is kept for ever. */
function describeRollout(rollout: DeliveryObject, related: RelatedState): Row {
  const { view, attention } = rollout.acting.describeDecision();
  const { phase, message } = rollout.summarize(related);
  return {
    viewDigest: rollout.viewDigest,
    resourceVersion: rollout.metadata.resourceVersion,
    phase,
    message: rollout.redact(message),
    attention,
    view,
  };
}

async function readRuns({
  pool,
  rolloutId,
  names,
}: {
  pool: Pool;
  rolloutId: string;
  names: string[];
}): Promise<Row[]> {
  const runs = await readRows(
    pool,
    tables
      .selectFrom("analysis_run")
      .select(runColumns)
      .where("rollout_id", "=", rolloutId)
      .where(({ ref }) => isOneOf(ref("name"), names))
      .orderBy("created_at")
      .orderBy("uid"),
  );
  const uids = runs.map(({ uid }) => uid);
  if (uids.length === 0) return [];
  const [metrics, measurements] = await Promise.all([
    readMetrics(pool, rolloutId, uids),
    readMeasurements(pool, rolloutId, uids),
  ]);
  return runs.map((run) => ({
    ...run,
    metrics: metrics
      .filter((metric) => metric.run_uid === run.uid)
      .map(({ id, run_uid: _run, ...metric }) => ({
        ...metric,
        measurements: measurements
          .filter((one) => one.metric_id === id)
          .map(({ metric_id: _id, ...one }) => ({ ...one, phase: decodePhase(one.phase) })),
      })),
  }));
}

function readMetrics(pool: Pool, rolloutId: string, uids: readonly string[]) {
  return readRows(
    pool,
    tables
      .selectFrom("metric")
      .select(metricColumns)
      .where("rollout_id", "=", rolloutId)
      .where(({ ref }) => isOneOf(ref("run_uid"), uids))
      .orderBy("run_uid")
      .orderBy("ord")
      .orderBy("name"),
  );
}

/** Reads the newest measurements of each metric, in order. */
function readMeasurements(pool: Pool, rolloutId: string, uids: readonly string[]) {
  const numbered = tables
    .selectFrom("metric as t")
    .innerJoinLateral(ofMetric, (join) => join.onTrue())
    .select(["m.metric_id", "m.seq", "m.started_at", "m.finished_at", "m.phase"])
    .select([valueText.as("value"), "m.message", notes.as("metadata")])
    .select(({ fn }) =>
      fn
        .agg<string>("row_number")
        .over((o) => o.partitionBy("m.metric_id").orderBy("m.seq", "desc"))
        .as("place"),
    )
    .where("t.rollout_id", "=", rolloutId)
    .where(({ ref }) => isOneOf(ref("t.run_uid"), uids))
    .where("m.superseded", "=", false);
  return readRows(
    pool,
    tables
      .selectFrom(numbered.as("numbered"))
      .select(["metric_id", "seq", "started_at", "finished_at", "phase", "value", "message", "metadata"])
      .where("place", "<=", String(measurementsPerMetric))
      .orderBy("metric_id")
      .orderBy("seq"),
  );
}
