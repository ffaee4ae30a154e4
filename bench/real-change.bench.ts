// On the cluster of KUBECONFIG, with real controllers: time from the request that changes a Rollout until an SSE client
// receives the change, compared with a raw watch of the same changes. Does nothing without KUBECONFIG. A namespace is
// made and deleted.
import { setTimeout as sleep } from "node:timers/promises";
import { connectCluster } from "#test/real/real-cluster.ts";
import { startBenchDatabase } from "./support/bench-database.ts";
import { followEvents } from "./support/follow-events.ts";
import { percentile, printFigure } from "./support/print-figure.ts";
import { startGatehouse } from "./support/start-gatehouse.ts";

const kubeconfig = process.env.KUBECONFIG ?? "";
const changes = process.argv.includes("--full") ? 300 : 60;
const everyMs = 400;
const namespace = "gatehouse-bench";
const resource = `/apis/argoproj.io/v1alpha1/namespaces/${namespace}/rollouts`;

if (kubeconfig === "") process.stderr.write("real-change: skipped: KUBECONFIG names no cluster\n");
else await measure();
process.exit();

async function measure(): Promise<void> {
  const real = connectCluster(kubeconfig);
  const database = await startBenchDatabase();
  const gatehouse = await startGatehouse({
    database,
    cluster: { url: real.server, token: "unused" },
    config: { clusters: [{ name: "bench", kubeconfig }] },
  });
  const stop = new AbortController();
  try {
    await real.create("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    const labels = { app: "bench" };
    const container = { name: "app", image: "registry.k8s.io/pause:3.9" };
    await real.create(resource, {
      apiVersion: "argoproj.io/v1alpha1",
      kind: "Rollout",
      metadata: { name: "app", namespace },
      spec: {
        replicas: 0,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
        strategy: { canary: { steps: [{ setWeight: 20 }, { pause: {} }] } },
      },
    });
    gatehouse.startRecorder();
    const web = await gatehouse.startWeb({ next: false });
    await gatehouse.untilLive(60_000);
    // The controller's own first changes are over.
    await sleep(5000);
    const stream = await followEvents(web);
    const heard: number[] = [];
    const version = (await real.get(resource)).metadata.resourceVersion;
    void real
      .watch(`${resource}?watch=1&resourceVersion=${version}`, () => heard.push(Date.now()), stop.signal)
      .catch(() => {});
    const raw: number[] = [];
    const sse: number[] = [];
    const asked: number[] = [];
    for (let index = 0; index < changes; index++) {
      const at = Date.now();
      await real.patch(`${resource}/app`, { spec: { paused: index % 2 === 0 } });
      asked.push(Date.now() - at);
      await sleep(everyMs);
      raw.push(...since(at, heard));
      sse.push(
        ...since(
          at,
          stream.events.filter(({ ref }) => ref.endsWith("/app")).map((event) => event.at),
        ),
      );
    }
    const lost = changes - sse.length;
    for (const p of [50, 90]) {
      const value = percentile(sse, p);
      const baseline = percentile(raw, p);
      printFigure({
        name: `real-change-to-sse-p${p}`,
        value,
        unit: "ms",
        baseline,
        ratio: value / baseline,
        size: `${changes} changes, one after the other; ${lost} without an event; the request itself is answered after ${percentile(asked, p)} ms; baseline: a raw watch`,
        goal: `at most ${p === 50 ? 11 : 28} ms, as Argo Rollouts' dashboard`,
        ok: value <= (p === 50 ? 11 : 28) && lost === 0,
      });
    }
    stream.close();
  } finally {
    stop.abort();
    await real.request("DELETE", `/api/v1/namespaces/${namespace}`);
    await gatehouse.close();
    await database.stop();
    real.close();
  }
}

/** Returns the time from a change until it was first heard; nothing if it was not heard. */
function since(at: number, heard: readonly number[]): number[] {
  const first = heard.find((each) => each >= at);
  return first === undefined ? [] : [first - at];
}
