import { setTimeout as sleep } from "node:timers/promises";
import type { KubeObject, RealCluster } from "./real-cluster.ts";

type Measurement = { startedAt?: string; finishedAt?: string; phase: string; value?: string };
type MetricResult = { name: string; measurements?: Measurement[] };

export type IndependentWatch = {
  /** Each finished measurement, as `run metric started phase value`. */
  seen: Set<string>;
  /** The count of each metric in the newest state of its run, by `run metric`. */
  counts: Map<string, number>;
  breaks(): number;
  stop(): Promise<void>;
};

/** Lists and watches AnalysisRuns with independent code, and keeps every measurement that the cluster ever showed. */
export function watchMeasurements(cluster: RealCluster, namespace: string): IndependentWatch {
  const path = `/apis/argoproj.io/v1alpha1/namespaces/${namespace}/analysisruns`;
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  const ended = new AbortController();
  let breaks = 0;

  function keep(run: KubeObject): void {
    const results = (run.status as { metricResults?: MetricResult[] } | undefined)?.metricResults ?? [];
    for (const { name, measurements = [], ...result } of results) {
      const { count = 0, error = 0 } = result as { count?: number; error?: number };
      counts.set(`${run.metadata.uid} ${name}`, count + error);
      for (const measurement of measurements) {
        if (measurement.finishedAt !== undefined)
          seen.add(textOf({ run: run.metadata.uid, metric: name, ...measurement }));
      }
    }
  }

  async function follow(): Promise<void> {
    while (!ended.signal.aborted) {
      try {
        const list = (await cluster.get(path)) as unknown as {
          items: KubeObject[];
          metadata: { resourceVersion: string };
        };
        for (const run of list.items) keep(run);
        const query = `watch=1&resourceVersion=${list.metadata.resourceVersion}`;
        await cluster.watch(`${path}?${query}`, ({ type, object }) => type !== "ERROR" && keep(object), ended.signal);
      } catch {
        breaks += 1;
      }
      // Reconnects immediately after an end, and as soon as the server answers after an outage.
      await sleep(50);
    }
  }

  const following = follow();
  return {
    seen,
    counts,
    breaks: () => breaks,
    async stop() {
      ended.abort();
      await following;
    },
  };
}

/** Formats one line of the comparison; times in a cluster are whole seconds. */
export function textOf(measurement: {
  run: string;
  metric: string;
  startedAt?: string | undefined;
  phase: string;
  value?: string | undefined;
}): string {
  const { run, metric, startedAt = "", phase, value = "" } = measurement;
  return `${run} ${metric} ${startedAt} ${phase} ${value}`;
}
