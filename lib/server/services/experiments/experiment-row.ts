import type { ExperimentSummary } from "#lib/contract/experiment.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { isRolloutKind } from "#lib/domain/providers.ts";
import { asPhase } from "#lib/server/services/analysis-runs/run-row.ts";

/** Needs `experiment e LEFT JOIN rollout r`. */
export const experimentColumns = `e.uid, e.cluster, e.namespace, e.name, e.owner_kind, e.owner_name, e.revision,
  e.pod_hash, e.phase, e.message, e.presence, e.created_at, e.available_at, e.completed_at, e.updated_at,
  e.created_at::text AS created_key, r.kind AS rollout_kind, r.name AS rollout_name,
  (SELECT COALESCE(jsonb_object_agg(phase, runs), '{}') FROM (SELECT a.phase, count(*) AS runs FROM analysis_run a
     WHERE a.owner_uid = e.uid GROUP BY a.phase) AS phases) AS runs_by_phase`;

/**
 * The place of an Experiment: its rollout's, its owner's while the rollout is unknown, or its own if it has no owner.
 */
export const experimentPlace = {
  cluster: "e.cluster",
  namespace: "e.namespace",
  name: "COALESCE(r.name, e.owner_name, e.name)",
};

export type ExperimentRow = {
  uid: string;
  cluster: string;
  namespace: string;
  name: string;
  owner_kind: string | null;
  owner_name: string | null;
  revision: number | null;
  pod_hash: string | null;
  phase: string;
  message: string;
  presence: ExperimentSummary["presence"];
  created_at: Date;
  available_at: Date | null;
  completed_at: Date | null;
  updated_at: Date;
  created_key: string;
  rollout_kind: string | null;
  rollout_name: string | null;
  runs_by_phase: Record<string, number>;
};

export function serializeExperiment(row: ExperimentRow): ExperimentSummary {
  return {
    uid: row.uid,
    cluster: row.cluster,
    namespace: row.namespace,
    name: row.name,
    rollout: rolloutOf(row),
    revision: row.revision,
    podHash: row.pod_hash,
    phase: asPhase(row.phase),
    message: row.message,
    createdAt: row.created_at.toISOString(),
    availableAt: row.available_at?.toISOString() ?? null,
    completedAt: row.completed_at?.toISOString() ?? null,
    presence: row.presence,
    runs: {
      total: Object.values(row.runs_by_phase).reduce((sum, count) => sum + count, 0),
      byPhase: row.runs_by_phase,
    },
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Returns its rollout. An Experiment can be recorded before its rollout: then its owner reference names it. */
function rolloutOf(row: ExperimentRow): ExperimentSummary["rollout"] {
  const isOwned = isRolloutKind(row.owner_kind);
  const kind = row.rollout_kind ?? (isOwned ? row.owner_kind : null);
  const name = row.rollout_name ?? (isOwned ? row.owner_name : null);
  if (kind === null || name === null) return null;
  const { cluster, namespace } = row;
  return { id: formatObjectRef({ cluster, namespace, kind, name }), cluster, namespace, kind, name };
}
