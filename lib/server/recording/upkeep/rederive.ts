import { setImmediate as rest } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import type { KnownRevisions } from "#lib/domain/delivery/attribute-revision.ts";
import {
  derivationVersion,
  endGone,
  foldRelease,
  isUnfinished,
  noReleases,
  type Release,
  type ReleaseHistory,
} from "#lib/domain/delivery/derive-releases.ts";
import { compareObservations, type TimelineEvent } from "#lib/domain/delivery/derive-timeline.ts";
import type { Observation } from "#lib/domain/delivery/observation.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { loadNewestRelease } from "#lib/server/recording/history/rollout-state.ts";
import {
  deleteOtherEvents,
  deleteOtherReleases,
  releaseId,
  writeReleases,
  writeTimeline,
} from "#lib/server/recording/history/write-history.ts";
import { loadKnownRevisions, markDueDerivations } from "#lib/server/recording/kinds/replica-set-rows.ts";
import { writeChanges } from "#lib/server/recording/store/change-rows.ts";
import { toRecorded } from "#lib/server/records/observation-row.ts";

const pageSize = 500;

/** Observations that a provider can read. */
const selectObservations = tables
  .selectFrom("observation as o")
  .select(["o.id", "o.observed_at", "o.resource_version", "o.writer", "o.provider", "o.projection"])
  .where("o.provider", "<>", "");

/**
 * Derives the releases and the timeline of a rollout again from its stored observations, and replaces the stored ones.
 * Ids stay the same: each is derived from its row's key. Rows derived from observations that are no longer stored stay
 * as they are. May run while the rollout is being recorded: the work is done without a lock, and only new observations
 * are added under one.
 */
export async function rederive(pool: Pool, rolloutId: string): Promise<void> {
  const derivation = await readOn(pool, await beginDerivation(pool, rolloutId));
  await inTransaction(pool, async (tx) => {
    const [rollout] = await prismaOn(tx).rollout.updateManyAndReturn({
      where: { id: rolloutId },
      data: { derivationVersion },
      select: { cluster: true, namespace: true, kind: true, name: true, presence: true, goneAt: true },
    });
    if (rollout === undefined) return;
    // A ReplicaSet may have become known meanwhile: the derivation is then outdated and due again.
    if (!isSameKnown(await loadKnownRevisions(tx, rolloutId), derivation.known))
      return await markDueDerivations(tx, [rolloutId]);
    const { releases, events, keptBefore, history } = await readOn(tx, derivation);
    const { current: last } = history;
    if (rollout.goneAt !== null && last?.endedAt === null)
      releases.set(
        releaseId(rolloutId, last),
        endGone(last, { presence: rollout.presence, at: rollout.goneAt.toISOString() }),
      );
    const kept = { rolloutId, keptBefore };
    await deleteOtherReleases(tx, { ...kept, releases: [...releases.values()] });
    await deleteOtherEvents(tx, { ...kept, events });
    const own = <Value>(value: Value) => ({ rolloutId, value });
    await writeReleases(tx, [...releases.values()].map(own), new Date().toISOString());
    await writeTimeline(tx, events.map(own));
    const { cluster, namespace, kind, name } = rollout;
    const change = { op: "upsert", cluster, namespace, object_kind: kind, name } as const;
    // One release represents all: readers of any release fetch its list again.
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
  const due = await readRows(
    pool,
    tables
      .selectFrom("rollout")
      .select("id")
      .where("derivation_version", "<", derivationVersion)
      .orderBy((eb) => eb("presence", "<>", "live"))
      .orderBy("updated_at", "desc")
      .orderBy("id")
      .limit(500),
  );
  let failure: unknown;
  let done = 0;
  for (const { id } of due) {
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
 * Begins a derivation. If old observations were deleted, the stored rows give the state at the oldest remaining one.
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
  const oldest = await readRow(
    pool,
    tables
      .selectFrom(selectObservations.where("o.rollout_id", "=", rolloutId).orderBy("o.id").limit(1).as("oldest"))
      .selectAll("oldest")
      .select(({ or, exists, selectFrom }) => {
        const events = selectFrom("timeline_event as e").select("e.id").where("e.rollout_id", "=", rolloutId);
        const releases = selectFrom("release as l").select("l.id").where("l.rollout_id", "=", rolloutId);
        return or([
          exists(events.whereRef("e.at", "<", "oldest.observed_at")),
          exists(releases.whereRef("l.started_at", "<", "oldest.observed_at")),
        ]).as("is_cut");
      }),
  );
  if (oldest === undefined || !oldest.is_cut) return empty;
  const last = toRecorded(oldest);
  const keptBefore = last.observedAt;
  const attempts = await prismaOn(pool).release.groupBy({
    by: "runKey",
    where: { rolloutId, startedAt: { lte: keptBefore } },
    _max: { attempt: true },
  });
  return {
    ...empty,
    lastId: oldest.id,
    last,
    keptBefore,
    history: {
      previous: last.state,
      current: await findCurrent(pool, { rolloutId, at: last }),
      attempts: new Map(attempts.map(({ runKey, _max }) => [runKey, _max.attempt ?? 0])),
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
    const next = selectObservations.where("o.rollout_id", "=", rolloutId).where("o.id", ">", lastId);
    const rows = await readRows(db, next.orderBy("o.id").limit(pageSize));
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
