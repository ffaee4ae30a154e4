import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";
import type { Link } from "#lib/contract/common.ts";
import type { ObjectMeta } from "#lib/domain/kube/kube-object.ts";
import { chooseImage, type LinkFacts, type LinkPlace } from "#lib/domain/links/link-values.ts";
import { listConfiguredLinks, readAnnotationLinks } from "#lib/domain/links/list-links.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { tables, wantedIds } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { imagesOf, type ReleaseRow } from "#lib/server/records/release-row.ts";
import type { RolloutRow } from "#lib/server/records/rollout-row.ts";
import type { RunRow } from "#lib/server/records/run-row.ts";

/** Returns the links of the config for one object. */
function linksOf(runtime: Pick<Runtime, "config">, on: LinkPlace, facts: LinkFacts): Link[] {
  return listConfiguredLinks(runtime.config().config.links, { on, facts }).map((link) => ({
    ...link,
    source: "config",
  }));
}

/** The time of a rollout's current release. */
export type CurrentRelease = { startedAt: Date; endedAt: Date | null };

/** Reads when the newest release of each rollout began and ended, by rollout. Nothing is read if no links need it. */
export async function readCurrentReleases(
  runtime: Pick<Runtime, "config" | "pool">,
  rolloutIds: readonly string[],
): Promise<Map<string, CurrentRelease>> {
  if (rolloutIds.length === 0 || !hasLinksOn(runtime, "rollout")) return new Map();
  const query = tables
    .selectFrom(wantedIds(rolloutIds))
    .innerJoinLateral(
      ({ selectFrom }) =>
        selectFrom("release as l")
          .select(["l.started_at", "l.ended_at"])
          .whereRef("l.rollout_id", "=", "wanted.id")
          .orderBy("l.started_at", "desc")
          .limit(1)
          .as("newest"),
      (join) => join.onTrue(),
    )
    .select(["wanted.id", "newest.started_at", "newest.ended_at"]);
  const rows = await readRows(runtime.pool, query);
  return new Map(rows.map((row) => [row.id, { startedAt: row.started_at, endedAt: row.ended_at }]));
}

/** Returns the links of a rollout: those of the config, then those of its own annotations. */
export function linksOfRollout(
  runtime: Pick<Runtime, "config" | "now">,
  row: RolloutRow,
  known: {
    /** Undefined if the recorded object cannot be parsed. */
    metadata: Pick<ObjectMeta, "annotations"> | undefined;
    stableHash: string | null | undefined;
    release: CurrentRelease | undefined;
  },
): Link[] {
  const { cluster, namespace, name, kind } = row;
  const { release, stableHash, metadata } = known;
  const own = linksOf(runtime, "rollout", {
    ...{ cluster, namespace, name, kind },
    podHash: row.revision_key,
    stableHash,
    revision: row.revision,
    image: chooseImage(row.images),
    from: release?.startedAt.toISOString(),
    to: release === undefined ? undefined : (release.endedAt ?? runtime.now()).toISOString(),
  });
  const annotated = readAnnotationLinks(metadata?.annotations ?? {});
  return [...own, ...annotated.map((link): Link => ({ ...link, source: "annotation" }))];
}

/** Reads the first image of a revision, as its newest release has it. Nothing is read if no links need it. */
export async function readImageOf(
  runtime: Pick<Runtime, "config" | "pool">,
  { rolloutId, runKey }: { rolloutId: string | null; runKey: string | null },
): Promise<string | undefined> {
  const isNeeded = hasLinksOn(runtime, "run") || hasLinksOn(runtime, "metric");
  if (rolloutId === null || runKey === null || !isNeeded) return undefined;
  const release = await prismaOn(runtime.pool).release.findFirst({
    where: { rolloutId, runKey },
    orderBy: { startedAt: "desc" },
    select: { images: true },
  });
  return imagesOf(release?.images)[0];
}

function hasLinksOn(runtime: Pick<Runtime, "config">, place: LinkPlace): boolean {
  return runtime.config().config.links.some(({ on }) => on.includes(place));
}

/** Returns the links of a release, for the time that it took; one that has not ended lasts until now. */
export function linksOfRelease(runtime: Pick<Runtime, "config" | "now">, row: ReleaseRow): Link[] {
  const { cluster, namespace, name, kind } = row;
  return linksOf(runtime, "release", {
    ...{ cluster, namespace, name, kind },
    podHash: row.run_key,
    revision: row.revision,
    image: imagesOf(row.images)[0],
    from: row.started_at.toISOString(),
    to: (row.ended_at ?? runtime.now()).toISOString(),
  });
}

type LinksOfRun = { ofRun: Link[]; ofMetric(metric: { name: string; query: string | null }): Link[] };

/** Returns the links of a run and of its metrics, for the time that it took; one that has not ended lasts until now. */
export function linksOfRun(
  runtime: Pick<Runtime, "config" | "now">,
  row: Omit<RunRow, "measurements">,
  {
    name,
    kind,
    image,
    creator,
  }: {
    name: string | null;
    kind: string | null;
    image: string | undefined;
    creator: AnalysisRunDetail["createdBy"];
  },
): LinksOfRun {
  const facts: LinkFacts = {
    cluster: row.cluster,
    namespace: row.namespace,
    name,
    kind,
    podHash: row.pod_hash,
    revision: row.revision,
    image,
    from: row.started_at?.toISOString(),
    to: (row.completed_at ?? runtime.now()).toISOString(),
    run: row.name,
    creatorKind: creator?.kind,
    creator: creator?.name,
  };
  return {
    ofRun: linksOf(runtime, "run", facts),
    ofMetric: ({ name: metric, query }) => linksOf(runtime, "metric", { ...facts, metric, query }),
  };
}
