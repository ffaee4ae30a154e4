import type { Release } from "#lib/contract/rollout.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";

/**
 * Needs `release l JOIN rollout r`. Runs count towards the attempt during which they were created, each once. The
 * cluster writes creation times in whole seconds, so both ends of an attempt's time have a tolerance of one second.
 */
export const releaseColumns = `l.id, l.run_key, l.revision, l.attempt, l.state, l.message, l.images, l.started_at,
  CASE WHEN l.state IN ('progressing', 'paused') AND l.run_key = r.revision_key THEN r.attention_reason END AS waits_for,
  l.ended_at, l.started_at::text AS started_key, r.cluster, r.namespace, r.kind, r.name,
  (SELECT COALESCE(jsonb_object_agg(phase, count), '{}') FROM (
     SELECT a.phase, count(*)::int AS count FROM analysis_run a
     WHERE a.rollout_id = l.rollout_id AND a.pod_hash = l.run_key
       AND (l.attempt = 1 OR a.created_at >= l.started_at - interval '1 second')
       AND a.created_at < COALESCE((SELECT min(n.started_at) - interval '1 second' FROM release n
         WHERE n.rollout_id = l.rollout_id AND n.run_key = l.run_key AND n.attempt > l.attempt), 'infinity')
     GROUP BY a.phase) phases) AS runs_by_phase`;

export type ReleaseRow = {
  id: string;
  run_key: string;
  revision: number | null;
  attempt: number;
  state: Release["state"];
  waits_for: Release["waitsFor"];
  message: string;
  images: unknown;
  started_at: Date;
  ended_at: Date | null;
  started_key: string;
  cluster: string;
  namespace: string;
  kind: string;
  name: string;
  runs_by_phase: Record<string, number>;
};

export function serializeRelease(row: ReleaseRow, acts: Release["acts"]): Release {
  const { cluster, namespace, kind, name } = row;
  return {
    id: row.id,
    rollout: { id: formatObjectRef(row), cluster, namespace, kind, name },
    runKey: row.run_key,
    revision: row.revision,
    attempt: row.attempt,
    state: row.state,
    waitsFor: row.waits_for,
    message: row.message,
    images: imagesOf(row.images),
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    runs: {
      total: Object.values(row.runs_by_phase).reduce((sum, count) => sum + count, 0),
      byPhase: row.runs_by_phase,
    },
    acts,
  };
}

/** Reads the images, which the recorder stores as names, or as names with tags. */
function imagesOf(images: unknown): string[] {
  if (!Array.isArray(images)) return [];
  return images.flatMap((image: unknown) => {
    if (typeof image === "string") return image;
    if (typeof image === "object" && image !== null && "image" in image && typeof image.image === "string")
      return image.image;
    return [];
  });
}
