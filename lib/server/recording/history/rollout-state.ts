import { sql } from "kysely";
import type { PoolClient } from "pg";
import { isUnfinished, type Release, type ReleaseHistory } from "#lib/domain/delivery/derive-releases.ts";
import type { Attention } from "#lib/domain/delivery/detail.ts";
import type { FieldsMark } from "#lib/domain/kube/compute-writer.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { answersOf } from "#lib/server/platform/db/in-transaction.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables, wantedIds, wantedRows } from "#lib/server/platform/db/tables.ts";
import { type RecordedObservation, toRecorded } from "#lib/server/records/observation-row.ts";
import { ownWaitOf, waitColumns } from "#lib/server/records/rollout-wait.ts";

/** The writer's memory of a rollout between two seen versions. Its size does not grow with the history. */
export type RolloutState = {
  resourceVersion: string;
  presence: string;
  attention: Pick<Attention, "reason" | "since"> | undefined;
  observation: RecordedObservation | undefined;
  history: ReleaseHistory;
  /** The version that derived its stored releases and timeline; see `derivationVersion`. */
  derivationVersion: number;
  managedFields: readonly FieldsMark[] | undefined;
  /** Digest of the spec of the newest observation, if this process stored it. */
  storedSpec: string | undefined;
  /** Of the whole last version; undefined if this process has not seen one, or if every version is a change. */
  digest: string | undefined;
  /** Loaded from the database and not yet seen by this process. */
  isLoaded: boolean;
};

const selectObservations = tables
  .selectFrom("observation as o")
  .select(["o.observed_at", "o.resource_version", "o.writer", "o.provider", "o.projection"]);

const selectReleases = tables
  .selectFrom("release as l")
  .select(["l.rollout_id", "l.run_key as runKey", "l.attempt", "l.revision", "l.state"])
  .select(["l.message", "l.images", "l.started_at as startedAt", "l.ended_at as endedAt"]);
type ReleaseRow = Omit<RowOf<typeof selectReleases>, "rollout_id">;

const selectRollouts = tables
  .selectFrom("rollout")
  .select(["id", "resource_version", "presence", "derivation_version", ...waitColumns])
  .orderBy("id")
  .forNoKeyUpdate();

/**
 * Returns the states of these rollouts: the known ones, and for the others their stored state, with their rows locked
 * so that their history is not rederived meanwhile. Rollouts that are not stored yet are left out. Reads a few rows of
 * each, however long its history is.
 */
export async function loadRolloutStates(
  tx: PoolClient,
  allIds: readonly string[],
  known: ReadonlyMap<string, RolloutState>,
): Promise<Map<string, RolloutState>> {
  const ids = allIds.filter((id) => !known.has(id));
  const states = ids.length === 0 ? new Map<string, RolloutState>() : await loadStored(tx, ids);
  for (const id of allIds) {
    const state = known.get(id);
    if (state !== undefined) states.set(id, state);
  }
  return states;
}

async function loadStored(tx: PoolClient, ids: readonly string[]): Promise<Map<string, RolloutState>> {
  const [rollouts, newest, newestNamed] = await answersOf([
    readRows(
      tx,
      selectRollouts.where(({ ref }) => isOneOf(ref("id"), ids, "uuid")),
    ),
    loadNewest(tx, ids),
    // Observations without a pod hash do not count for releases; see foldRelease.
    loadNewest(tx, ids, { isNamed: true }),
  ]);
  const wanted = [...newestNamed].map(([id, { state }]) => ({ id, runKey: state.runKey }));
  const current = await loadUnfinished(tx, wanted);
  return new Map(
    rollouts.map((row) => {
      const previous = newestNamed.get(row.id) ?? newest.get(row.id);
      const { attention_reason: reason, attention_since: since } = ownWaitOf(row);
      const state: RolloutState = {
        resourceVersion: row.resource_version,
        presence: row.presence,
        attention: reason === null || since === null ? undefined : { reason, since: since.toISOString() },
        observation: newest.get(row.id),
        history: {
          current: current.get(row.id),
          previous: previous?.state,
          attempts: new Map(),
        },
        derivationVersion: row.derivation_version,
        managedFields: undefined,
        storedSpec: undefined,
        digest: undefined,
        isLoaded: true,
      };
      return [row.id, state];
    }),
  );
}

async function loadNewest(
  tx: PoolClient,
  ids: readonly string[],
  { isNamed = false }: { isNamed?: boolean } = {},
): Promise<Map<string, RecordedObservation>> {
  const newest = selectObservations
    .select("o.rollout_id")
    .where("o.rollout_id", "=", sql.ref<string>("wanted.id"))
    .where("o.provider", "<>", "")
    .$if(isNamed, (query) => query.where("o.run_key", "<>", ""))
    .orderBy("o.id", "desc")
    .limit(1)
    .as("newest");
  const rows = await readRows(
    tx,
    tables
      .selectFrom(wantedIds(ids))
      .innerJoinLateral(newest, (join) => join.onTrue())
      .selectAll("newest"),
  );
  return new Map(rows.map((row) => [row.rollout_id, toRecorded(row)]));
}

type RunKey = { id: string; runKey: string };

const keyTypes = { id: "uuid", runKey: "text" } as const;

/** Loads the newest attempt of each of these revisions if it is open or aborted, keyed by the rollout's id. */
async function loadUnfinished(tx: PoolClient, wanted: readonly RunKey[]): Promise<Map<string, Release>> {
  const newest = selectReleases
    .where("l.rollout_id", "=", sql.ref<string>("wanted.id"))
    .where("l.run_key", "=", sql.ref<string>("wanted.runKey"))
    .orderBy("l.attempt", "desc")
    .limit(1);
  const rows = await readRows(
    tx,
    tables
      .selectFrom(wantedRows(keyTypes, wanted))
      .innerJoinLateral(newest.as("newest"), (join) => join.onTrue())
      .selectAll("newest"),
  );
  const releases = rows.map((row) => [row.rollout_id, toRelease(row)] as const);
  return new Map(releases.filter(([, release]) => isUnfinished(release)));
}

/** Loads the releases of these rollouts that have not ended. */
export async function loadOpenReleases(
  tx: PoolClient,
  ids: readonly string[],
): Promise<{ rolloutId: string; value: Release }[]> {
  if (ids.length === 0) return [];
  const rows = await readRows(
    tx,
    selectReleases.where(({ ref }) => isOneOf(ref("l.rollout_id"), ids, "uuid")).where("l.ended_at", "is", null),
  );
  return rows.map((row) => ({ rolloutId: row.rollout_id, value: toRelease(row) }));
}

/** Loads the newest attempt of a revision that had begun by then. */
export async function loadNewestRelease(
  db: Connection,
  { rolloutId, runKey, startedBy }: { rolloutId: string; runKey: string; startedBy: string },
): Promise<Release | undefined> {
  const release = await prismaOn(db).release.findFirst({
    where: { rolloutId, runKey, startedAt: { lte: startedBy } },
    orderBy: { attempt: "desc" },
  });
  return release === null ? undefined : toRelease(release);
}

/** Loads the number of the newest attempt of each of these revisions, or 0; keyed by rollout, then run key. */
export async function loadAttempts(
  tx: PoolClient,
  wanted: readonly RunKey[],
): Promise<Map<string, Map<string, number>>> {
  const found = new Map<string, Map<string, number>>();
  if (wanted.length === 0) return found;
  const rows = await readRows(
    tx,
    tables.selectFrom(wantedRows(keyTypes, wanted)).select(({ selectFrom, fn, lit }) => [
      "wanted.id",
      "wanted.runKey",
      fn
        .coalesce(
          selectFrom("release as l")
            .select(({ fn }) => fn.max("l.attempt").as("attempt"))
            .whereRef("l.rollout_id", "=", "wanted.id")
            .whereRef("l.run_key", "=", "wanted.runKey"),
          lit(0),
        )
        .as("attempt"),
    ]),
  );
  for (const row of rows) found.set(row.id, (found.get(row.id) ?? new Map()).set(row.runKey, row.attempt));
  return found;
}

function toRelease({ runKey, attempt, revision, state, message, images, startedAt, endedAt }: ReleaseRow): Release {
  return {
    ...{ runKey, attempt, revision, state, message, images },
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  };
}
