import type pg from "pg";
import type { PastCluster } from "./past-cluster.ts";
import { pause } from "./simulated-clock.ts";

/** The recorded kinds whose every change counts, and their tables. */
const tableOf: Readonly<Record<string, string>> = {
  rollouts: "rollout",
  analysisruns: "analysis_run",
  analysistemplates: "analysis_template",
};
const giveUpAfterMs = 3000;

/** Knows which changes of the cluster are not in the database yet. */
export function createRecordedCheck({ cluster, database }: { cluster: PastCluster; database: pg.Client }) {
  const due = new Map<string, { table: string; version: number }>();
  cluster.store.subscribe(({ type, resource, object }) => {
    const table = tableOf[resource];
    const { uid, resourceVersion } = object.metadata;
    if (table === undefined) return;
    if (type === "DELETED") due.delete(uid);
    else due.set(uid, { table, version: Number(resourceVersion) });
  });

  async function dropRecorded(): Promise<void> {
    for (const table of new Set([...due.values()].map((one) => one.table))) {
      const uids = [...due].filter(([, one]) => one.table === table).map(([uid]) => uid);
      const { rows } = await database.query<{ uid: string; version: string }>(
        `SELECT uid::text, resource_version AS version FROM ${table} WHERE uid::text = ANY($1)`,
        [uids],
      );
      for (const { uid, version } of rows) if (Number(version) >= (due.get(uid)?.version ?? 0)) due.delete(uid);
    }
  }

  return {
    /** Waits until the recorder has stored the newest version of each object. */
    async settle(): Promise<void> {
      const until = performance.now() + giveUpAfterMs;
      while (due.size > 0) {
        await dropRecorded();
        if (due.size === 0) return;
        if (performance.now() > until) {
          process.stderr.write(`history: not recorded: ${JSON.stringify([...due])}\n`);
          due.clear();
          return;
        }
        await pause(3);
      }
    },
  };
}
