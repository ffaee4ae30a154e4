import { lt } from "semver";
import type { Component, KnownDefect, SeriesSpec } from "#lib/domain/controllers/component.ts";
import { processSeries, queueSeries } from "#lib/domain/controllers/component.ts";

const info = "argo_rollouts_controller_info";

const series: readonly SeriesSpec[] = [
  {
    ...{ key: "reconcile-errors", label: "Reconcile errors", kind: "counter", unit: "count" },
    metrics: ["rollout_reconcile_error", "analysis_run_reconcile_error", "experiment_reconcile_error"],
    ...{ appearsWith: info, shows: "errors" },
  },
  {
    ...{ key: "reconcile", label: "Rollout reconcile", kind: "histogram", unit: "seconds" },
    ...{ metrics: ["rollout_reconcile"], shows: "latency" },
  },
  {
    ...{ key: "run-reconcile", label: "Analysis run reconcile", kind: "histogram", unit: "seconds" },
    metrics: ["analysis_run_reconcile"],
  },
  {
    ...{ key: "experiment-reconcile", label: "Experiment reconcile", kind: "histogram", unit: "seconds" },
    metrics: ["experiment_reconcile"],
  },
  {
    ...{ key: "api-requests", label: "Requests to the API server", kind: "counter", unit: "count" },
    ...{ metrics: ["controller_clientset_k8s_request_total"], appearsWith: info },
  },
  {
    ...{ key: "api-errors", label: "Requests that the API server refused", kind: "counter", unit: "count" },
    ...{ metrics: ["controller_clientset_k8s_request_total"], where: { label: "status_code", matches: /^[45]/ } },
    ...{ by: ["status_code"], appearsWith: info },
  },
  {
    ...{ key: "notification-errors", label: "Notifications that failed", kind: "counter", unit: "count" },
    ...{ metrics: ["notification_send_error"], appearsWith: info },
  },
  ...queueSeries,
  ...processSeries,
];

/** The metrics of argoproj/argo-rollouts controller/metrics/prommetrics.go, 1.9.1. */
export const argoHealth: Component = {
  name: "argo-rollouts",
  label: "Argo Rollouts",
  purpose: "Moves Rollouts through their steps and analyses.",
  images: ["argo-rollouts"],
  identity: info,
  versionLabel: "version",
  series,
  reach: "Metrics on port 8090 at /metrics, probe on port 8080 at /healthz.",
  findDefects,
};

function findDefects(version: string): KnownDefect[] {
  if (lt(version, "1.8.2")) return [ignoredInconclusive];
  return [skippedGates];
}

const ignoredInconclusive: KnownDefect = {
  id: "background-inconclusive-ignored",
  severity: "warning",
  title: "An Inconclusive background analysis does not hold a rollout that is at a pause step",
  advice:
    "Upgrade to 1.8.2 or later. Until then, watch rollouts whose background analysis ends Inconclusive: they go on by themselves.",
  source: "argoproj/argo-rollouts#3850, fixed by #3873 in 1.8.2",
};

/** Nothing in the code up to 1.10.2 changes it; seen on 1.9.3 and 1.10.2 with a real API server. */
const skippedGates: KnownDefect = {
  id: "pause-skipped-after-inconclusive",
  severity: "info",
  title: "A pause step is passed at once if the background analysis is Inconclusive when the rollout reaches it",
  advice:
    "Before a rollout with an Inconclusive analysis goes on, expect it to pass its next pause step. Pause it first if a person must decide.",
  source: "Seen on 1.9.3 and 1.10.2; the pause counts as already resumed (argoproj/argo-rollouts#926)",
};
