import type { ApiStore } from "#sandbox/apiserver/store.ts";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";

/** A stretch of time in which a version fails more often than usual. */
export type Trouble = { fromMs: number; toMs: number; metric: string };

const HASH_LABEL = "rollouts-pod-template-hash";
/** A measurement covers the time just before it. */
const BEFORE_MS = 2_200;
const AFTER_MS = 300;

type MetricResult = { name: string; measurements?: { phase?: string; finishedAt?: string }[] };

/**
 * Finds when the pods of a version misbehaved, from its failed and inconclusive measurements: the log at those times
 * then shows the reason.
 */
export function findLogTrouble(store: Pick<ApiStore, "list">, { metadata }: KubeObject): Trouble[] {
  const hash = metadata.labels?.[HASH_LABEL];
  if (hash === undefined) return [];
  const runs = store.list("analysisruns", metadata.namespace);
  return runs.filter((run) => run.metadata.labels?.[HASH_LABEL] === hash).flatMap(listTrouble);
}

function listTrouble(run: KubeObject): Trouble[] {
  const results = (run.status?.metricResults ?? []) as MetricResult[];
  return results.flatMap(({ name, measurements = [] }) =>
    measurements
      .filter(({ phase }) => phase === "Failed" || phase === "Inconclusive")
      .flatMap(({ finishedAt }) => {
        const ms = Date.parse(finishedAt ?? "");
        return Number.isNaN(ms) ? [] : [{ fromMs: ms - BEFORE_MS, toMs: ms + AFTER_MS, metric: name }];
      }),
  );
}
