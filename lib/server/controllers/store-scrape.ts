import { sql } from "kysely";
import type { Pool } from "pg";
import { scrapeMark } from "#lib/domain/controllers/component.ts";
import { advanceScrape, type ScrapeAttempt, type ScrapeState } from "#lib/domain/controllers/scrape-state.ts";
import { readDatabaseTime } from "#lib/server/db/database-time.ts";
import { inTransaction } from "#lib/server/db/in-transaction.ts";
import { prepareInsert } from "#lib/server/db/prepare-insert.ts";
import { readRow, write } from "#lib/server/db/run-query.ts";
import { tables } from "#lib/server/db/tables.ts";
import { storableText } from "#lib/server/recorder/store/text-fields.ts";

/** One component of one cluster. */
export type ComponentPlace = { cluster: string; component: string };

const insertSamples = prepareInsert({
  table: "controller_sample",
  columns: { cluster: "text", component: "text", series: "text", labels: "text", at: "timestamptz", value: "float8" },
  conflict: { key: ["cluster", "component", "at", "series", "labels"] },
});

/** Stores what one attempt gave: its samples, and the state of the scrapes. Its time is the database's. */
export async function storeScrape(
  pool: Pool,
  { cluster, component }: ComponentPlace,
  attempt: Omit<ScrapeAttempt, "at">,
): Promise<void> {
  await inTransaction(pool, async (tx) => {
    const stored = await readRow(
      tx,
      tables
        .selectFrom("controller_scrape")
        .select("state")
        .where("cluster", "=", cluster)
        .where("component", "=", component)
        .forUpdate(),
    );
    const { result } = attempt;
    // What was never found in a Prometheus may not exist.
    if (stored === undefined && attempt.via === "prometheus" && !result.ok) return;
    const at = (await readDatabaseTime(tx)).toISOString();
    if (result.ok) {
      const mark = { series: scrapeMark.key, labels: "", value: attempt.durationMs / 1000 };
      await insertSamples(
        tx,
        [mark, ...result.folded.values].map(({ series, labels, value }) => ({
          ...{ cluster, component, series, at, value },
          labels: storableText(labels),
        })),
      );
    }
    const state = sql<ScrapeState>`${JSON.stringify(advanceScrape(stored?.state, { ...attempt, at }))}::jsonb`;
    await write(
      tx,
      tables
        .insertInto("controller_scrape")
        .values({ cluster, component, at, state })
        .onConflict((conflict) => conflict.columns(["cluster", "component"]).doUpdateSet({ at, state })),
    );
  });
}
