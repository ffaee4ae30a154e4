import type { PoolClient } from "pg";
import type { Attention, AttentionReason } from "#lib/domain/delivery/compute-attention.ts";
import type { Release, ReleaseHistory } from "#lib/domain/delivery/derive-releases.ts";
import type { Observation, RolloutProjection } from "#lib/domain/delivery/rollout-projection.ts";

/** What the writer remembers of a rollout between two sights of it. */
export type RolloutState = {
  resourceVersion: string;
  presence: string;
  attention: Pick<Attention, "reason" | "since"> | undefined;
  observation: Observation | undefined;
  history: ReleaseHistory;
  managedFields: unknown;
  /** Loaded from the database and not yet seen by this process. */
  isLoaded: boolean;
};

type Row = {
  id: string;
  resource_version: string;
  presence: string;
  attention_reason: AttentionReason | null;
  attention_since: Date | null;
};
type ObservationRow = {
  rollout_id: string;
  observed_at: Date;
  resource_version: string;
  writer: string | null;
  projection: RolloutProjection;
};
type ReleaseRow = {
  rollout_id: string;
  run_key: string;
  attempt: number;
  revision: number | null;
  state: Release["state"];
  message: string;
  images: string[];
  started_at: Date;
  ended_at: Date | null;
};

/** Reads what is stored of these rollouts. Those that are not stored yet are left out. */
export async function loadRolloutStates(tx: PoolClient, ids: readonly string[]): Promise<Map<string, RolloutState>> {
  if (ids.length === 0) return new Map();
  const rollouts = await tx.query<Row>(
    "SELECT id, resource_version, presence, attention_reason, attention_since FROM rollout WHERE id = ANY($1::uuid[])",
    [ids],
  );
  const observations = await tx.query<ObservationRow>(
    `SELECT DISTINCT ON (rollout_id) rollout_id, observed_at, resource_version, writer, projection
       FROM observation WHERE rollout_id = ANY($1::uuid[]) ORDER BY rollout_id, id DESC`,
    [ids],
  );
  const releases = await tx.query<ReleaseRow>(
    `SELECT rollout_id, run_key, attempt, revision, state, message, images, started_at, ended_at
       FROM release WHERE rollout_id = ANY($1::uuid[]) ORDER BY started_at, attempt`,
    [ids],
  );
  const revisions = await tx.query<ObservationRow>(
    `SELECT DISTINCT ON (rollout_id) rollout_id, observed_at, resource_version, writer, projection
       FROM observation WHERE rollout_id = ANY($1::uuid[]) AND projection->>'currentPodHash' <> ''
      ORDER BY rollout_id, id DESC`,
    [ids],
  );
  const revisionOf = new Map(revisions.rows.map((row) => [row.rollout_id, row.projection]));
  const observationOf = new Map(observations.rows.map((row) => [row.rollout_id, toObservation(row)]));
  const releasesOf = Map.groupBy(releases.rows, (row) => row.rollout_id);
  return new Map(
    rollouts.rows.map((row) => {
      const observation = observationOf.get(row.id);
      const known = (releasesOf.get(row.id) ?? []).map(toRelease);
      const state: RolloutState = {
        resourceVersion: row.resource_version,
        presence: row.presence,
        attention:
          row.attention_reason === null || row.attention_since === null
            ? undefined
            : { reason: row.attention_reason, since: row.attention_since.toISOString() },
        observation,
        // Observations without a pod hash do not count for releases; see foldRelease.
        history: { releases: known, previous: revisionOf.get(row.id) },
        managedFields: undefined,
        isLoaded: true,
      };
      return [row.id, state];
    }),
  );
}

export function toObservation(row: Omit<ObservationRow, "rollout_id">): Observation {
  return {
    observedAt: row.observed_at.toISOString(),
    resourceVersion: row.resource_version,
    writer: row.writer,
    projection: row.projection,
  };
}

function toRelease(row: ReleaseRow): Release {
  return {
    runKey: row.run_key,
    attempt: row.attempt,
    revision: row.revision,
    state: row.state,
    message: row.message,
    images: row.images,
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
  };
}
