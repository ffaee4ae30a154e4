import { createHistogram, type MetricFamily } from "./exposition.ts";

const counter = (name: string, help: string, samples: MetricFamily["samples"]): MetricFamily => ({
  ...{ name, help, samples },
  type: "counter",
});
const gauge = (name: string, help: string, samples: MetricFamily["samples"]): MetricFamily => ({
  ...{ name, help, samples },
  type: "gauge",
});

/** Plays a tide that syncs every two minutes (kubernetes-sigs/prow pkg/tide/tide.go at a6194089). */
export function tideFamilies(uptimeMs: number): MetricFamily[] {
  const syncs = Math.floor(uptimeMs / 120_000) + 1;
  const of = (repo: string, value: number) => ({ labels: { org: "openshift", repo, branch: "main" }, value });
  return [
    counter("tidesyncheartbeat", "Count of Tide syncs per controller.", [
      { labels: { controller: "sync" }, value: syncs },
      { labels: { controller: "status-update" }, value: syncs },
    ]),
    gauge("syncdur", "The duration of the last loop of the sync controller.", [{ value: 11.2 + (syncs % 5) }]),
    gauge("pooledprs", "Number of PRs in each Tide pool.", [of("console", 3 + (syncs % 3)), of("api", 1)]),
  ];
}

/** Plays a hook that gets a webhook every four seconds (kubernetes-sigs/prow pkg/githubeventserver/metrics.go). */
export function hookFamilies(uptimeMs: number): MetricFamily[] {
  const calls = Math.floor(uptimeMs / 4000) + 1;
  const handled = createHistogram(
    "prow_plugin_handle_duration_seconds",
    "How long Prow took to handle an event by plugin, event type and action.",
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320, 640],
  );
  for (let call = 0; call < Math.min(calls, 20_000); call++) handled.observe(0.004 * (1 + ((call * 7) % 60)));
  return [
    counter("prow_webhook_counter", "A counter of the webhooks made to prow.", [
      { labels: { event_type: "pull_request" }, value: Math.ceil(calls / 3) },
      { labels: { event_type: "status" }, value: calls - Math.ceil(calls / 3) },
    ]),
    counter(
      "prow_webhook_response_codes",
      "A counter of the different responses hook has responded to webhooks with.",
      [{ labels: { response_code: "200" }, value: calls }],
    ),
    handled.family(),
  ];
}
