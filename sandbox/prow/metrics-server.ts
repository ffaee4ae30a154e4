import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { DeliveryMeter } from "./delivery-meter.ts";
import { createHistogram, type MetricFamily, processFamilies, writeExposition } from "./exposition.ts";
import { createStatusReconciler, type ProwScenario, prowScenarios } from "./status-reconciler.ts";

export type MetricsServer = {
  url: string;
  /** Plays what happens to status-reconciler. */
  play(scenario: ProwScenario): void;
  close(): Promise<void>;
};

export type MetricsServerOptions = {
  port: number;
  now(): number;
  /** The sandbox's own controllers; without it only Prow is played. */
  delivery?: { meter: DeliveryMeter; canaries(): ReadonlyMap<string, number> };
  /** Lets whoever sends it as a bearer token play scenarios: `POST /play/incident`. */
  token?: string;
};

type Answer = { status: number; text: string };
const ok: Answer = { status: 200, text: "OK" };

/**
 * Serves `/<component>/metrics` and `/<component>/healthz`, as the ports of the real components do. Of Prow's, only
 * status-reconciler (since pull request 628) and hook have a probe. Takes the demo's messages: `POST /messages`.
 */
export async function startMetricsServer({ port, now, delivery, token }: MetricsServerOptions): Promise<MetricsServer> {
  const startedAt = now();
  const reconciler = createStatusReconciler();
  const built: MetricFamily = {
    ...{ name: "prow_version", help: "Prow version.", type: "gauge" },
    samples: [{ value: Date.UTC(2026, 7, 21) / 1000 }],
  };
  const metrics: Record<string, () => MetricFamily[]> = {
    "status-reconciler": () => [...reconciler.families(), built],
    tide: () => [...tideFamilies(now() - startedAt), built],
    hook: () => [...hookFamilies(now() - startedAt), built],
    ...(delivery === undefined
      ? {}
      : {
          "argo-rollouts": () => delivery.meter.argoFamilies(),
          flagger: () => delivery.meter.flaggerFamilies(delivery.canaries()),
        }),
  };

  function answer(request: IncomingMessage): Answer {
    const [, component = "", page = ""] = (request.url ?? "/").split("?")[0]?.split("/") ?? [];
    const missing = { status: 404, text: "404 page not found" };
    if (request.method === "POST" && component === "messages") return { status: 204, text: "" };
    if (request.method === "POST" && component === "play") {
      if (token === undefined || request.headers.authorization !== `Bearer ${token}`)
        return { status: 401, text: "401" };
      const scenario = prowScenarios.find((each) => each === page);
      if (scenario === undefined) return missing;
      reconciler.play(scenario);
      return ok;
    }
    const families = metrics[component];
    if (request.method !== "GET" || families === undefined) return missing;
    if (page === "metrics")
      return { status: 200, text: writeExposition([...families(), ...processFamilies(startedAt)]) };
    if (page !== "healthz" || component === "tide") return missing;
    return component !== "status-reconciler" || reconciler.isHealthy()
      ? ok
      : { status: 503, text: "LivenessCheck failed" };
  }

  const server = createServer((request, response: ServerResponse) => {
    const { status, text } = answer(request);
    response.writeHead(status, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(text);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    play: reconciler.play,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const counter = (name: string, help: string, samples: MetricFamily["samples"]): MetricFamily => ({
  ...{ name, help, samples },
  type: "counter",
});
const gauge = (name: string, help: string, samples: MetricFamily["samples"]): MetricFamily => ({
  ...{ name, help, samples },
  type: "gauge",
});

/** Plays a tide that syncs every two minutes (kubernetes-sigs/prow pkg/tide/tide.go at a6194089). */
function tideFamilies(uptimeMs: number): MetricFamily[] {
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
function hookFamilies(uptimeMs: number): MetricFamily[] {
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
