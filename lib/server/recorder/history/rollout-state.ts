import type { PoolClient } from "pg";
import type { Attention, AttentionReason } from "#lib/domain/delivery/attention.ts";
import { isUnfinished, type Release, type ReleaseHistory } from "#lib/domain/delivery/derive-releases.ts";
import type { Observation } from "#lib/domain/delivery/observation.ts";
import type { StoredObservation } from "#lib/domain/delivery/provider.ts";
import type { FieldsMark } from "#lib/domain/kube/compute-writer.ts";
import { readObservation } from "#lib/domain/providers.ts";

/** What the writer remembers of a rollout between two sights. Its size does not grow with the history. */
export type RolloutState = {
  resourceVersion: string;
  presence: string;
  attention: Pick<Attention, "reason" | "since"> | undefined;
  observation: RecordedObservation | undefined;
  history: ReleaseHistory;
  /** The version that derived its stored releases and timeline; see derivation-version.ts. */
  derivationVersion: number;
  managedFields: readonly FieldsMark[] | undefined;
  /** Loaded from the database and not yet seen by this process. */
  isLoaded: boolean;
};

type Row = {
  id: string;
  resource_version: string;
  presence: string;
  attention_reason: AttentionReason | null;
  attention_since: Date | null;
  derivation_version: number;
};
/** An observation as stored, and in the form common to all providers. */
export type RecordedObservation = StoredObservation & Pick<Observation, "client" | "state">;

export type ObservationRow = {
  observed_at: Date;
  resource_version: string;
  writer: string | null;
  provider: string;
  projection: unknown;
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

/**
 * Reads the stored state of these rollouts and locks their rows, so that nobody rederives their history meanwhile.
 * Rollouts that are not stored yet are left out. Reads a few rows of each, however long its history is.
 */
export async function loadRolloutStates(tx: PoolClient, ids: readonly string[]): Promise<Map<string, RolloutState>> {
  if (ids.length === 0) return new Map();
  const rollouts = await tx.query<Row>(
    `SELECT id, resource_version, presence, attention_reason, attention_since, derivation_version
       FROM rollout WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`,
    [ids],
  );
  const newest = await loadNewest(tx, { ids, condition: "true" });
  // Observations without a pod hash do not count for releases; see foldRelease.
  const newestNamed = await loadNewest(tx, { ids, condition: "run_key <> ''" });
  const wanted = [...newestNamed].map(([id, { state }]) => ({ id, runKey: state.runKey }));
  const current = await loadUnfinished(tx, wanted);
  return new Map(
    rollouts.rows.map((row) => {
      const previous = newestNamed.get(row.id) ?? newest.get(row.id);
      const state: RolloutState = {
        resourceVersion: row.resource_version,
        presence: row.presence,
        attention:
          row.attention_reason === null || row.attention_since === null
            ? undefined
            : { reason: row.attention_reason, since: row.attention_since.toISOString() },
        observation: newest.get(row.id),
        history: {
          current: current.get(row.id),
          previous: previous?.state,
          attempts: new Map(),
        },
        derivationVersion: row.derivation_version,
        managedFields: undefined,
        isLoaded: true,
      };
      return [row.id, state];
    }),
  );
}

async function loadNewest(
  tx: PoolClient,
  { ids, condition }: { ids: readonly string[]; condition: string },
): Promise<Map<string, RecordedObservation>> {
  const { rows } = await tx.query<ObservationRow & { rollout_id: string }>(
    `SELECT newest.* FROM unnest($1::uuid[]) AS wanted (wanted_id) CROSS JOIN LATERAL (
       SELECT rollout_id, observed_at, resource_version, writer, provider, projection
         FROM observation WHERE rollout_id = wanted_id AND provider <> '' AND ${condition} ORDER BY observation.id DESC LIMIT 1) newest`,
    [ids],
  );
  return new Map(rows.map((row) => [row.rollout_id, toRecorded(row)]));
}

type RunKey = { id: string; runKey: string };

/** Loads the newest attempt of each of these revisions if it is open or aborted, keyed by the rollout's id. */
async function loadUnfinished(tx: PoolClient, wanted: readonly RunKey[]): Promise<Map<string, Release>> {
  const { rows } = await tx.query<ReleaseRow>(
    `SELECT newest.* FROM unnest($1::uuid[], $2::text[]) AS wanted (id, run_key) CROSS JOIN LATERAL (
       SELECT rollout_id, run_key, attempt, revision, state, message, images, started_at, ended_at
         FROM release WHERE rollout_id = wanted.id AND run_key = wanted.run_key ORDER BY attempt DESC LIMIT 1) newest`,
    [wanted.map(({ id }) => id), wanted.map(({ runKey }) => runKey)],
  );
  const releases = rows.map((row) => [row.rollout_id, toRelease(row)] as const);
  return new Map(releases.filter(([, release]) => isUnfinished(release)));
}

/** Loads the newest attempt of a revision that had begun by then. */
export async function loadNewestRelease(
  db: Pick<PoolClient, "query">,
  { rolloutId, runKey, startedBy }: { rolloutId: string; runKey: string; startedBy: string },
): Promise<Release | undefined> {
  const { rows } = await db.query<ReleaseRow>(
    `SELECT rollout_id, run_key, attempt, revision, state, message, images, started_at, ended_at
       FROM release WHERE rollout_id = $1 AND run_key = $2 AND started_at <= $3 ORDER BY attempt DESC LIMIT 1`,
    [rolloutId, runKey, startedBy],
  );
  const [row] = rows;
  return row === undefined ? undefined : toRelease(row);
}

/** Loads the number of the newest attempt of each of these revisions, or 0; keyed by rollout, then run key. */
export async function loadAttempts(
  tx: PoolClient,
  wanted: readonly RunKey[],
): Promise<Map<string, Map<string, number>>> {
  const found = new Map<string, Map<string, number>>();
  if (wanted.length === 0) return found;
  const { rows } = await tx.query<{ id: string; run_key: string; attempt: number }>(
    `SELECT wanted.id, wanted.run_key, COALESCE((SELECT max(attempt) FROM release
         WHERE rollout_id = wanted.id AND release.run_key = wanted.run_key), 0) AS attempt
       FROM unnest($1::uuid[], $2::text[]) AS wanted (id, run_key)`,
    [wanted.map(({ id }) => id), wanted.map(({ runKey }) => runKey)],
  );
  for (const row of rows) found.set(row.id, (found.get(row.id) ?? new Map()).set(row.run_key, row.attempt));
  return found;
}

export function toRecorded({ provider, projection, writer, ...row }: ObservationRow): RecordedObservation {
  const stored = {
    observedAt: row.observed_at.toISOString(),
    resourceVersion: row.resource_version,
    writer,
    projection,
  };
  return { ...stored, ...readObservation({ provider, ...stored }) };
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
