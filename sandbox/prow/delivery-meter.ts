import { createHistogram, type MetricFamily } from "./exposition.ts";

/** Collects the metrics of the sandbox's Argo Rollouts and Flagger. */
export type DeliveryMeter = {
  /** After each reconcile. `resource`: its plural. */
  onReconcile(resource: string, seconds: number, isFailed: boolean): void;
  /** After each pass over a canary. */
  onPass(seconds: number): void;
  argoFamilies(): MetricFamily[];
  flaggerFamilies(canariesByNamespace: ReadonlyMap<string, number>): MetricFamily[];
};

/** argoproj/argo-rollouts controller/metrics/prommetrics.go, 1.9.1. */
const reconcileBuckets = [0.01, 0.15, 0.25, 0.5, 1];
const kinds = { rollouts: "rollout", analysisruns: "analysis_run", experiments: "experiment" } as const;
/** The library's default buckets, which Flagger uses (pkg/metrics/recorder.go, 1.44.0). */
const defaultBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createDeliveryMeter(): DeliveryMeter {
  const reconciles = Object.fromEntries(
    Object.entries(kinds).map(([resource, kind]) => [
      resource,
      createHistogram(`${kind}_reconcile`, "Reconciliation performance.", reconcileBuckets),
    ]),
  );
  const errors = new Map<string, number>();
  const passes = createHistogram(
    "flagger_canary_duration_seconds",
    "Seconds spent performing canary analysis.",
    defaultBuckets,
  );
  return {
    onReconcile(resource, seconds, isFailed) {
      reconciles[resource]?.observe(seconds);
      if (isFailed && resource in reconciles) errors.set(resource, (errors.get(resource) ?? 0) + 1);
    },
    onPass: (seconds) => passes.observe(seconds),
    argoFamilies: () => [
      {
        ...{ name: "argo_rollouts_controller_info", help: "Running Argo-rollouts version", type: "gauge" },
        samples: [{ labels: { version: "v1.10.2+sandbox" }, value: 1 }],
      },
      ...Object.values(reconciles).map((histogram) => histogram.family()),
      ...Object.entries(kinds).map(([resource, kind]): MetricFamily => {
        const count = errors.get(resource);
        return {
          ...{ name: `${kind}_reconcile_error`, help: "Error occurring during the reconciliation.", type: "counter" },
          samples: count === undefined ? [] : [{ value: count }],
        };
      }),
      {
        ...{ name: "workqueue_depth", help: "Current depth of workqueue", type: "gauge" },
        samples: ["Rollouts", "AnalysisRuns", "Experiments"].map((name) => ({ labels: { name }, value: 0 })),
      },
    ],
    flaggerFamilies: (canaries) => [
      {
        ...{ name: "flagger_info", help: "Flagger version and mesh provider information", type: "gauge" },
        samples: [{ labels: { version: "1.44.0", mesh_provider: "nginx" }, value: 1 }],
      },
      {
        ...{ name: "flagger_canary_total", help: "Total number of canary object", type: "gauge" },
        samples: [...canaries].map(([namespace, value]) => ({ labels: { namespace }, value })),
      },
      passes.family(),
    ],
  };
}
