import type { Pool } from "pg";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { createKindWriter } from "#lib/server/recording/kinds/create-kind-writer.ts";
import type { KindWriter, ObjectEntry } from "#lib/server/recording/store/batch-types.ts";
import { writeChanges } from "#lib/server/recording/store/change-rows.ts";
import { createRecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";
import { deriveDueRuns } from "#lib/server/recording/upkeep/derive-runs.ts";
import { noticeMessages } from "#lib/server/recording/upkeep/notice-messages.ts";
import { addCluster } from "#test/add-cluster.ts";
import { readRealFlagger } from "./real-flagger.ts";
import { sharedEvaluations } from "./shared-evaluations.ts";

type RealObject = {
  kind: string;
  metadata: { uid: string; name: string; resourceVersion: string };
  involvedObject?: { kind: string; name: string; uid: string };
};
export type RealFlaggerLine = { at: string; type: string; object: RealObject };

/** Reads the watch events recorded from Flagger 1.44.0, in order of arrival. */
export function readRealFlaggerLines(): RealFlaggerLine[] {
  return (["canaries", "deployments", "events"] as const)
    .flatMap((kind) => readRealFlagger<RealObject>("1.44.0", kind))
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

/** No two clusters have objects of one uid. */
export const uidIn = (cluster: string, uid: string): string => `${cluster}-${uid}`;

/** Records lines as a recorder that has just started, at the times at which they had arrived. */
export async function recordFlagger(pool: Pool, lines: readonly RealFlaggerLine[], cluster: string): Promise<void> {
  await addCluster(pool, cluster);
  const writers = new Map<string, KindWriter>(
    sourcesOf({ name: cluster }).map((source) => [source.kind, createKindWriter(source, createRecorderMetrics())]),
  );
  for (let from = 0; from < lines.length; ) {
    const { kind } = lines[from]?.object ?? { kind: "" };
    let to = from;
    while (lines[to]?.object.kind === kind && to - from < 20) to++;
    const writer = writers.get(kind);
    if (writer === undefined) throw new Error(`no writer of ${kind}`);
    const entries = lines.slice(from, to).map((line) => toEntry(line, cluster));
    for (const entry of entries) writer.prepare?.(entry);
    const committed = await inTransaction(pool, async (tx) => {
      const { poison, changes, committed } = await writer.write(tx, entries);
      if (poison[0] !== undefined) throw new Error(poison[0].reason);
      await writeChanges(tx, changes);
      return committed;
    });
    committed();
    from = to;
  }
}

function toEntry({ at, type, object: received }: RealFlaggerLine, cluster: string): ObjectEntry {
  const object = structuredClone(received);
  object.metadata.uid = uidIn(cluster, object.metadata.uid);
  if (object.involvedObject !== undefined) object.involvedObject.uid = uidIn(cluster, object.involvedObject.uid);
  const { uid, resourceVersion } = object.metadata;
  const op = type === "DELETED" ? "deleted" : "upsert";
  return { op, uid, resourceVersion, object, receivedAt: new Date(at) };
}

/** Derives runs from messages as the upkeep does, until no run is due. */
export async function deriveAllRuns(pool: Pool): Promise<void> {
  const onError = (error: unknown): never => {
    throw error;
  };
  await noticeMessages(pool);
  while (
    (await deriveDueRuns({ pool, evaluations: sharedEvaluations(), pace: new Map(), onError, budgetMs: 60_000 })) > 0
  );
}
