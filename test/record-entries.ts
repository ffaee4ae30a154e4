import type { Pool } from "pg";
import { expect } from "vitest";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { createKindWriter } from "#lib/server/recording/kinds/create-kind-writer.ts";
import type { KindWriter, ObjectEntry } from "#lib/server/recording/store/batch-types.ts";
import { writeChanges } from "#lib/server/recording/store/change-rows.ts";
import { createRecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";
import { addCluster } from "#test/add-cluster.ts";

/** An event of a watch, as the cluster sent it; `at`: its arrival. */
export type WatchEvent = {
  /** `LISTED`: found by a list. */
  type: "LISTED" | "ADDED" | "MODIFIED" | "DELETED";
  kind: string;
  uid: string;
  resourceVersion: string;
  object: unknown;
  at: Date;
};

/**
 * Stores events as the recorder of a cluster does, each in a transaction of its own. Leaves out kinds that it does not
 * watch.
 */
export async function recordEntries(pool: Pool, cluster: string, events: readonly WatchEvent[]): Promise<void> {
  await addCluster(pool, cluster);
  const metrics = createRecorderMetrics();
  const writers = new Map<string, KindWriter>();
  for (const source of sourcesOf({ name: cluster })) writers.set(source.kind, createKindWriter(source, metrics));
  for (const { type, kind, uid, resourceVersion, object, at } of events) {
    const writer = writers.get(kind);
    if (writer === undefined) continue;
    const op = type === "DELETED" ? "deleted" : "upsert";
    const entry: ObjectEntry = { op, uid, resourceVersion, object, receivedAt: at };
    await inTransaction(pool, async (tx) => {
      const { changes, poison, committed } = await writer.write(tx, [entry]);
      expect(poison).toEqual([]);
      await writeChanges(tx, changes);
      committed();
    });
  }
}
