import type { AnalysisRunSummary } from "#lib/contract/analysis-run.ts";
import { AnalysisPhase } from "#lib/contract/common.ts";
import { computeDurationSeconds } from "#lib/domain/delivery/compute-duration.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { isRolloutKind } from "#lib/domain/providers.ts";

/**
 * The kind of the objects that runs are recorded from, which names their provider. There is only one, so it has no
 * column.
 */
export const runKind = "AnalysisRun";

/** Needs `analysis_run a LEFT JOIN rollout r`. */
export const runColumns = `a.uid, a.rollout_id, a.cluster, a.namespace, a.name, a.owner_kind, a.owner_name, a.type,
  a.step_index, a.revision, a.pod_hash, a.phase, a.message, a.terminated, a.presence, a.started_at, a.completed_at, a.first_seen_at,
  a.measurements_expired, a.created_at::text AS created_key, r.kind AS rollout_kind, r.name AS rollout_name,
  COALESCE(a.verdict_check ->> 'state' = 'contradicts', false) AS contradiction,
  (SELECT count(*)::int FROM measurement m
    WHERE m.rollout_id = a.rollout_id AND m.run_uid = a.uid AND NOT m.superseded) AS measurements,
  (SELECT COALESCE(sum(g.count), 0)::int FROM measurement_gap g WHERE g.run_uid = a.uid) AS lost`;

/** The place of a run: its rollout's, its owner's while the rollout is unknown, or its own if it has no owner. */
export const runPlace = {
  cluster: "a.cluster",
  namespace: "a.namespace",
  name: "COALESCE(r.name, a.owner_name, a.name)",
};

export type RunRow = {
  uid: string;
  rollout_id: string;
  cluster: string;
  namespace: string;
  name: string;
  owner_kind: string | null;
  owner_name: string | null;
  type: AnalysisRunSummary["type"];
  step_index: number | null;
  revision: number | null;
  pod_hash: string | null;
  phase: string;
  message: string;
  terminated: boolean;
  presence: AnalysisRunSummary["presence"];
  started_at: Date | null;
  completed_at: Date | null;
  first_seen_at: Date;
  measurements_expired: boolean;
  contradiction: boolean;
  created_key: string;
  rollout_kind: string | null;
  rollout_name: string | null;
  measurements: number;
  lost: number;
};

export function serializeRun(row: RunRow): AnalysisRunSummary {
  return {
    uid: row.uid,
    cluster: row.cluster,
    namespace: row.namespace,
    name: row.name,
    rollout: rolloutOf(row),
    type: row.type,
    stepIndex: row.step_index,
    revision: row.revision,
    podHash: row.pod_hash,
    phase: asPhase(row.phase),
    message: row.message,
    startedAt: row.started_at?.toISOString() ?? null,
    completedAt: row.completed_at?.toISOString() ?? null,
    durationSeconds: computeDurationSeconds(row.started_at, row.completed_at),
    firstSeenAt: row.first_seen_at.toISOString(),
    terminated: row.terminated,
    presence: row.presence,
    measurements: row.measurements,
    lostMeasurements: row.lost,
    measurementsExpired: row.measurements_expired,
    contradiction: row.contradiction,
  };
}

/** Maps the phase. An empty one is not set by the controller yet; an unknown word is `Unknown`. */
export function asPhase(text: string): AnalysisPhase {
  const phase = AnalysisPhase.safeParse(text === "" ? "Pending" : text);
  return phase.success ? phase.data : "Unknown";
}

/** Returns the run's rollout. A run can be recorded before its rollout: then its owner reference names it. */
function rolloutOf(row: RunRow): AnalysisRunSummary["rollout"] {
  const isOwned = isRolloutKind(row.owner_kind);
  const kind = row.rollout_kind ?? (isOwned ? row.owner_kind : null);
  const name = row.rollout_name ?? (isOwned ? row.owner_name : null);
  if (kind === null || name === null) return null;
  const { cluster, namespace } = row;
  return { id: formatObjectRef({ cluster, namespace, kind, name }), cluster, namespace, kind, name };
}
