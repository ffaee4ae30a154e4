import { afterEach, describe, expect, it } from "vitest";
import { createTestDatabase } from "#test/database.ts";
import { startPair } from "#test/database-pair.ts";
import { createTestPool } from "#test/test-pool.ts";
import { failOver } from "./support/fail-over.ts";
import { fanOut, floodUntilCut, startClients, writeChangeLog } from "./support/fan-out.ts";
import { fillRecords } from "./support/fill-records.ts";
import { recordLatency } from "./support/record-latency.ts";
import { recordSoak } from "./support/record-soak.ts";
import { scrapeSeries } from "./support/scrape-series.ts";
import { type BenchCluster, startCluster } from "./support/start-cluster.ts";
import { type Gatehouse, startGatehouse } from "./support/start-gatehouse.ts";

// Runs the full-size benches at a small size, to show in seconds that nothing is lost. No test checks times.
const timeout = 180_000;
const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function startWorld(
  config: Record<string, unknown> = {},
): Promise<{ cluster: BenchCluster; gatehouse: Gatehouse }> {
  const database = await createTestDatabase();
  cleanups.push(() => database.drop());
  const cluster = await startCluster();
  cleanups.push(() => cluster.close());
  const gatehouse = await startGatehouse({ database, cluster, config });
  cleanups.push(() => gatehouse.close());
  return { cluster, gatehouse };
}

describe("the recorder's process", () => {
  it("records every short run, its measurements and its gaps, while the watch is dropped at random", {
    timeout,
  }, async () => {
    const { cluster, gatehouse } = await startWorld();
    gatehouse.startRecorder();
    await gatehouse.untilLive(60_000);
    const options = { runs: 400, perSecond: 80, dropsPerMinute: 120, seed: 7 };
    const result = await recordSoak({ cluster, gatehouse, options });
    expect(result.wrong).toEqual([]);
    expect(result.finalStates).toBe(options.runs);
    expect(result.drops).toBeGreaterThan(0);
    expect(result.measurements).toBeGreaterThan(options.runs);
    expect(result.inGaps).toBeGreaterThan(0);
  });

  it("takes a cluster in as a whole, with one watch per source, and loses no change afterwards", {
    timeout,
  }, async () => {
    const { cluster, gatehouse } = await startWorld();
    const fill = { rollouts: 60, runs: 1300, size: { metrics: 2, measurements: 4 } };
    await cluster.fill(fill);
    await cluster.addLiveRuns({ objects: 50 });
    gatehouse.startRecorder();
    const web = await gatehouse.startWeb({ next: false });
    await gatehouse.untilLive(60_000);
    const [stored] = await gatehouse.query(
      `SELECT (SELECT count(*)::int FROM rollout) AS rollouts, (SELECT count(*)::int FROM analysis_run) AS runs,
              (SELECT count(*)::int FROM measurement) AS measurements, (SELECT count(*)::int FROM measurement_gap) AS gaps`,
    );
    expect(stored).toEqual({ rollouts: 60, runs: 1350, measurements: 1300 * 2 * 4, gaps: 0 });

    const options = { perSecond: 200, seconds: 3, objects: 50 };
    const result = await recordLatency({ cluster, gatehouse, web, options });
    expect(result.changes).toBe(600);
    expect(result.lostRows).toEqual([]);
    expect(result.lostEvents).toEqual([]);
    const { most } = await cluster.watches({});
    expect(Object.values(most).every((count) => count === 1)).toBe(true);
  });
});

describe("the event stream of one web process", () => {
  it("tells every client of every change once, and cuts those that do not read", { timeout }, async () => {
    const { gatehouse } = await startWorld({ limits: { streamsPerPerson: 100 } });
    const web = await gatehouse.startWeb({ next: false });
    const clients = await startClients();
    cleanups.push(() => clients.end());
    await clients.open({ ...web, count: 40, stalled: false });
    const options = { clients: 40, perSecond: 5, changes: 3, seconds: 2 };
    const result = await fanOut({ clients, write: writeChangeLog(gatehouse), options });
    expect(result).toMatchObject({ sent: 30, wrongClients: 0 });

    // Those that read would take most of a busy machine.
    await clients.close();
    await clients.open({ ...web, count: 5, stalled: true });
    const flood = await floodUntilCut({ gatehouse, web, stalled: 5, size: 8000, withinMs: 120_000 });
    expect(flood).toMatchObject({ cut: 5 });
  });
});

describe("a scrape of the series about rollouts", () => {
  it("has samples of as many rollouts as it may name, and counts the others", { timeout }, async () => {
    const database = await createTestDatabase();
    cleanups.push(() => database.drop());
    const owner = createTestPool(database.ownerUrl, 2);
    cleanups.push(() => owner.end());
    await fillRecords(owner, { rollouts: 60, releases: 120, runs: 300, measurements: 600 });
    const [some, all] = [
      await scrapeSeries(owner, { named: 20, teams: 3 }),
      await scrapeSeries(owner, { named: 60, teams: 3 }),
    ];
    expect([some.leftOut, all.leftOut]).toEqual([40, 0]);
    // Weight set and actual, step, steps and verdict of each.
    expect(all.samples - some.samples).toBe(40 * 5);
  });
});

describe("a primary that is killed under load", () => {
  it("loses nothing that was acknowledged once its standby is promoted, and every process continues", {
    timeout,
  }, async () => {
    const pair = await startPair();
    cleanups.push(() => pair.stop());
    const cluster = await startCluster();
    cleanups.push(() => cluster.close());
    const gatehouse = await startGatehouse({ database: pair.urls, cluster });
    cleanups.push(() => gatehouse.close());
    const runs = 400;
    const result = await failOver({ pair, cluster, gatehouse, runs, perSecond: 50 });
    expect(result.soak.wrong).toEqual([]);
    expect(result.soak.finalStates).toBe(runs);
    expect(result).toMatchObject({ lost: 0, isChainWhole: true });
    expect(result.acknowledged).toBeGreaterThan(0);
  });
});
