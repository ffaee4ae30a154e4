import type { Pool, PoolClient } from "pg";
import { scrapeMark } from "#lib/domain/controllers/component.ts";
import { type KeptValues, keepChanges } from "#lib/domain/controllers/keep-changes.ts";
import { advanceScrape, type ScrapeAttempt, type ScrapeState } from "#lib/domain/controllers/scrape-state.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { prepareInsert } from "#lib/server/platform/db/prepare-insert.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRow } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { storableText } from "#lib/server/recording/store/text-fields.ts";

/** One component of one cluster. */
export type ComponentPlace = { cluster: string; component: string };

const insertSamples = prepareInsert({
  table: "controller_sample",
  columns: { cluster: "text", component: "text", series: "text", labels: "text", at: "timestamptz", value: "float8" },
  conflict: { key: ["cluster", "component", "at", "series", "labels"] },
});

/** The values that this process stored last, by component. */
export type ScrapeMemory = Map<string, KeptValues>;

/**
 * Stores one attempt: the samples that add information, and the state of the scrapes. The time is the database's. If
 * another process stored the previous scrape, all samples are stored.
 */
export async function storeScrape(
  { pool, memory }: { pool: Pool; memory: ScrapeMemory },
  { cluster, component }: ComponentPlace,
  attempt: Omit<ScrapeAttempt, "at">,
): Promise<void> {
  const key = `${cluster}/${component}`;
  const kept = await inTransaction(pool, async (tx) => {
    const before = await lockState(tx, { cluster, component });
    const { result, via } = attempt;
    // A component that was never found in a Prometheus may not exist.
    if (before === undefined && via === "prometheus" && !result.ok) return undefined;
    const at = (await readDatabaseTime(tx)).toISOString();
    const state = advanceScrape(before, { ...attempt, at });
    await prismaOn(tx).controllerScrape.upsert({
      where: { cluster_component: { cluster, component } },
      create: { cluster, component, at, state },
      update: { at, state },
      select: { at: true },
    });
    if (!result.ok) return undefined;
    const last = memory.get(key);
    const values = result.folded.values.map((each) => ({ ...each, labels: storableText(each.labels) }));
    const { rows, kept } = keepChanges({ at, values }, last?.at === before?.lastOkAt ? last : undefined);
    // Always stored: its times show when the other series could have been seen.
    const mark = { series: scrapeMark.key, labels: "", at, value: attempt.durationMs / 1000 };
    await insertSamples(
      tx,
      [mark, ...rows].map((row) => ({ cluster, component, ...row })),
    );
    return kept;
  });
  // Only committed values; after a failure everything is stored again.
  if (kept === undefined) memory.delete(key);
  else memory.set(key, kept);
}

async function lockState(tx: PoolClient, { cluster, component }: ComponentPlace): Promise<ScrapeState | undefined> {
  const query = tables
    .selectFrom("controller_scrape")
    .select("state")
    .where("cluster", "=", cluster)
    .where("component", "=", component)
    .forUpdate();
  return (await readRow(tx, query))?.state;
}
