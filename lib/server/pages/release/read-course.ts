import type { ReleaseBase } from "#lib/contract/release-course.ts";
import { type CourseMoment, deriveCourse } from "#lib/domain/delivery/derive-course.ts";
import type { Observation } from "#lib/domain/delivery/observation.ts";
import { readObservation } from "#lib/domain/providers.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
import { mostObservations, selectReleaseObservations } from "#lib/server/recording/history/release-observations.ts";
import { imagesOf, type ReleaseRow } from "#lib/server/records/release-row.ts";

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
