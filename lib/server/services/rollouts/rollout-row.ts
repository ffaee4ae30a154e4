import type { RolloutSummary } from "#lib/contract/rollout.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";

/**
 * Step and weight of an aborted rollout `r` before the abort: the controller returns to the first step. Taken from the
 * newest observation of the revision that is not aborted; a hundred are searched, more than an abort takes.
 */
const abortPointSql = `CASE WHEN r.phase = 'Degraded' AND r.revision_key <> '' AND (
    SELECT n.abort_asked FROM observation n WHERE n.rollout_id = r.id ORDER BY n.id DESC LIMIT 1)
  THEN COALESCE((SELECT jsonb_build_object('step', o.step, 'weight', o.weight_set)
    FROM (SELECT id, run_key, abort_asked, step, weight_set FROM observation
      WHERE rollout_id = r.id ORDER BY id DESC LIMIT 100) o
    WHERE o.run_key = r.revision_key AND NOT o.abort_asked
    ORDER BY o.id DESC LIMIT 1), '{"step": null, "weight": null}') END`;

/** The columns of `rollout r` that a summary needs; the object itself is large and is left out of lists. */
export const rolloutColumns = `r.id, r.cluster, r.namespace, r.kind, r.name, r.uid, r.presence, r.strategy, r.phase,
  r.provider_phase, r.message, r.step, r.step_count, r.weight_set, r.weight_actual, r.images, r.attention_reason,
  r.attention_since, r.attention_severity, r.view_digest, r.revision_key, r.revision, r.updated_at,
  ${abortPointSql} AS abort_point,
  EXISTS (SELECT FROM quarantine q JOIN source qs ON qs.id = q.source_id
    WHERE qs.cluster = r.cluster AND qs.kind = r.kind AND q.ref = r.uid) AS is_quarantined`;

/** The newest state is in quarantine: no action may be based on the previous one. */
export const quarantineBlock = {
  reasonCode: "unreadable",
  reason: "The newest state of this rollout could not be read; what is shown is the one before. Nothing is done on it.",
} as const;

export type RolloutRow = {
  id: string;
  cluster: string;
  namespace: string;
  kind: RolloutSummary["kind"];
  name: string;
  uid: string;
  presence: RolloutSummary["presence"];
  strategy: RolloutSummary["strategy"];
  phase: RolloutSummary["phase"];
  provider_phase: string | null;
  message: string;
  step: number | null;
  step_count: number;
  weight_set: number | null;
  weight_actual: number | null;
  images: RolloutSummary["images"];
  attention_reason: NonNullable<RolloutSummary["attention"]>["reason"] | null;
  attention_since: Date | null;
  attention_severity: NonNullable<RolloutSummary["attention"]>["severity"] | null;
  view_digest: string;
  revision_key: string;
  revision: number | null;
  updated_at: Date;
  abort_point: RolloutSummary["abortPoint"];
  is_quarantined: boolean;
};

export function accessOf(runtime: Runtime, cluster: string): "read" | "act" {
  return runtime.config().config.clusters.find(({ name }) => name === cluster)?.access ?? "read";
}

export function serializeRollout(row: RolloutRow, access: "read" | "act"): RolloutSummary {
  const attention = attentionOf(row);
  const hasWeight = row.weight_set !== null || row.weight_actual !== null;
  return {
    id: formatObjectRef(row),
    uid: row.uid,
    cluster: row.cluster,
    namespace: row.namespace,
    kind: row.kind,
    name: row.name,
    strategy: row.strategy,
    phase: row.phase,
    providerPhase: row.provider_phase,
    message: row.message,
    step: row.step,
    stepCount: row.step_count,
    abortPoint: row.abort_point,
    weight: hasWeight ? { set: row.weight_set, actual: row.weight_actual } : null,
    images: row.images,
    attention,
    waitingSince: attention !== null && waitsForPerson(attention.reason) ? attention.since : null,
    viewDigest: row.view_digest,
    revisionKey: row.revision_key,
    revision: row.revision,
    presence: row.presence,
    access,
    updatedAt: row.updated_at.toISOString(),
  };
}

function attentionOf(row: RolloutRow): RolloutSummary["attention"] {
  if (row.attention_reason === null || row.attention_since === null) return null;
  return {
    reason: row.attention_reason,
    since: row.attention_since.toISOString(),
    severity: row.attention_severity ?? "warning",
  };
}

function waitsForPerson(reason: NonNullable<RolloutSummary["attention"]>["reason"]): boolean {
  return reason !== "degraded" && reason !== "finding";
}
