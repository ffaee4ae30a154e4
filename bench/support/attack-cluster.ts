import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { hostileRuns } from "./hostile-bodies.ts";
import { namespaceOf, sampleRollout } from "./sample-objects.ts";
import type { BenchCluster } from "./start-cluster.ts";

const size = 100_000;
const secrets = Array.from({ length: 2000 }, (_, index) => `prefix-prefix-prefix-${index}`);

/** Texts that once took quadratic time, each as an annotation, an environment variable or a message of one rollout. */
const texts: readonly string[] = [
  "hooks.".repeat(size / 6),
  "a-primary.b not ready: ".concat("1".repeat(size)),
  "[".repeat(size),
  "token ".repeat(size / 6),
  "a-".repeat(size / 2),
  "prefix-prefix-prefix-".repeat(size / 21),
];

/** Changes hostile objects in one namespace, and plays the faults of an unreliable API server, until `signal`. */
export async function attackByCluster(cluster: BenchCluster, signal: AbortSignal): Promise<{ changes: number }> {
  const faults = ["drop", "500", "410", "partial", "garbage", "empty", "shrink", "stall", "429"] as const;
  let changes = 0;
  for (let round = 0; !signal.aborted; round++) {
    for (const object of hostileObjects(round)) {
      await cluster.putObject(object);
      changes += 1;
    }
    const fault = faults[round % faults.length];
    if (fault !== undefined) await cluster.fault({ fault, seconds: 5 });
    await sleep(10_000, undefined, { signal }).catch(() => {});
  }
  return { changes };
}

function hostileObjects(round: number): { resource: string; object: unknown }[] {
  const rollouts = texts.map((text, index) => {
    const { metadata, ...rest } = sampleRollout(index * 20);
    const annotations = { ...metadata.annotations, round: String(round), hostile: text };
    return { resource: "rollouts", object: { ...rest, metadata: { ...metadata, annotations } } };
  });
  const env = secrets.map((value, index) => ({ name: `TOKEN_${index}`, value }));
  const crowded = sampleRollout(20 * texts.length);
  const spec = { replicas: 1, template: { spec: { containers: [{ name: "app", image: "app:1", env }] } } };
  const run = hostileRuns[round % hostileRuns.length];
  const queried = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "AnalysisRun",
    metadata: { name: "query", namespace: namespaceOf(0), labels: { round: String(round) } },
    spec: { metrics: [{ name: "m", provider: { prometheus: { query: "[".repeat(60_000) } } }] },
    status: {
      phase: "Running",
      metricResults: [
        { name: "m", phase: "Running", metadata: { ResolvedPrometheusQuery: "[".repeat(60_000) }, measurements: [] },
      ],
    },
  };
  return [
    ...rollouts,
    { resource: "rollouts", object: { ...crowded, spec } },
    { resource: "analysisruns", object: queried },
    ...(run === undefined ? [] : [{ resource: "analysisruns", object: run.object }]),
  ];
}

/** An API server whose every answer is 300 kB of gzip that unpack to 300 MiB. */
export async function serveBombs(): Promise<{ url: string; close(): void }> {
  const bomb = gzipSync(Buffer.alloc(300 * 1024 * 1024, " "));
  const server: Server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
    response.end(bomb);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
