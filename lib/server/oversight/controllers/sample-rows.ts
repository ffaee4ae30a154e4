import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Pool } from "pg";
import type { StoredSeries } from "#lib/domain/controllers/facts.ts";
import { readLabels } from "#lib/domain/controllers/fold-samples.ts";
import { type Condition, isOneOf } from "#lib/server/platform/db/conditions.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { type Connection, readRows, write } from "#lib/server/platform/db/run-query.ts";
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
function isSignificant(stepSeconds: number): RawBuilder<SqlBool> {
  const step = sql`date_bin(make_interval(secs => ${stepSeconds}), s.at, 'epoch')`;
  const own = sql`PARTITION BY s.cluster, s.component, s.series, s.labels, ${step}`;
  return sql<SqlBool>`(row_number() OVER (${own} ORDER BY s.at DESC) = 1
    OR row_number() OVER (${own} ORDER BY s.value, s.at DESC) = 1
    OR row_number() OVER (${own} ORDER BY s.value DESC, s.at DESC) = 1)`;
}

function isBetween(from: Date, to: Date): Condition {
  const eb = fragment<{ s: "controller_sample" }>();
  return eb.and([eb("s.at", ">=", from), eb("s.at", "<", to)]);
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Samples older than `afterMs` are thinned per step. */
const ages = [
  { afterMs: dayMs, stepSeconds: 300 },
  { afterMs: 7 * dayMs, stepSeconds: 3600 },
];

/**
 * Thins samples by age: after a day to steps of five minutes, after a week to steps of an hour. `lookBackMs`: how far
 * before each age it looks; thinned samples stay as they are. Resolves with the number of deleted rows.
 */
export async function thinSamples(pool: Pool, lookBackMs: number): Promise<number> {
  const now = (await readDatabaseTime(pool)).getTime();
  let deleted = 0;
  for (const { afterMs, stepSeconds } of ages) {
    // Whole steps, so that the rows of one step are compared at the same time.
    const to = Math.floor((now - afterMs) / hourMs) * hourMs;
    for (let from = to - Math.ceil(lookBackMs / hourMs) * hourMs; from < to; from += hourMs)
      deleted += await thinHour(pool, { from: new Date(from), to: new Date(from + hourMs), stepSeconds });
  }
  return deleted;
}

/** One hour at a time: no statement holds locks for long. */
function thinHour(
  pool: Pool,
  { from, to, stepSeconds }: { from: Date; to: Date; stepSeconds: number },
): Promise<number> {
  const ranked = tables
    .selectFrom("controller_sample as s")
    .select(["s.cluster", "s.component", "s.at", "s.series", "s.labels"])
    .select(isSignificant(stepSeconds).as("significant"))
    .where(isBetween(from, to));
  return write(
    pool,
    tables
      .with("ranked", () => ranked)
      .deleteFrom("controller_sample")
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple("cluster", "component", "at", "series", "labels"),
          "in",
          selectFrom("ranked")
            .select(["ranked.cluster", "ranked.component", "ranked.at", "ranked.series", "ranked.labels"])
            .where("ranked.significant", "=", sql.lit(false))
            .$asTuple("cluster", "component", "at", "series", "labels"),
        ),
      ),
  );
}
