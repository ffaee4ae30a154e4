import type { ReleaseBase, ReleaseExperiment } from "#lib/contract/release-course.ts";
import type { ReleaseRun } from "#lib/contract/rollout.ts";
import { type CourseMoment, deriveCourse } from "#lib/domain/delivery/derive-course.ts";
import type { Observation } from "#lib/domain/delivery/observation.ts";
import { measuringProviderOf, readObservation } from "#lib/domain/providers.ts";
import { selectReleaseRuns, serializeRun } from "#lib/server/pages/rollout/read-release-runs.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { mostObservations, selectReleaseObservations } from "#lib/server/recording/history/release-observations.ts";
import { imagesOf, isExperimentOfRelease, type ReleaseRow } from "#lib/server/records/release-row.ts";
import { asPhase } from "#lib/server/records/run-row.ts";

const shownMoments = 2_000;

type Of = Pick<ReleaseRow, "rollout_id" | "run_key" | "started_at" | "ended_at">;

export type Course = {
  moments: CourseMoment[];
  isCut: boolean;
  /** Key of the revision that was stable at its beginning; undefined if it is not known. */
  baseKey: string | undefined;
};

/** Reads the course of a release. */
export async function readCourse(pool: Connection, release: Of): Promise<Course> {
  const rows = await readRows(pool, selectReleaseObservations(release).orderBy("o.id").limit(mostObservations));
  const observations: Observation[] = rows.map((row) =>
    readObservation({
      observedAt: row.observed_at.toISOString(),
      resourceVersion: row.resource_version,
      writer: row.writer,
      provider: row.provider,
      projection: row.projection,
    }),
  );
  const moments = deriveCourse(observations);
  const stable = observations[0]?.state.stableKey ?? "";
  return {
    moments: moments.slice(0, shownMoments),
    isCut: moments.length > shownMoments || rows.length === mostObservations,
    baseKey: stable === "" || stable === release.run_key ? undefined : stable,
  };
}

/** Reads the recorded facts about the revision that a release replaced. */
export async function readBase(pool: Connection, { rollout_id, started_at }: Of, runKey: string): Promise<ReleaseBase> {
  const prisma = prismaOn(pool);
  const [release, replicaSet] = await Promise.all([
    prisma.release.findFirst({
      where: { rolloutId: rollout_id, runKey, startedAt: { lte: started_at } },
      orderBy: { startedAt: "desc" },
      select: { id: true, revision: true, images: true },
    }),
    prisma.replicaSet.findFirst({
      where: { rolloutId: rollout_id, podHash: runKey },
      orderBy: { createdAt: "desc" },
      select: { revision: true, images: true },
    }),
  ]);
  const images = release === null ? replicaSet?.images : imagesOf(release.images);
  return {
    runKey,
    revision: release?.revision ?? replicaSet?.revision ?? null,
    images: images === undefined || images.length === 0 ? null : images,
    releaseId: release?.id ?? null,
  };
}

const shownExperiments = 20;
const shownRuns = 200;

type Run = Omit<ReleaseRun, "decided">;
/** An Experiment, before it is known which run decided the release. */
export type ReadExperiment = Omit<ReleaseExperiment, "runs"> & { runs: Run[] };

/** Reads the Experiments of a release, oldest first; the newest if they are many. */
export async function readReleaseExperiments(
  pool: Connection,
  release: Pick<ReleaseRow, "rollout_id" | "id">,
): Promise<ReadExperiment[]> {
  const rows = await readRows(
    pool,
    tables
      .selectFrom("experiment as e")
      .innerJoin("release as l", (join) => join.on(isExperimentOfRelease()))
      .select(["e.uid", "e.name", "e.phase", "e.message", "e.object", "e.created_at", "e.completed_at", "e.gone_at"])
      .where("l.rollout_id", "=", release.rollout_id)
      .where("l.id", "=", release.id)
      .orderBy("e.created_at", "desc")
      .orderBy("e.uid")
      .limit(shownExperiments),
  );
  const runs = await readRuns(
    pool,
    rows.map(({ uid }) => uid),
  );
  return rows.toReversed().map((row) => ({
    uid: row.uid,
    name: row.name,
    phase: asPhase(row.phase),
    message: row.message,
    createdAt: row.created_at.toISOString(),
    completedAt: row.completed_at?.toISOString() ?? null,
    goneAt: row.gone_at?.toISOString() ?? null,
    templates: describeTemplates(row.object),
    runs: runs.get(row.uid) ?? [],
  }));
}

/** Returns an empty list for an object that can no longer be read. */
function describeTemplates(object: unknown): ReleaseExperiment["templates"] {
  const parsed = measuringProviderOf("Experiment").parseExperiment(object);
  if (!parsed.ok) return [];
  return parsed.value.describe().templates.map(({ name, status, images }) => ({ name, status, images }));
}

/** Reads the runs that these Experiments own, oldest first. Their labels name no revision. */
async function readRuns(pool: Connection, uids: readonly string[]): Promise<Map<string, Run[]>> {
  if (uids.length === 0) return new Map();
  const rows = await readRows(
    pool,
    selectReleaseRuns
      .select("a.owner_uid")
      .where(({ ref }) => isOneOf(ref("a.owner_uid"), uids))
      .orderBy("a.created_at")
      .orderBy("a.uid")
      .limit(shownRuns),
  );
  const runs = new Map<string, Run[]>();
  for (const row of rows) {
    if (row.owner_uid === null) continue;
    const own = runs.get(row.owner_uid) ?? [];
    own.push(serializeRun(row));
    runs.set(row.owner_uid, own);
  }
  return runs;
}
