import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import { upkeepLeaseId } from "#lib/server/edge/recorder-process/run-upkeep.ts";
import { sessionNameOf } from "#lib/server/recording/store/recorder-pool.ts";
import { storedGaps, storedMeasurements } from "#test/measurement-rows.ts";
import { type RecorderProcess, startRecorderProcess } from "#test/recorder-process.ts";
import { createRecorderWorld, type RecorderWorld, waitFor } from "#test/recorder-world.ts";
import { type PlayedRun, playRuns } from "#test/short-lived-runs.ts";
import { startTcpProxy, type TcpProxy } from "#test/tcp-proxy.ts";
import { countWrites, databaseNow, keepWriterLog, listHandOvers } from "./writer-log.ts";

const cluster = "demo";
const sourceIds = sourcesOf({ name: cluster }).map((source) => source.id);
const leaseIds = [...sourceIds, upkeepLeaseId].toSorted();
const handOverMs = 15_000;

type Recorder = RecorderProcess & { line: TcpProxy };

let world: RecorderWorld;
/** One pair for all cases: each case hands the leases from one to the other. */
const pair: Recorder[] = [];

beforeAll(async () => {
  world = await createRecorderWorld({ bookmarksMs: 300 });
  await keepWriterLog(world.query);
  pair.push(await startRecorder());
  await findLeader();
  pair.push(await startRecorder());
});
afterAll(async () => {
  await Promise.all(pair.map((each) => each.kill()));
  await Promise.all(pair.map(({ line }) => line.close()));
  await world.close();
});

async function startRecorder(): Promise<Recorder> {
  const { ownerUrl, recorderUrl } = world.database;
  const line = await startTcpProxy({ port: Number(new URL(ownerUrl).port) });
  const process = await startRecorderProcess({
    cluster,
    clusterUrl: world.sandbox.url,
    clusterToken: world.sandbox.token,
    databaseUrl: line.throughProxy(recorderUrl),
  });
  return Object.assign(process, { line });
}

const holders = () =>
  world.query<{ source_id: string; holder: string; epoch: number; held: boolean }>(
    "SELECT source_id, holder, epoch::int, expires_at > clock_timestamp() AS held FROM source_lease ORDER BY source_id",
  );
const isHolderOf = (process: RecorderProcess) => (row: { holder: string }) =>
  row.holder.split("/")[1] === String(process.child.pid);
/** Returns the holder if the process holds every lease and none has expired, else false. */
async function holdsAll(process: RecorderProcess): Promise<string | false> {
  const rows = await holders();
  if (rows.length !== leaseIds.length || !rows.every((row) => row.held && isHolderOf(process)(row))) return false;
  return rows[0]?.holder ?? false;
}
const isLive = async (): Promise<boolean> => {
  const rows = await world.query<{ state: string }>("SELECT state FROM source");
  return rows.length === sourceIds.length && rows.every((row) => row.state === "live");
};

/** Finds the process that holds everything. */
async function findLeader(): Promise<{ leader: Recorder; leaderHolder: string }> {
  const found = await waitFor("a leader of all sources", async () => {
    for (const leader of pair) {
      const leaderHolder = await holdsAll(leader);
      if (leaderHolder !== false) return { leader, leaderHolder };
    }
    return false;
  });
  await waitFor("live sources", isLive);
  return found;
}

/** Finds the leader and the standby, once that one is ready to take over. */
async function findBoth(): Promise<{ leader: Recorder; standby: Recorder; leaderHolder: string; epoch: number }> {
  const { leader, leaderHolder } = await findLeader();
  const standby = pair.find((each) => each !== leader);
  if (standby === undefined) throw new Error("there is no other recorder");
  await waitFor("readiness of the other", async () => (await standby.probe("/readyz")) === 200);
  await waitFor("that it has asked for each lease", async () => (await standby.metric("gatehouse_leader")) === 0);
  const [row] = await holders();
  return { leader, standby, leaderHolder, epoch: row?.epoch ?? 0 };
}

/** Returns a function that returns how many leases the process has lost, or got, since now. */
async function countTransitions(process: Recorder, to: "lost" | "held"): Promise<() => Promise<number>> {
  const count = async () => (await process.metric("gatehouse_leader_transitions_total", { to })) ?? 0;
  const before = await count();
  return async () => (await count()) - before;
}

/** Expects every measurement of the cluster to be stored or counted in a gap; none twice, none unexplained. */
async function expectAllRecorded(played: readonly PlayedRun[]): Promise<void> {
  const uids = played.map((run) => run.uid);
  await waitFor("the end of every run", async () => {
    const [row] = await world.query<{ ended: number }>(
      "SELECT count(*)::int AS ended FROM analysis_run WHERE uid = ANY($1) AND phase = 'Successful' AND presence = 'deleted'",
      [uids],
    );
    return row?.ended === played.length;
  });
  const rows = await world.query<{ uid: string; stored: number; lost: number }>(
    `SELECT run.uid, (SELECT count(*)::int FROM ${storedMeasurements("m")} WHERE m.run_uid = run.uid AND m.finished_at IS NOT NULL) AS stored,
       (SELECT coalesce(sum(gap.count), 0)::int FROM ${storedGaps("gap")} WHERE gap.run_uid = run.uid) AS lost
     FROM analysis_run run WHERE uid = ANY($1)`,
    [uids],
  );
  const unexplained = played.filter((run) => {
    const row = rows.find((each) => each.uid === run.uid);
    return row === undefined || row.stored + row.lost !== run.measured;
  });
  expect(unexplained).toEqual([]);
}

/** Expects no write of the old holder after the source went to the new one, and epochs that rose by one each. */
async function expectFenced(options: { since: Date; from: string; to: string; epoch: number }): Promise<void> {
  const { since, from, to, epoch } = options;
  const changes = await listHandOvers(world.query, since);
  expect(changes.map((change) => change.source_id).toSorted()).toEqual(leaseIds);
  expect(new Set(changes.map((change) => change.holder))).toEqual(new Set([to]));
  expect(new Set(changes.map((change) => change.epoch))).toEqual(new Set([epoch + 1]));
  const last = changes.at(-1);
  if (last === undefined) throw new Error("no lease changed hands");
  expect(await countWrites(world.query, { app: sessionNameOf(from), after: last.at })).toBe(0);
  expect(await countWrites(world.query, { app: sessionNameOf(to), after: last.at })).toBeGreaterThan(0);
}

async function expectLeads(process: RecorderProcess, isLeader: boolean): Promise<void> {
  const expected = isLeader ? leaseIds.length : 0;
  await waitFor(`leader metrics of ${expected}`, async () => (await process.metric("gatehouse_leader")) === expected);
}

describe("FC-28 two recorders: one writer per source", () => {
  it.each([
    {
      name: "whose line went silent",
      cut: async (line: TcpProxy) => line.silence(),
      mend: async (line: TcpProxy) => line.resume(),
    },
    {
      name: "whose connections are refused",
      cut: (line: TcpProxy) => line.shut(),
      mend: (line: TcpProxy) => line.open(),
    },
  ])("a leader $name stops, the other takes over, and nothing of the first lands afterwards", async ({ cut, mend }) => {
    const { leader, standby, leaderHolder, epoch } = await findBoth();
    const runs = playRuns(world.sandbox.store, { everyMs: 50 });
    await waitFor("some runs", () => runs.count() > 20);
    const lost = await countTransitions(leader, "lost");
    const since = await databaseNow(world.query);
    const cutAt = performance.now();
    await cut(leader.line);
    const to = await waitFor("the take-over", () => holdsAll(standby));
    expect(performance.now() - cutAt).toBeLessThan(handOverMs);
    await expectLeads(leader, false);
    await waitFor("that it says so", async () => (await leader.probe("/readyz")) === 503);
    expect(await leader.probe("/livez")).toBe(200);
    await mend(leader.line);
    await waitFor("its readiness", async () => (await leader.probe("/readyz")) === 200);
    await waitFor("that it knows its leases lost", async () => (await lost()) === leaseIds.length);
    await waitFor("live sources", isLive);
    await expectAllRecorded(runs.stop());
    await expectFenced({ since, from: leaderHolder, to, epoch });
    await expectLeads(standby, true);
    await expectLeads(leader, false);
    expect([leader.child.exitCode, standby.child.exitCode]).toEqual([null, null]);
    expect([await leader.probe("/livez"), await standby.probe("/livez")]).toEqual([200, 200]);
  });

  it("SIGSTOP in the middle of a batch: the lease is taken over, and the batch of the woken one is refused", async () => {
    const { leader, standby, leaderHolder, epoch } = await findBoth();
    const lost = await countTransitions(leader, "lost");
    const stalled = await stopInMidBatch(leader, leaderHolder);
    const since = await databaseNow(world.query);
    const stoppedAt = performance.now();
    const runs = playRuns(world.sandbox.store, { everyMs: 100 });
    const to = await waitFor("the take-over", () => holdsAll(standby));
    expect(performance.now() - stoppedAt).toBeLessThan(handOverMs);
    await waitFor("live sources", isLive);
    leader.child.kill("SIGCONT");
    await waitFor("that the woken one knows", async () => (await lost()) === leaseIds.length);
    await expectAllRecorded([...runs.stop(), ...stalled]);
    await expectFenced({ since, from: leaderHolder, to, epoch });
    await expectLeads(standby, true);
    await expectLeads(leader, false);
    expect([leader.child.exitCode, standby.child.exitCode]).toEqual([null, null]);
    expect([await leader.probe("/livez"), await leader.probe("/readyz")]).toEqual([200, 200]);
  });

  // The last one: nobody starts it again.
  it("SIGKILL of the leader: the other holds all leases within 15 s and records what happened meanwhile", async () => {
    const { leader, standby, leaderHolder, epoch } = await findBoth();
    expect(await leader.metric("gatehouse_leader", { kind: "AnalysisRun" })).toBe(1);
    const held = await countTransitions(standby, "held");
    const runs = playRuns(world.sandbox.store, { everyMs: 50 });
    await waitFor("some runs", () => runs.count() > 20);
    const since = await databaseNow(world.query);
    const killedAt = performance.now();
    leader.child.kill("SIGKILL");
    const to = await waitFor("the take-over", () => holdsAll(standby));
    expect(performance.now() - killedAt).toBeLessThan(handOverMs);
    await waitFor("live sources", isLive);
    await expectAllRecorded(runs.stop());
    await expectFenced({ since, from: leaderHolder, to, epoch });
    await expectLeads(standby, true);
    expect(await held()).toBe(leaseIds.length);
    expect([await standby.probe("/livez"), await standby.probe("/readyz")]).toEqual([200, 200]);
  });
});

/**
 * Blocks a batch of the leader at a lock until the process is stopped: its transaction then stays open, with the lease.
 */
async function stopInMidBatch(leader: Recorder, holder: string): Promise<PlayedRun[]> {
  const app = sessionNameOf(holder);
  const gate = new pg.Client({ connectionString: world.database.ownerUrl });
  await gate.connect();
  await gate.query("SELECT pg_advisory_lock(hashtext($1), hashtext($2))", ["gatehouse/run-owner", cluster]);
  const runs = playRuns(world.sandbox.store, { everyMs: 20 });
  await waitFor("a batch at the gate", async () => {
    const rows = await world.query(
      "SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock' AND wait_event = 'advisory'",
      [app],
    );
    return rows.length > 0;
  });
  leader.child.kill("SIGSTOP");
  const played = runs.stop();
  await gate.end();
  await waitFor("an open transaction that nobody goes on with", async () => {
    const rows = await world.query(
      "SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND state = 'idle in transaction'",
      [app],
    );
    return rows.length > 0;
  });
  return played;
}
