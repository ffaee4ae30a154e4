import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "@prometheus-io/client";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ConfigStore, openConfigStore } from "#lib/server/platform/config/config-store.ts";
import { createConfigMetrics } from "#lib/server/platform/telemetry/config-metrics.ts";
import { createLoopMonitor } from "#lib/server/platform/telemetry/loop-monitor.ts";
import { type ClusterClients, createClusterClients } from "#lib/server/process/cluster-clients.ts";
import { createRecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";
import { createRecorderPool } from "#lib/server/recording/store/recorder-pool.ts";
import { sampleRollout } from "#test/recorder-samples.ts";
import { createRecorderWorld, type RecorderWorld, waitFor } from "#test/recorder-world.ts";
import { type SandboxServer, startSandboxServer } from "#test/sandbox-server.ts";
import { sharedEvaluations } from "#test/shared-evaluations.ts";
import { recordConfigured } from "./record-configured.ts";

let world: RecorderWorld;
let second: SandboxServer;
let folder: string;
let store: ConfigStore;
let clients: ClusterClients;
let stop: AbortController;
let done: Promise<void>;

type Cluster = { name: string; server: string; tokenFile: string; staleAfterSeconds?: number };
const first = (): Cluster => ({ name: "first", server: world.sandbox.url, tokenFile: join(folder, "first-token") });
const other = (): Cluster => ({ name: "other", server: second.url, tokenFile: join(folder, "other-token") });

function write(clusters: Cluster[], labels: string[] = []): void {
  const config = { publicUrl: "http://127.0.0.1:1", demo: { accountsFile: "a" }, clusters, recording: { labels } };
  writeFileSync(join(folder, "gatehouse.yaml"), JSON.stringify(config));
}

beforeEach(async () => {
  stop = new AbortController();
  world = await createRecorderWorld();
  second = await startSandboxServer();
  folder = mkdtempSync(join(tmpdir(), "gatehouse-record-configured-"));
  writeFileSync(join(folder, "first-token"), world.sandbox.token);
  writeFileSync(join(folder, "other-token"), second.token);
  write([first()]);
  clients = createClusterClients();
  store = await openConfigStore({
    file: join(folder, "gatehouse.yaml"),
    now: () => new Date(),
    metrics: createConfigMetrics(new Registry()),
    adopt: ({ config }) => clients.adopt(config.clusters),
    timing: { checkEveryMs: 3_600_000, settleMs: 5 },
  });
  const holder = randomUUID();
  const pool = createRecorderPool({ url: world.database.recorderUrl, holder, onError: () => {} });
  const recording = recordConfigured(
    {
      store,
      clients,
      pool,
      holder,
      log: pino({ level: "silent" }),
      metrics: createRecorderMetrics(),
      monitor: createLoopMonitor({ now: () => performance.now(), onTurn: () => {} }),
      evaluations: sharedEvaluations(),
      acquireEveryMs: 100,
      mayMarkAbsent: () => true,
    },
    stop.signal,
  );
  done = recording.finally(() => pool.end());
});
afterEach(async () => {
  stop.abort();
  await done;
  await store.close();
  await clients.close();
  await second.close();
  await world.close();
  rmSync(folder, { recursive: true });
});

async function isLive(cluster: string): Promise<boolean> {
  const rows = await world.query<{ state: string }>("SELECT state FROM source WHERE cluster = $1", [cluster]);
  return rows.length > 0 && rows.every(({ state }) => state === "live" || state === "absent");
}

const epochOf = async (cluster: string): Promise<string | undefined> =>
  (
    await world.query<{ epoch: string }>("SELECT epoch FROM source_lease WHERE source_id = $1", [`${cluster}/rollouts`])
  )[0]?.epoch;
const heldOf = async (cluster: string): Promise<number> =>
  (
    await world.query("SELECT FROM source_lease WHERE source_id LIKE $1 AND expires_at > clock_timestamp()", [
      `${cluster}/%`,
    ])
  ).length;

it("clusters that are added, changed or removed take effect without a restart, and disturb no other", async () => {
  await waitFor("the first cluster", () => isLive("first"));
  const epoch = await epochOf("first");

  write([first(), other()]);
  await store.check();
  await waitFor("the other cluster", () => isLive("other"));
  expect(clients.get("other")?.server).toBe(second.url);
  expect(await epochOf("first")).toBe(epoch);

  const before = await epochOf("other");
  write([first(), { ...other(), staleAfterSeconds: 30 }]);
  await store.check();
  await waitFor("the change", async () => {
    const [row] = await world.query("SELECT stale_after_ms FROM source WHERE id = 'other/rollouts'");
    return row?.stale_after_ms === 30_000 && (await epochOf("other")) !== before;
  });

  write([first()]);
  await store.check();
  await waitFor("its leases to be given back", async () => (await heldOf("other")) === 0);
  expect(clients.get("other")).toBeUndefined();
  expect(await heldOf("first")).toBeGreaterThan(0);
  expect(await epochOf("first")).toBe(epoch);
  expect(await world.query("SELECT FROM source WHERE cluster = 'other'")).not.toEqual([]);
});

it("other labels to record are recorded of known rollouts without a restart", async () => {
  const sample = sampleRollout({ name: "web" });
  const labelled = { ...sample, metadata: { ...sample.metadata, labels: { team: "shop" } } };
  world.sandbox.store.create("rollouts", labelled, { manager: "kubectl" });
  const labels = async () => (await world.query("SELECT labels FROM rollout"))[0]?.labels;
  await waitFor("the rollout", async () => (await labels()) !== undefined);
  expect(await labels()).toEqual({});

  write([first()], ["team"]);
  await store.check();
  await waitFor("its label", async () => (await labels()).team === "shop");
});
