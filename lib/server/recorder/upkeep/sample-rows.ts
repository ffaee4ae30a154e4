import { sql } from "kysely";
import type { PoolClient } from "pg";
import type { MetricPoint } from "#lib/domain/delivery/sampling.ts";
import { isOneOf } from "#lib/server/db/conditions.ts";
import { clockTime } from "#lib/server/db/database-time.ts";
import { type InsertedRow, prepareInsert } from "#lib/server/db/prepare-insert.ts";
import { readRows } from "#lib/server/db/run-query.ts";
import { tables } from "#lib/server/db/tables.ts";

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
export async function readLastWeights(
  tx: PoolClient,
  { ids, what }: { ids: readonly string[]; what: "route" | "weight" },
): Promise<Map<string, MetricPoint>> {
  if (ids.length === 0) return new Map();
  const rows = await readRows(
    tx,
    tables
      .selectFrom("rollout_sample")
      .distinctOn("rollout_id")
      .select(["rollout_id", "at", "value"])
      .where(({ ref }) => isOneOf(ref("rollout_id"), ids, "uuid"))
      .where("what", "=", what)
      .where("metric", "=", "")
      .where("at", ">", sql<Date>`${clockTime} - make_interval(secs => ${lastWeightSeconds})`)
      .orderBy("rollout_id")
      .orderBy("at", "desc"),
  );
  return new Map(rows.map(({ rollout_id, at, value }) => [rollout_id, { at: at.toISOString(), value }]));
}

/** Selects the rollouts of a kind that are under way, or ended other than well. */
export function selectActive({ cluster, kind }: { cluster: string; kind: "Rollout" | "Canary" }) {
  return tables
    .selectFrom("rollout")
    .select(["id", "namespace", "object", "phase"])
    .where("cluster", "=", cluster)
    .where("kind", "=", kind)
    .where("presence", "=", "live")
    .where("phase", "<>", "Healthy")
    .orderBy("id");
}
