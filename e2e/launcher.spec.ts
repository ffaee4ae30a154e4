import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { findOrphans, isAlive, listDemoProcesses, pidOfProcess } from "#test/demo-processes.ts";
import { findLostRows, type RecordedRows, readRecordedRows } from "#test/recorded-rows.ts";
import { type RunningDemo, startDemo } from "#test/start-demo.ts";
import { test } from "./pages.ts";

test.describe.configure({ mode: "serial" });
test.setTimeout(300_000);

let folder: string;
let dataDirectory: string;
let running: RunningDemo;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-launcher-"));
  dataDirectory = join(folder, "data");
  running = await startDemo({ dataDirectory });
});
test.afterAll(async () => {
  await running.stop();
  rmSync(folder, { recursive: true, force: true });
});

const children = ["recorder", "sandbox", "web"] as const;
type ProcessName = (typeof children)[number] | "postgres" | "warden";

const pidOf = (name: ProcessName) => pidOfProcess(dataDirectory, name);

function allPids(): number[] {
  return [...children.map(pidOf), pidOf("warden"), pidOf("postgres"), running.demo.pid].filter((pid) => pid > 0);
}

async function get(path: string): Promise<unknown> {
  const { url, tokens } = running.demo;
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${tokens.admin}` } });
  return response.json();
}

type Status = { sources: { state: string; lastContact: string | null }[] };

/** Everything is live, and was heard of after the given moment. */
async function isLiveSince(since: Date): Promise<boolean> {
  try {
    const { sources } = (await get("/status")) as Status;
    return (
      sources.length > 0 &&
      sources.every(({ state, lastContact }) => state === "live" && new Date(lastContact ?? 0) > since)
    );
  } catch {
    return false;
  }
}

async function listRolloutIds(): Promise<string[]> {
  const { items } = (await get("/api/v1/rollouts?limit=200")) as { items: { id: string; uid: string }[] };
  return items.map(({ id, uid }) => `${id} ${uid}`).toSorted();
}

async function expectAllGone(pids: number[], withinMs: number): Promise<void> {
  await expect.poll(() => pids.filter(isAlive), { timeout: withinMs }).toEqual([]);
}

test("demo.json is complete and closed to others", () => {
  const { demo } = running;
  expect(statSync(join(dataDirectory, "demo.json")).mode & 0o777).toBe(0o600);
  expect(isAlive(demo.pid)).toBe(true);
  for (const role of ["viewer", "operator", "admin"] as const) {
    expect(demo.accounts[role].password.length).toBeGreaterThanOrEqual(12);
    expect(demo.tokens[role]).toMatch(/^ght_[\w-]{43}$/);
  }
  expect(demo.clusters).toHaveLength(1);
  for (const id of Object.values(demo.scenarios)) expect(id).toMatch(/^demo\/[^/]+\/(Rollout|Canary)\/[^/]+$/);
});

/** Whether something listens there. Who listens on all addresses also answers at 127.0.0.2. */
function connects(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2000 });
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.on("connect", () => end(true)).on("error", () => end(false));
    socket.on("timeout", () => end(false));
  });
}

test("all of it listens on 127.0.0.1 only", async () => {
  const { url, recorderUrl, databaseUrl, clusters } = running.demo;
  const addresses = [url, recorderUrl, databaseUrl, ...clusters.map(({ server }) => server)];
  for (const port of addresses.map((address) => Number(new URL(address).port))) {
    expect(await connects("127.0.0.1", port)).toBe(true);
    expect(await connects("127.0.0.2", port)).toBe(false);
  }
});

test("a second launcher on the same directory is refused in one line", () => {
  const entry = join(import.meta.dirname, "../bin/gatehouse.mjs");
  // Node warns on stderr where both are set, as a test runner and its caller may do.
  const { FORCE_COLOR: _force, NO_COLOR: _no, ...env } = process.env;
  const result = spawnSync(process.execPath, [entry, "demo", "--data-dir", dataDirectory], { encoding: "utf8", env });
  expect(result.stderr).toMatch(/^gatehouse: the data directory .* is in use by another gatehouse \(process \d+\)\n$/);
  expect(result.status).toBe(1);
});

/** Everything is live again, every row is still there, the audit log holds, nothing is left over, recording goes on. */
async function expectNothingLost(before: RecordedRows, killed: number): Promise<void> {
  const since = new Date();
  await expect.poll(() => isLiveSince(since), { timeout: 60_000 }).toBe(true);
  const after = await readRecordedRows(running.demo.databaseUrl);
  expect(findLostRows(before, after).slice(0, 5)).toEqual([]);
  const isNew = (key: string) => key.startsWith("measurement ") && !after.has(key);
  await expect
    .poll(async () => [...(await readRecordedRows(running.demo.databaseUrl)).keys()].some(isNew), { timeout: 30_000 })
    .toBe(true);
  expect(await get("/api/v1/audit/verify")).toMatchObject({ ok: true });
  expect(isAlive(killed)).toBe(false);
  expect(findOrphans(listDemoProcesses(dataDirectory), running.demo.pid)).toEqual([]);
}

/** Right after the start there is little that could be lost. */
async function readUntilMany(): Promise<RecordedRows> {
  let rows: RecordedRows = new Map();
  const count = async () => {
    rows = await readRecordedRows(running.demo.databaseUrl);
    return rows.size;
  };
  await expect.poll(count, { timeout: 60_000 }).toBeGreaterThan(100);
  return rows;
}

for (const name of ["postgres", "warden", "sandbox", "recorder", "web"] as const) {
  test(`a kill -9 of the ${name} loses no recorded row, and all heals`, async () => {
    const before = await readUntilMany();
    const killed = pidOf(name);
    process.kill(killed, "SIGKILL");
    await expect.poll(() => pidOf(name) !== killed && isAlive(pidOf(name)), { timeout: 30_000 }).toBe(true);
    await expectNothingLost(before, killed);
  });
}

test("SIGTERM ends everything within ten seconds, with status 0, and the next start is the same cluster", async () => {
  const before = await listRolloutIds();
  expect(before.length).toBeGreaterThan(0);
  const pids = allPids();
  const status = running.stop();
  await expectAllGone(pids, 10_000);
  expect(await status).toBe(0);
  running = await startDemo({ dataDirectory });
  expect(await listRolloutIds()).toEqual(before);
});

test("a kill -9 of the launcher leaves nothing behind, and the next start heals", async () => {
  const before = await listRolloutIds();
  const rows = await readRecordedRows(running.demo.databaseUrl);
  const pids = allPids();
  expect(pids).toHaveLength(6);
  const killed = running.demo.pid;
  process.kill(killed, "SIGKILL");
  running = await startDemo({ dataDirectory });
  expect(pids.filter(isAlive)).toEqual([]);
  expect(await listRolloutIds()).toEqual(before);
  await expectNothingLost(rows, killed);
  const last = allPids();
  process.kill(running.demo.pid, "SIGKILL");
  await expectAllGone(last, 10_000);
  expect(listDemoProcesses(dataDirectory)).toEqual([]);
});
