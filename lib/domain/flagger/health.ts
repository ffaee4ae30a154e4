import type { Component, KnownDefect, SeriesSpec } from "#lib/domain/controllers/component.ts";
import { processSeries, queueSeries } from "#lib/domain/controllers/component.ts";
import { readVersion } from "#lib/domain/controllers/facts.ts";
import { type FailureMode, readFailureMode } from "./view/controller-version.ts";

const info = "flagger_info";

const series: readonly SeriesSpec[] = [
  {
    ...{ key: "canaries", label: "Canaries", kind: "gauge", unit: "count" },
    metrics: ["flagger_canary_total"],
  },
  {
    ...{ key: "canary-failures", label: "Canaries that failed", kind: "counter", unit: "count" },
    ...{ metrics: ["flagger_canary_failures_total"], appearsWith: info },
  },
  {
    ...{ key: "canary-successes", label: "Canaries that succeeded", kind: "counter", unit: "count" },
    ...{ metrics: ["flagger_canary_successes_total"], appearsWith: info },
  },
  {
    ...{ key: "canary-duration", label: "Pass over a canary", kind: "histogram", unit: "seconds" },
    ...{ metrics: ["flagger_canary_duration_seconds"], shows: "latency" },
  },
  ...queueSeries,
  ...processSeries,
];

/** The metrics of fluxcd/flagger pkg/metrics/recorder.go, 1.44.0. It counts no reconcile errors. */
export const flaggerHealth: Component = {
  name: "flagger",
  label: "Flagger",
  purpose: "Moves Canaries through their analysis and promotion.",
  images: ["flagger"],
  identity: info,
  versionLabel: "version",
  series,
  reach: "Metrics on port 8080 at /metrics, probe on the same port at /healthz.",
  findDefects: (version) => [defects[readFailureMode(readVersion(version))]],
};

const defects: Readonly<Record<FailureMode, KnownDefect>> = {
  stuck: {
    id: "promotion-stuck",
    severity: "warning",
    title: "A canary whose primary fails during the promotion waits for ever",
    advice: "Upgrade to 1.44.0 or later. Until then, end such a promotion by hand.",
    source: "fluxcd/flagger#1603, changed in 1.36.1",
  },
  outage: {
    id: "promotion-failure-outage",
    severity: "warning",
    title:
      "If the primary fails during a promotion, all traffic goes to it and the canary is scaled to zero: an outage",
    advice: "Upgrade to 1.44.0 or later. Until then, suspend a canary whose primary does not become ready in time.",
    source: "fluxcd/flagger#1898; seen on 1.43.0; fixed by #1931 in 1.44.0",
  },
  "canary-serves": {
    id: "promotion-failure-canary-serves",
    severity: "info",
    title: "If the primary fails during a promotion, the canary keeps all traffic while its phase says Failed",
    advice: "Suspend such a canary before you change anything, and bring the primary back first.",
    source: "fluxcd/flagger#1931; seen on 1.44.0, whose condition says that the canary was scaled to zero",
  },
};
