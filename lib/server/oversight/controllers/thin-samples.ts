import { sql } from "kysely";
import type { Pool } from "pg";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { isBetween, isSignificant } from "./sample-rows.ts";

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
