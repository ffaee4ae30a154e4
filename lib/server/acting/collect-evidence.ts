import type { Pool } from "pg";
import type { ActionSubject } from "#lib/domain/acting/action-params.ts";
import type { DeliveryObject } from "#lib/domain/delivery/provider.ts";
import { type Evidence, makeEvidence } from "#lib/server/audit/make-evidence.ts";

const measurementsPerMetric = 20;

const runSql = `SELECT uid, name, type, phase, message, created_at, started_at, completed_at, spec, run_summary
  FROM analysis_run WHERE rollout_id = $1 AND name = ANY ($2) ORDER BY created_at, uid`;
const metricSql = `SELECT run_uid, name, phase, message, dry_run, provider, query, count, successful, failed,
    inconclusive, error, consecutive_error, consecutive_success
  FROM metric WHERE run_uid = ANY ($1) ORDER BY run_uid, ord, name`;
const measurementSql = `SELECT run_uid, metric, seq, started_at, finished_at, phase, value, message FROM (
    SELECT *, row_number() OVER (PARTITION BY run_uid, metric ORDER BY seq DESC) AS place
    FROM measurement WHERE rollout_id = $1 AND run_uid = ANY ($2) AND NOT superseded) AS numbered
  WHERE place <= ${measurementsPerMetric} ORDER BY run_uid, metric, seq`;

type Row = Record<string, unknown>;

/**
 * Collects the frozen evidence of a decision: the rollout's decision view, and its current runs with every metric and
 * the newest measurements as recorded (redacted like the records).
 */
export async function collectEvidence({
  pool,
  rolloutId,
  rollout,
  subject,
}: {
  pool: Pool;
  rolloutId: string;
  /** Undefined for a run that no rollout owns. */
  rollout: DeliveryObject | undefined;
  /** The run or Experiment that the action is for. */
  subject?: ActionSubject | undefined;
}): Promise<Evidence> {
  const own = subject?.kind === "AnalysisRun" ? [subject.name] : [];
  const names = [...new Set([...(rollout?.runNames ?? []), ...own])];
  const runs = names.length === 0 ? [] : await readRuns({ pool, rolloutId, names });
  return makeEvidence({
    rollout: rollout === undefined ? null : describeRollout(rollout),
    ...(subject === undefined ? {} : { subject }),
    runs,
    runsNotRecorded: names.filter((name) => !runs.some((run) => run.name === name)),
  });
}

/** Describes the rollout, redacted: the object is live and not redacted yet, and evidence is kept for ever. */
function describeRollout(rollout: DeliveryObject): Row {
  const { view, attention } = rollout.acting.describeDecision();
  const { phase, message } = rollout.summarize([]);
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
  const runs = (await pool.query<Row>(runSql, [rolloutId, names])).rows;
  const uids = runs.map(({ uid }) => uid);
  if (uids.length === 0) return [];
  const [metrics, measurements] = await Promise.all([
    pool.query<Row>(metricSql, [uids]),
    pool.query<Row>(measurementSql, [rolloutId, uids]),
  ]);
  return runs.map((run) => ({
    ...run,
    metrics: metrics.rows
      .filter((metric) => metric.run_uid === run.uid)
      .map(({ run_uid: _run, ...metric }) => ({
        ...metric,
        measurements: measurements.rows
          .filter((one) => one.run_uid === run.uid && one.metric === metric.name)
          .map(({ run_uid: _uid, metric: _metric, ...one }) => one),
      })),
  }));
}
