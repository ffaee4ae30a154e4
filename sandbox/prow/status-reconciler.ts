import type { MetricFamily } from "./exposition.ts";

/**
 * Scenarios of a status-reconciler. `incident`: its config directory empties while it runs, it continues with the rest,
 * and its probe fails (kubernetes-sigs/prow#540). `deletion`: 30 % of the jobs, all of one repository, are removed.
 * `small`: one job of one repository is removed. `repaired`: the config is back; retired contexts stay retired.
 */
export const prowScenarios = ["healthy", "incident", "deletion", "small", "repaired"] as const;
export type ProwScenario = (typeof prowScenarios)[number];

const allPresubmits = 1284;
const repos = ["api", "console", "installer", "operators", "machine-config", "router"];

export type StatusReconciler = {
  play(scenario: ProwScenario): void;
  /** False if its config does not load. */
  isHealthy(): boolean;
  families(): MetricFamily[];
};

/**
 * Plays status-reconciler with the metrics and the probe of kubernetes-sigs/prow pull request 628
 * (pkg/statusreconciler/metrics.go): the counter has no sample until a first context is retired.
 */
export function createStatusReconciler(): StatusReconciler {
  let presubmits = allPresubmits;
  let healthy = true;
  const retired = new Map<string, number>();

  function retire(repo: string, count: number): void {
    retired.set(repo, (retired.get(repo) ?? 0) + count);
  }

  return {
    play(scenario) {
      switch (scenario) {
        case "incident":
          presubmits = 37;
          healthy = false;
          for (const [index, repo] of repos.entries()) retire(repo, 40 + 7 * index);
          return;
        case "deletion":
          presubmits = Math.round(presubmits * 0.7);
          retire("legacy", 41);
          return;
        case "small":
          presubmits -= 1;
          retire("console", 9);
          return;
        case "repaired":
          presubmits = allPresubmits;
          healthy = true;
          return;
        case "healthy":
          return;
      }
    },
    isHealthy: () => healthy,
    families: () => [
      {
        ...{ name: "status_reconciler_loaded_presubmit_count", type: "gauge" },
        help: "Number of loaded presubmit jobs in the latest config delta.",
        samples: [{ value: presubmits }],
      },
      {
        ...{ name: "status_reconciler_contexts_retired_total", type: "counter" },
        help: "Total number of retired contexts by org and repo.",
        samples: [...retired].map(([repo, value]) => ({ labels: { org: "openshift", repo }, value })),
      },
    ],
  };
}
