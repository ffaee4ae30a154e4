import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Pool } from "pg";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import { evaluationWorker } from "#lib/server/platform/config/program-files.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { createEvaluationPool } from "#lib/server/platform/evaluation/evaluation-pool.ts";
import { createKindWriter } from "#lib/server/recording/kinds/create-kind-writer.ts";
import { guardWriter } from "#lib/server/recording/kinds/guard-writer.ts";
import { createSourceWriter } from "#lib/server/recording/session/source-writer.ts";
import { acquireLease } from "#lib/server/recording/store/lease.ts";
import { createRecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";
import { openSource } from "#lib/server/recording/store/source-row.ts";

/** Starts no thread: the specs here are small. */
const evaluations = createEvaluationPool({ file: evaluationWorker, threads: 1 });

/** `resourceVersion`: 1000 by default. */
export type RunObject = { uid: string; object: unknown; resourceVersion?: string };

export type RunShape = { runs: number; metrics: number; measurementsPerMetric: number };

/** Creates runs as a controller leaves them, each metric with its newest measurements. `round` makes their names differ. */
export function createRuns(round: number, { runs, metrics, measurementsPerMetric }: RunShape): RunObject[] {
  const begin = Date.now() - 3_600_000;
  const time = (second: number): string => new Date(begin + second * 1000).toISOString();
  return Array.from({ length: runs }, (_, index) => {
    const uid = randomUUID();
    const names = Array.from({ length: metrics }, (_, metric) => `metric-${metric}`);
    const object = {
      apiVersion: "argoproj.io/v1alpha1",
      kind: "AnalysisRun",
      metadata: {
        name: `run-${round}-${index}`,
        namespace: `team-${index % 20}`,
        uid,
        resourceVersion: String(1000 + index),
        creationTimestamp: time(0),
        labels: { "rollout-type": "Background", "rollouts-pod-template-hash": "abc" },
        ownerReferences: [
          { kind: "Rollout", name: `rollout-${index % 200}`, uid: `owner-${index % 200}`, controller: true },
        ],
      },
      spec: {
        metrics: names.map((name) => ({
          name,
          interval: "30s",
          successCondition: "result[0] >= 0.95",
          failureLimit: 3,
          provider: { prometheus: { address: "http://prometheus:9090", query: "sum(rate(requests_total[1m]))" } },
        })),
      },
      status: {
        phase: "Successful",
        startedAt: time(0),
        completedAt: time(400),
        metricResults: names.map((name) => ({
          name,
          phase: "Successful",
          count: measurementsPerMetric,
          successful: measurementsPerMetric,
          measurements: Array.from({ length: measurementsPerMetric }, (_, seq) => ({
            phase: "Successful",
            value: `[0.9${(index + seq) % 90}]`,
            startedAt: time(seq * 30),
            finishedAt: time(seq * 30 + 1),
          })),
        })),
      },
    };
    return { uid, object };
  });
}

/** Records the runs through the writer of a source, in pages as from a list. Returns how many milliseconds that took. */
export async function recordRuns(pool: Pool, objects: readonly RunObject[]): Promise<number> {
  const source = sourcesOf({ name: "bench" }).find((each) => each.resource === "analysisruns");
  if (source === undefined) throw new Error("analysis runs are not watched");
  const lease = await acquireLease(pool, { sourceId: source.id, holder: "bench" });
  if (lease === undefined) throw new Error("the lease is held");
  await inTransaction(pool, (tx) => openSource(tx, { source, staleAfterMs: 60_000 }));
  const context = {
    pool,
    source,
    lease,
    writer: guardWriter(createKindWriter(source, createRecorderMetrics()), { source, evaluations }),
    quarantined: new Set<string>(),
    now: () => performance.now(),
    onPoison: () => {
      throw new Error("a row was refused");
    },
  };
  const onError = (error: Error): void => {
    throw error;
  };
  const queue = createSourceWriter(context, { onRetry: onError, onEnd: () => {} });
  const startedAt = performance.now();
  for (const [index, { uid, object, resourceVersion = "1000" }] of objects.entries()) {
    // A list comes in pages of 500, one server response after the other.
    if (index % 500 === 0) await setImmediate();
    await queue.pushObject({ op: "upsert", uid, resourceVersion, object, receivedAt: new Date() });
    queue.mark({ resourceVersion: "1000", watchContact: performance.now() });
  }
  await queue.drain();
  const elapsedMs = performance.now() - startedAt;
  await queue.close(0);
  return elapsedMs;
}
