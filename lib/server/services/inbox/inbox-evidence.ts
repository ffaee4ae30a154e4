import type { AnalysisPhase } from "#lib/contract/common.ts";
import type { MetricEvidence } from "#lib/contract/evidence.ts";
import { parseRollout } from "#lib/domain/argo/rollout-object.ts";
import { findDecidingRun } from "#lib/domain/delivery/find-deciding-run.ts";
import type { Runtime } from "#lib/server/runtime/runtime-types.ts";
import { summarizeMetric } from "#lib/server/services/analysis-runs/describe-metric.ts";
import {
  type MetricRow,
  type MetricSpecView,
  readMetrics,
  readRunSpec,
} from "#lib/server/services/analysis-runs/metric-rows.ts";
import { asPhase } from "#lib/server/services/analysis-runs/run-row.ts";
import type { RolloutRow } from "#lib/server/services/rollouts/rollout-row.ts";

const valuesPerMetric = 30;
const maxMetrics = 6;

type EvidenceRun = { uid: string; rollout_id: string; spec: unknown };
type RunRow = EvidenceRun & { name: string; phase: string; pod_hash: string | null; completed_at: Date | null };
type EvidenceRollout = Pick<RolloutRow, "id" | "phase" | "attention_reason" | "revision_key"> & { object: unknown };
type ValueRow = { run_uid: string; metric: string; value: string | null; parsed: number | null };

/**
 * By rollout: the metrics of the run that made its state and of those that its status names, the undecided and failed
 * ones first, each with its newest values. One query per kind for the whole page.
 */
export async function readInboxEvidence(
  runtime: Runtime,
  rollouts: readonly EvidenceRollout[],
): Promise<Map<string, MetricEvidence[]>> {
  const runs = await readRelevantRuns(runtime, rollouts);
  const byRollout = new Map<string, MetricEvidence[]>();
  for (const { run, items } of await readEvidenceOfRuns(runtime, runs))
    byRollout.set(run.rollout_id, [...(byRollout.get(run.rollout_id) ?? []), ...items]);
  for (const [id, items] of byRollout) byRollout.set(id, items.toSorted(byConcern).slice(0, maxMetrics));
  return byRollout;
}

/** The metrics of these runs in their own order, each with its newest values. */
export async function readEvidenceOfRuns<Run extends EvidenceRun>(
  runtime: Runtime,
  runs: readonly Run[],
): Promise<{ run: Run; items: MetricEvidence[] }[]> {
  const uids = runs.map((run) => run.uid);
  const [metrics, values] = await Promise.all([readMetrics(runtime, uids), readNewestValues(runtime, runs)]);
  return runs.map((run) => {
    const spec = readRunSpec(run.spec);
    const items = metrics
      .filter((metric) => metric.run_uid === run.uid)
      .map((metric) =>
        describeEvidence({
          metric,
          spec: spec.metrics.get(metric.name),
          values: values.filter((value) => value.run_uid === run.uid && value.metric === metric.name),
        }),
      );
    return { run, items };
  });
}

function describeEvidence({
  metric,
  spec,
  values,
}: {
  metric: MetricRow;
  spec: MetricSpecView | undefined;
  values: readonly ValueRow[];
}): MetricEvidence {
  return {
    runUid: metric.run_uid,
    metric: metric.name,
    phase: asPhase(metric.phase),
    values: values.map((value) => value.parsed),
    last: values.at(-1)?.value ?? null,
    condition: spec?.successCondition ?? spec?.failureCondition ?? null,
    summary: summarizeMetric({ counters: metric, spec }),
  };
}

const concern: Record<AnalysisPhase, number> = {
  Inconclusive: 0,
  Failed: 1,
  Error: 2,
  Running: 3,
  Pending: 4,
  Unknown: 5,
  Successful: 6,
};

function byConcern(one: MetricEvidence, other: MetricEvidence): number {
  return concern[one.phase] - concern[other.phase];
}

async function readRelevantRuns(runtime: Runtime, rollouts: readonly EvidenceRollout[]): Promise<RunRow[]> {
  const { rows } = await runtime.pool.query<RunRow>(
    `SELECT a.uid, a.rollout_id, a.name, a.phase, a.spec, a.pod_hash, a.completed_at FROM unnest($1::uuid[]) AS wanted (id)
     CROSS JOIN LATERAL (SELECT * FROM analysis_run x WHERE x.rollout_id = wanted.id
       ORDER BY x.created_at DESC, x.uid LIMIT 20) a`,
    [rollouts.map((rollout) => rollout.id)],
  );
  return rollouts.flatMap((rollout) => {
    const own = rows.filter((row) => row.rollout_id === rollout.id && row.pod_hash === rollout.revision_key);
    const named = namedRuns(rollout.object);
    const current = own.filter((row) => named.has(row.name));
    const deciding = own[findDecidingRun(own.map(toDecisive), stateOf(rollout))];
    const chosen = deciding === undefined || current.includes(deciding) ? current : [deciding, ...current];
    const undecided = chosen.filter((row) => row.phase !== "Successful");
    return undecided.length > 0 ? undecided : chosen;
  });
}

function toDecisive({ phase, completed_at: completedAt }: RunRow): { phase: string; completedAt: string | null } {
  return { phase, completedAt: completedAt?.toISOString() ?? null };
}

function stateOf({ phase, attention_reason: attention }: EvidenceRollout): Parameters<typeof findDecidingRun>[1] {
  return { phase, attention, aborted: phase === "Degraded" };
}

function namedRuns(object: unknown): Set<string> {
  const rollout = parseRollout(object);
  if (!rollout.ok) return new Set();
  const { canary, blueGreen } = rollout.value.status;
  const runs = [
    canary?.currentStepAnalysisRunStatus,
    canary?.currentBackgroundAnalysisRunStatus,
    blueGreen?.prePromotionAnalysisRunStatus,
    blueGreen?.postPromotionAnalysisRunStatus,
  ];
  return new Set(runs.flatMap((run) => (run === undefined ? [] : [run.name])));
}

/** The newest finished values of each metric, oldest first. */
async function readNewestValues(runtime: Runtime, runs: readonly EvidenceRun[]): Promise<ValueRow[]> {
  const { rows } = await runtime.pool.query<ValueRow>(
    `SELECT v.run_uid, v.metric, v.value, v.parsed
     FROM unnest($1::uuid[], $2::text[]) AS run (rollout_id, uid)
     JOIN metric t ON t.run_uid = run.uid
     CROSS JOIN LATERAL (SELECT m.run_uid, m.metric, m.seq, m.value,
         CASE WHEN m.parsed_kind IN ('number', 'array') THEN m.parsed END AS parsed
       FROM measurement m WHERE m.rollout_id = run.rollout_id AND m.run_uid = run.uid AND m.metric = t.name
         AND m.finished_at IS NOT NULL AND NOT m.superseded
       ORDER BY m.seq DESC, m.started_at DESC LIMIT ${valuesPerMetric}) v
     ORDER BY v.run_uid, v.metric, v.seq`,
    [runs.map((run) => run.rollout_id), runs.map((run) => run.uid)],
  );
  return rows;
}
