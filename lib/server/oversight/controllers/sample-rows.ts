import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { StoredSeries } from "#lib/domain/controllers/facts.ts";
import { readLabels } from "#lib/domain/controllers/fold-samples.ts";
import { type Condition, isOneOf } from "#lib/server/platform/db/conditions.ts";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import type { ComponentPlace } from "./store-scrape.ts";

/** `keys`: the series to read; all if absent. `stepSeconds`: of each step the smallest, greatest and last value. */
type Asked = ComponentPlace & { from: Date; keys?: readonly string[]; stepSeconds?: number };

/** Reads stored samples, each series with its points oldest first. */
export async function readSamples(connection: Connection, asked: Asked): Promise<StoredSeries[]> {
  const rows = await readRows(connection, selectSamples(asked));
  const found = new Map<
    string,
    { series: string; labels: Record<string, string>; points: { at: number; value: number }[] }
  >();
  for (const { series, labels, at, value } of rows) {
    const key = `${series} ${labels}`;
    const own = found.get(key) ?? { series, labels: readLabels(labels), points: [] };
    own.points.push({ at: at.getTime(), value });
    found.set(key, own);
  }
  return [...found.values()];
}

function selectSamples({ cluster, component, from, keys, stepSeconds }: Asked) {
  const selected = tables
    .selectFrom("controller_sample as s")
    .where("s.cluster", "=", cluster)
    .where("s.component", "=", component)
    .where("s.at", ">=", from)
    .$if(keys !== undefined, (query) => query.where(({ ref }) => isOneOf(ref("s.series"), keys ?? [])));
  if (stepSeconds === undefined) return selected.select(["s.series", "s.labels", "s.at", "s.value"]).orderBy("s.at");
  return tables
    .selectFrom(
      selected
        .select(["s.series", "s.labels", "s.at", "s.value", isSignificant(stepSeconds).as("significant")])
        .as("ranked"),
    )
    .select(["ranked.series", "ranked.labels", "ranked.at", "ranked.value"])
    .where("ranked.significant", "=", true)
    .orderBy("ranked.at");
}

/**
 * Returns whether a sample is the smallest, the greatest or the last one of its series within a step. They suffice: a
 * gauge keeps its peaks, and a counter its increase, even if it began again from 0.
 */
export function isSignificant(stepSeconds: number): RawBuilder<SqlBool> {
  const step = sql`date_bin(make_interval(secs => ${stepSeconds}), s.at, 'epoch')`;
  const own = sql`PARTITION BY s.cluster, s.component, s.series, s.labels, ${step}`;
  return sql<SqlBool>`(row_number() OVER (${own} ORDER BY s.at DESC) = 1
    OR row_number() OVER (${own} ORDER BY s.value, s.at DESC) = 1
    OR row_number() OVER (${own} ORDER BY s.value DESC, s.at DESC) = 1)`;
}

export function isBetween(from: Date, to: Date): Condition {
  const eb = fragment<{ s: "controller_sample" }>();
  return eb.and([eb("s.at", ">=", from), eb("s.at", "<", to)]);
}
