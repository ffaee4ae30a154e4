import type { PoolClient } from "pg";
import type { DeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";
import type { MetricPoint } from "#lib/domain/delivery/sampling.ts";
import { readNewestWeights, type SampledWeight } from "#lib/server/clusters/sources/read-related-state.ts";
import { type InsertedRow, prepareInsert } from "#lib/server/platform/db/prepare-insert.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";

/** How often samples are taken. */
export const sampleEveryMs = 15_000;
/** A weight that stays the same is stored once in this time. */
const sameWeightMs = 30_000;
/** A last weight that is older says nothing new about what to store. */
const lastWeightSeconds = 240;

/** Stores samples, each once. Returns the rollouts of those that are new. */
export const insertSamples = prepareInsert({
  table: "rollout_sample",
  columns: { rollout_id: "uuid", what: "text", metric: "text", at: "timestamptz", value: "float8" },
  conflict: { key: ["rollout_id", "what", "metric", "at"] },
  returning: ["rollout_id"],
});
export type SampleRow = InsertedRow<typeof insertSamples>;

/** Leaves out weights that are stored already, or that say nothing new. */
export function thinWeights(points: readonly MetricPoint[], last: MetricPoint | undefined): MetricPoint[] {
  const kept: MetricPoint[] = [];
  let before = last;
  for (const point of points) {
    const sinceMs = before === undefined ? Number.POSITIVE_INFINITY : Date.parse(point.at) - Date.parse(before.at);
    if (sinceMs <= 0 || (point.value === before?.value && sinceMs < sameWeightMs)) continue;
    kept.push(point);
    before = point;
  }
  return kept;
}

/** Reads the newest stored weight of each rollout. */
export function readLastWeights(
  tx: PoolClient,
  asked: { ids: readonly string[]; what: SampledWeight },
): Promise<Map<string, MetricPoint>> {
  return readNewestWeights(tx, { ...asked, withinSeconds: lastWeightSeconds });
}

/** Does the same for all clusters at once, and adds up. One that fails stops no other. */
export async function countOver<C extends { name: string }>(
  clusters: readonly C[],
  onError: (error: unknown, cluster: string) => void,
  work: (cluster: C) => Promise<number>,
): Promise<number> {
  const counts = await Promise.all(
    clusters.map((cluster) =>
      work(cluster).catch((error: unknown) => {
        onError(error, cluster.name);
        return 0;
      }),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Reads the rollouts of a kind that are under way, or ended other than well. */
export async function readActive(connection: Connection, { cluster, kind }: { cluster: string; kind: DeliveryKind }) {
  return prismaOn(connection).rollout.findMany({
    where: { cluster, kind, presence: "live", phase: { not: "Healthy" } },
    orderBy: { id: "asc" },
    select: { id: true, namespace: true, object: true, phase: true },
  });
}
