import { setImmediate as rest } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import type { KnownRevisions } from "#lib/domain/delivery/attribute-revision.ts";
import { derivationVersion } from "#lib/domain/delivery/derivation-version.ts";
import {
  foldRelease,
  isUnfinished,
  noReleases,
  type Release,
  type ReleaseHistory,
} from "#lib/domain/delivery/derive-releases.ts";
import { compareObservations, type TimelineEvent } from "#lib/domain/delivery/derive-timeline.ts";
import type { Observation } from "#lib/domain/delivery/observation.ts";
import { inTransaction } from "#lib/server/db/in-transaction.ts";
import { loadNewestRelease, type ObservationRow, toRecorded } from "#lib/server/recorder/history/rollout-state.ts";
import {
  deleteOtherEvents,
  deleteOtherReleases,
  releaseId,
  writeReleases,
  writeTimeline,
} from "#lib/server/recorder/history/write-history.ts";
import { loadKnownRevisions, markDueDerivations } from "#lib/server/recorder/kinds/replica-set-rows.ts";
import { writeChanges } from "#lib/server/recorder/store/change-rows.ts";

const pageSize = 500;

/**
 * Derives the releases and the timeline of a rollout again from its stored observations, and replaces the stored ones.
 * Ids stay: they follow from what they name. Rows derived from observations that are no longer stored stay as they are.
 * May run while the rollout is being recorded: the work is done without a lock, and only new observations are added
 * under it.
 */
export async function rederive(pool: Pool, rolloutId: string): Promise<void> {
  const derivation = await readOn(pool, await beginDerivation(pool, rolloutId));
  await inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ cluster: string; namespace: string; kind: string; name: string }>(
      `UPDATE rollout SET derivation_version = $2 WHERE id = $1 RETURNING cluster, namespace, kind, name`,
      [rolloutId, derivationVersion],
    );
    const [rollout] = rows;
    if (rollout === undefined) return;
    // A ReplicaSet may have become known meanwhile: the derivation is then outdated and due again.
    if (!isSameKnown(await loadKnownRevisions(tx, rolloutId), derivation.known))
      return await markDueDerivations(tx, [rolloutId]);
    const { releases, events, keptBefore } = await readOn(tx, derivation);
    const kept = { rolloutId, keptBefore };
    await deleteOtherReleases(tx, { ...kept, releases: [...releases.values()] });
    await deleteOtherEvents(tx, { ...kept, events });
    const own = <Value>(value: Value) => ({ rolloutId, value });
    await writeReleases(tx, [...releases.values()].map(own), new Date().toISOString());
    await writeTimeline(tx, events.map(own));
    const { cluster, namespace, kind, name } = rollout;
    const change = { op: "upsert", cluster, namespace, name } as const;
    // One release represents all of them: readers of any release fetch its list again.
    const refs = [...releases.keys()].slice(-1);
    await writeChanges(tx, [
      { ...change, kind: "rollout", ref: [cluster, namespace, kind, name].join("/") },
      ...refs.map((ref) => ({ ...change, kind: "release", ref }) as const),
    ]);
  });
}

/**
 * Rederives the histories that an older version derived, most recently changed first, for about `budgetMs`. Resolves
 * with their number. Several recorders may run it at once: they arrive at the same rows.
 */
export async function rederiveDue(pool: Pool, { budgetMs = 700 }: { budgetMs?: number } = {}): Promise<number> {
  const begin = performance.now();
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM rollout WHERE derivation_version < $1 ORDER BY presence <> 'live', updated_at DESC, id LIMIT 500`,
    [derivationVersion],
  );
  let failure: unknown;
  let done = 0;
  for (const { id } of rows) {
    if (performance.now() - begin > budgetMs) break;
    await rederive(pool, id).then(
      () => done++,
      (error: unknown) => {
        failure ??= error;
      },
    );
  }
  // One failed derivation must not keep the others waiting.
  if (failure !== undefined) throw failure;
  return done;
}

function isSameKnown(one: KnownRevisions, other: KnownRevisions): boolean {
  return JSON.stringify([...one]) === JSON.stringify([...other]);
}

type Derivation = {
  rolloutId: string;
  known: KnownRevisions;
  /** Id of the newest observation that was read. */
  lastId: string;
  last: Observation | undefined;
  history: ReleaseHistory;
  /** Keyed by id, in order. */
  releases: Map<string, Release>;
  events: TimelineEvent[];
  /** Time of the oldest stored observation if older ones were deleted; that observation does not begin a release. */
  keptBefore: string | undefined;
};

/**
 * Begins a derivation. If old observations were deleted, the stored rows tell the state at the oldest remaining one.
 */
async function beginDerivation(pool: Pool, rolloutId: string): Promise<Derivation> {
  const empty: Derivation = {
    rolloutId,
    known: await loadKnownRevisions(pool, rolloutId),
    lastId: "0",
    last: undefined,
    history: noReleases,
    releases: new Map(),
    events: [],
    keptBefore: undefined,
  };
  const { rows } = await pool.query<ObservationRow & { id: string; is_cut: boolean }>(
    `SELECT id, observed_at, resource_version, writer, provider, projection,
            EXISTS (SELECT FROM timeline_event event WHERE event.rollout_id = $1 AND event.at < oldest.observed_at)
         OR EXISTS (SELECT FROM release WHERE release.rollout_id = $1 AND started_at < oldest.observed_at) AS is_cut
       FROM (SELECT * FROM observation WHERE rollout_id = $1 AND provider <> '' ORDER BY id LIMIT 1) oldest`,
    [rolloutId],
  );
  const [oldest] = rows;
  if (oldest === undefined || !oldest.is_cut) return empty;
  const last = toRecorded(oldest);
  const keptBefore = last.observedAt;
  const attempts = await pool.query<{ run_key: string; attempt: number }>(
    "SELECT run_key, max(attempt) AS attempt FROM release WHERE rollout_id = $1 AND started_at <= $2 GROUP BY run_key",
    [rolloutId, keptBefore],
  );
  return {
    ...empty,
    lastId: oldest.id,
    last,
    keptBefore,
    history: {
      previous: last.state,
      current: await findCurrent(pool, { rolloutId, at: last }),
      attempts: new Map(attempts.rows.map((row) => [row.run_key, row.attempt])),
    },
  };
}

/** Finds the release that was open or aborted when `at` was observed, according to the stored rows. */
async function findCurrent(
  pool: Pool,
  { rolloutId, at }: { rolloutId: string; at: Observation },
): Promise<Release | undefined> {
  const release = await loadNewestRelease(pool, {
    rolloutId,
    runKey: at.state.runKey,
    startedBy: at.observedAt,
  });
  if (release === undefined) return undefined;
  if (release.endedAt !== null && release.endedAt <= at.observedAt) return isUnfinished(release) ? release : undefined;
  return { ...release, state: "progressing", message: at.state.message, endedAt: null };
}

async function readOn(db: Pool | PoolClient, derivation: Derivation): Promise<Derivation> {
  let { lastId, last, history } = derivation;
  const { rolloutId, known, releases, events } = derivation;
  for (;;) {
    const { rows } = await db.query<ObservationRow & { id: string }>(
      `SELECT id, observed_at, resource_version, writer, provider, projection FROM observation
        WHERE rollout_id = $1 AND id > $2 AND provider <> '' ORDER BY id LIMIT ${pageSize}`,
      [rolloutId, lastId],
    );
    for (const row of rows) {
      const observation = toRecorded(row);
      const folded = foldRelease(history, observation, known);
      for (const release of folded.changed) releases.set(releaseId(rolloutId, release), release);
      events.push(...compareObservations(last, observation, { named: history.previous, known }));
      history = folded.history;
      last = observation;
      lastId = row.id;
    }
    if (rows.length < pageSize) return { ...derivation, lastId, last, history };
    await rest();
  }
}
