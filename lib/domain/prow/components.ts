import {
  type Component,
  processSeries,
  processStart,
  queueSeries,
  type SeriesSpec,
} from "#lib/domain/controllers/component.ts";

/** Prow builds all components at once: their tags are a date and a commit. */
const imageTags = /^v\d{8}-[0-9a-f]+/;
const presubmits = "status_reconciler_loaded_presubmit_count";
const retired = "status_reconciler_contexts_retired_total";

export const statusReconciler = "status-reconciler";
/** The keys of the series that its rules read. */
export const statusReconcilerSeries = {
  presubmits: "presubmits",
  retired: "contexts-retired",
  retiredByRepo: "contexts-retired-by-repo",
  start: processStart,
} as const;

const built: SeriesSpec = {
  ...{ key: "build-time", label: "Built", metrics: ["prow_version"], kind: "gauge", unit: "time", fold: "max" },
};
const shared: readonly SeriesSpec[] = [
  built,
  {
    ...{ key: "client-failures", label: "Build clusters without a client", kind: "counter", unit: "count" },
    ...{ metrics: ["kubernetes_failed_client_creations"], by: ["cluster"] },
  },
  ...processSeries,
];

type Part = Pick<Component, "name" | "label" | "purpose" | "identity" | "reach" | "series" | "lookBack">;

function prowComponent({ series, ...part }: Part): Component {
  return {
    ...part,
    images: [part.name],
    imageTags,
    versionTime: "prow_version",
    series: [...series, ...shared],
    findDefects: () => [],
  };
}

const withHealth = "Metrics on port 9090 at /metrics, probe on port 8081 at /healthz.";
const withoutHealth = "Metrics on port 9090 at /metrics; it has no probe.";

/** Names and labels of kubernetes-sigs/prow at a6194089, and of its pull request 628 for status-reconciler. */
export const prowComponents: readonly Component[] = [
  prowComponent({
    name: statusReconciler,
    label: "Prow status-reconciler",
    purpose: "Retires and triggers the contexts of pull requests when the job config changes.",
    identity: presubmits,
    lookBack: Object.values(statusReconcilerSeries),
    reach: "Metrics on port 9090 at /metrics, probe on port 8081 at /healthz; both only since pull request 628.",
    series: [
      {
        key: statusReconcilerSeries.presubmits,
        label: "Loaded presubmits",
        metrics: [presubmits],
        kind: "gauge",
        unit: "count",
        // While two processes run, each has loaded the whole config, or nothing yet.
        fold: "newest",
      },
      {
        ...{ key: statusReconcilerSeries.retired, label: "Contexts retired", kind: "counter", unit: "count" },
        ...{ metrics: [retired], appearsWith: presubmits },
      },
      {
        ...{ key: statusReconcilerSeries.retiredByRepo, label: "Contexts retired, by repository" },
        ...{ kind: "counter", unit: "count", metrics: [retired], by: ["org", "repo"], appearsWith: presubmits },
      },
    ],
  }),
  prowComponent({
    name: "tide",
    label: "Prow tide",
    purpose: "Merges pull requests that meet their conditions.",
    identity: "tidesyncheartbeat",
    reach: withoutHealth,
    series: [
      {
        ...{ key: "sync-heartbeat", label: "Syncs", metrics: ["tidesyncheartbeat"], kind: "counter", unit: "count" },
        by: ["controller"],
      },
      {
        ...{ key: "sync-duration", label: "Last sync", metrics: ["syncdur"], kind: "gauge", unit: "seconds" },
        fold: "max",
      },
      {
        ...{ key: "pool-errors", label: "Pool errors", metrics: ["tidepoolerrors"], kind: "counter", unit: "count" },
        ...{ appearsWith: "tidesyncheartbeat", shows: "errors" },
      },
      {
        ...{ key: "query-errors", label: "Queries that failed", kind: "counter", unit: "count" },
        ...{ metrics: ["tidequeryresults"], where: { label: "result", matches: /^error$/ } },
        appearsWith: "tidesyncheartbeat",
      },
      {
        ...{ key: "pooled", label: "Pull requests in pools", metrics: ["pooledprs"], kind: "gauge", unit: "count" },
        shows: "depth",
      },
    ],
  }),
  prowComponent({
    name: "hook",
    label: "Prow hook",
    purpose: "Receives the webhooks of GitHub and hands them to plugins.",
    identity: "prow_webhook_counter",
    reach: withHealth,
    series: [
      {
        ...{ key: "webhooks", label: "Webhooks", metrics: ["prow_webhook_counter"], kind: "counter", unit: "count" },
      },
      {
        ...{ key: "webhook-refusals", label: "Webhooks refused", kind: "counter", unit: "count" },
        ...{ metrics: ["prow_webhook_response_codes"], where: { label: "response_code", matches: /^[45]/ } },
        ...{ by: ["response_code"], appearsWith: "prow_webhook_counter" },
      },
      {
        ...{ key: "plugin-errors", label: "Plugin errors", kind: "counter", unit: "count" },
        ...{ metrics: ["prow_plugin_handle_errors"], by: ["plugin"], appearsWith: "prow_webhook_counter" },
        shows: "errors",
      },
      {
        ...{ key: "plugin-handle", label: "Plugin handling an event", kind: "histogram", unit: "seconds" },
        ...{ metrics: ["prow_plugin_handle_duration_seconds"], shows: "latency" },
      },
    ],
  }),
  prowComponent({
    name: "prow-controller-manager",
    label: "Prow controller manager",
    purpose: "Starts and follows the pods of jobs.",
    identity: "prowjobs",
    reach: withHealth,
    series: [
      {
        ...{ key: "jobs", label: "Jobs", metrics: ["prowjobs"], kind: "gauge", unit: "count", by: ["state"] },
      },
      {
        ...{ key: "job-transitions", label: "State changes of jobs", kind: "counter", unit: "count" },
        ...{ metrics: ["prowjob_state_transitions"], by: ["state"], appearsWith: "prowjobs" },
      },
      {
        ...{ key: "reconcile-errors", label: "Reconcile errors", kind: "counter", unit: "count" },
        ...{ metrics: ["controller_runtime_reconcile_errors_total"], shows: "errors" },
      },
      {
        ...{ key: "reconcile", label: "Reconcile", kind: "histogram", unit: "seconds" },
        ...{ metrics: ["controller_runtime_reconcile_time_seconds"], shows: "latency" },
      },
      ...queueSeries,
    ],
  }),
  prowComponent({
    name: "sinker",
    label: "Prow sinker",
    purpose: "Deletes old jobs and their pods.",
    identity: "sinker_loop_duration_seconds",
    reach: withoutHealth,
    series: [
      {
        ...{ key: "loop", label: "Last cleaning", kind: "gauge", unit: "seconds" },
        ...{ metrics: ["sinker_loop_duration_seconds"], fold: "max" },
      },
      {
        ...{ key: "existing-jobs", label: "Jobs", kind: "gauge", unit: "count" },
        metrics: ["sinker_prow_jobs_existing"],
      },
      {
        ...{ key: "cleaning-errors", label: "Errors of the last cleaning", kind: "gauge", unit: "count" },
        metrics: ["sinker_prow_jobs_cleaning_errors", "sinker_pod_removal_errors"],
      },
    ],
  }),
  prowComponent({
    name: "crier",
    label: "Prow crier",
    purpose: "Reports the results of jobs.",
    identity: "crier_reporting_results",
    reach: withoutHealth,
    series: [
      {
        ...{ key: "reports", label: "Reports", kind: "counter", unit: "count" },
        ...{ metrics: ["crier_reporting_results"], by: ["result"] },
      },
      {
        ...{ key: "report-errors", label: "Reports that failed", kind: "counter", unit: "count", shows: "errors" },
        ...{ metrics: ["crier_reporting_results"], where: { label: "result", matches: /error|fail/i } },
        appearsWith: "crier_reporting_results",
      },
      {
        ...{ key: "report-latency", label: "From a job's end to its report", kind: "histogram", unit: "seconds" },
        ...{ metrics: ["crier_report_latency"], shows: "latency" },
      },
      ...queueSeries,
    ],
  }),
  prowComponent({
    name: "deck",
    label: "Prow deck",
    purpose: "Shows jobs and their logs.",
    identity: "deck_http_request_duration_seconds_count",
    reach: withHealth,
    series: [],
  }),
  prowComponent({
    name: "horologium",
    label: "Prow horologium",
    purpose: "Starts periodic jobs.",
    reach: withoutHealth,
    series: [],
  }),
];
