import { readObservation } from "#lib/domain/providers.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { isOfRelease } from "./release-observations.ts";

type PodTemplates = Map<string, Record<string, unknown>>;

/** Reads the pod templates of these revisions of a rollout, by their keys; those that were not recorded are left out. */
export async function readPodTemplates(
  connection: Connection,
  rolloutId: string,
  runKeys: readonly string[],
): Promise<PodTemplates> {
  const [ofSets, ofWorkloads] = await Promise.all([
    readSetTemplates(connection, rolloutId, runKeys),
    readWorkloadTemplates(connection, rolloutId, runKeys),
  ]);
  return new Map([...ofWorkloads, ...ofSets]);
}

/** Reads those of revisions that have a ReplicaSet of their own: the template of the rollout itself. */
export async function readSetTemplates(
  connection: Connection,
  rolloutId: string,
  runKeys: readonly string[],
): Promise<PodTemplates> {
  const sets = await prismaOn(connection).replicaSet.findMany({
    where: { rolloutId, podHash: { in: [...runKeys] } },
    orderBy: { createdAt: "asc" },
    select: { podHash: true, template: { select: { content: true } } },
  });
  return toTemplates(sets.map(({ podHash: key, template }) => ({ key, content: template?.content })));
}

/** Reads those of revisions whose template is that of a workload beside the rollout. */
async function readWorkloadTemplates(
  connection: Connection,
  rolloutId: string,
  runKeys: readonly string[],
): Promise<PodTemplates> {
  const query = tables
    .selectFrom("observation as o")
    .innerJoin("recorded_part as p", "p.digest", "o.template_digest")
    .distinctOn("o.run_key")
    .select(["o.run_key as key", "p.content"])
    .where("o.rollout_id", "=", rolloutId)
    .where("o.run_key", "in", [...runKeys])
    .where("o.template_digest", "is not", null)
    .orderBy("o.run_key")
    .orderBy("o.id");
  return toTemplates(await readRows(connection, query));
}

function toTemplates(rows: readonly { key: string | null; content: unknown }[]): PodTemplates {
  return new Map(
    rows.flatMap(({ key, content }) =>
      key !== null && typeof content === "object" && content !== null && !Array.isArray(content)
        ? [[key, content as Record<string, unknown>] as const]
        : [],
    ),
  );
}

/**
 * Reads the pod template of the workload that ran the stable revision while a release was under way: the newest one, since
 * that workload's record may be behind when the release begins. Undefined if it was not recorded.
 */
export async function readStableTemplate(
  connection: Connection,
  release: Parameters<typeof isOfRelease>[0],
): Promise<unknown> {
  const observation = await prismaOn(connection).observation.findFirst({
    where: { ...isOfRelease(release), stableTemplateDigest: { not: null } },
    orderBy: { id: "desc" },
    select: { stableTemplate: { select: { content: true } } },
  });
  return observation?.stableTemplate?.content;
}

/**
 * Reads the pod template of the workload that ran this revision as the stable one, when the next release began, and
 * that release's own. Undefined if it was not recorded, or if another revision was stable then.
 */
export async function readCopyOf(
  connection: Connection,
  { rollout_id, run_key, started_at }: { rollout_id: string; run_key: string; started_at: Date },
): Promise<{ stable: unknown; released: unknown } | undefined> {
  const found = await prismaOn(connection).observation.findFirst({
    where: {
      rolloutId: rollout_id,
      observedAt: { gte: started_at },
      runKey: { not: run_key },
      stableTemplateDigest: { not: null },
    },
    orderBy: { id: "asc" },
    include: { stableTemplate: true, template: true },
  });
  if (found === null) return undefined;
  const { observedAt, stableTemplate, template } = found;
  const { state } = readObservation({ ...found, observedAt: observedAt.toISOString() });
  if (state.stableKey !== run_key) return undefined;
  return { stable: stableTemplate?.content, released: template?.content ?? null };
}

/** Reads since when templates of workloads are recorded of a rollout; undefined if none is. */
export async function readTemplatesSince(connection: Connection, rolloutId: string): Promise<Date | undefined> {
  const { _min: oldest } = await prismaOn(connection).observation.aggregate({
    where: { rolloutId, templateDigest: { not: null } },
    _min: { observedAt: true },
  });
  return oldest.observedAt ?? undefined;
}
