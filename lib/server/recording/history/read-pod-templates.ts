import { readObservation } from "#lib/domain/providers.ts";
import { type Connection, readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { selectReleaseObservations } from "./release-observations.ts";

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
  const query = tables
    .selectFrom("replica_set as rs")
    .innerJoin("recorded_part as p", "p.digest", "rs.template_digest")
    .select(["rs.pod_hash as key", "p.content"])
    .where("rs.rollout_id", "=", rolloutId)
    .where("rs.pod_hash", "in", [...runKeys])
    .orderBy("rs.created_at");
  return toTemplates(await readRows(connection, query));
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
  release: Parameters<typeof selectReleaseObservations>[0],
): Promise<unknown> {
  const query = selectReleaseObservations(release)
    .innerJoin("recorded_part as p", "p.digest", "o.stable_template_digest")
    .clearSelect()
    .select("p.content")
    .orderBy("o.id", "desc")
    .limit(1);
  return (await readRow(connection, query))?.content;
}

/**
 * Reads the pod template of the workload that ran this revision as the stable one, when the next release began, and
 * that release's own. Undefined if it was not recorded, or if another revision was stable then.
 */
export async function readCopyOf(
  connection: Connection,
  { rollout_id, run_key, started_at }: { rollout_id: string; run_key: string; started_at: Date },
): Promise<{ stable: unknown; released: unknown } | undefined> {
  const query = tables
    .selectFrom("observation as o")
    .innerJoin("recorded_part as p", "p.digest", "o.stable_template_digest")
    .leftJoin("recorded_part as q", "q.digest", "o.template_digest")
    .select(["o.observed_at", "o.resource_version", "o.writer", "o.provider", "o.projection"])
    .select(["p.content as stable", "q.content as released"])
    .where("o.rollout_id", "=", rollout_id)
    .where("o.observed_at", ">=", started_at)
    .where("o.run_key", "<>", run_key)
    .orderBy("o.id")
    .limit(1);
  const row = await readRow(connection, query);
  if (row === undefined) return undefined;
  const { state } = readObservation({
    observedAt: row.observed_at.toISOString(),
    resourceVersion: row.resource_version,
    ...{ writer: row.writer, provider: row.provider, projection: row.projection },
  });
  return state.stableKey === run_key ? { stable: row.stable, released: row.released } : undefined;
}

/** Reads since when templates of workloads are recorded of a rollout; undefined if none is. */
export async function readTemplatesSince(connection: Connection, rolloutId: string): Promise<Date | undefined> {
  const row = await readRow(
    connection,
    tables
      .selectFrom("observation")
      .select(({ fn }) => fn.min("observed_at").as("since"))
      .where("rollout_id", "=", rolloutId)
      .where("template_digest", "is not", null),
  );
  return row?.since ?? undefined;
}
