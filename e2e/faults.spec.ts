import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, expect, type Locator, type Page } from "@playwright/test";
import pg from "pg";
import { findOrphans, isAlive, listChildren, listDemoProcesses, pidOfProcess } from "#test/demo-processes.ts";
import { findLostRows, type RecordedRows, readRecordedRows } from "#test/recorded-rows.ts";
import { type RunningDemo, startDemo } from "#test/start-demo.ts";
import { testHeldObjects } from "./faults/held-objects.ts";
import { expectReasonOnHover, inboxRow, signInAnew, test } from "./pages.ts";

// One demo for what happens to its objects and its processes: they are held, hung, killed, ended and started again, in
// this order.
test.describe.configure({ mode: "serial" });

let folder: string;
let dataDirectory: string;
let running: RunningDemo;
let rolloutPage: Page;
let inboxPage: Page;
let row: Locator;

const start = () => startDemo({ dataDirectory, flags: ["--faults"] });

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-faults-"));
  dataDirectory = join(folder, "data");
  running = await start();
});
test.afterAll(async () => {
  await running.stop();
  rmSync(folder, { recursive: true, force: true });
});

test.describe("objects that the cluster no longer shows", () => {
  testHeldObjects(
    () => running,
    () => dataDirectory,
  );
});

/** Opens the rollout and the inbox, and waits until both offer to go on. */
async function openPages(browser: Browser): Promise<void> {
  const { url, scenarios, accounts } = running.demo;
  const path = scenarios.inconclusiveInline ?? "";
  const context = await browser.newContext({ baseURL: url });
  rolloutPage = await context.newPage();
  inboxPage = await context.newPage();
  await signInAnew(rolloutPage, "operator", `/rollouts/${path}`, accounts);
  await inboxPage.goto("/inbox");
  const [, namespace, , name] = path.split("/");
  row = inboxRow(inboxPage, `${namespace}/${name}`);
  await expectAdvancing();
  // A reload would lose it.
  for (const page of [rolloutPage, inboxPage]) await page.evaluate(() => Object.assign(window, { isSamePage: true }));
}

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

const readRecorded = () => readRecordedRows(running.demo.databaseUrl);

async function countMeasurements(): Promise<number> {
  const client = new pg.Client({ connectionString: running.demo.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>("SELECT count(*)::int AS count FROM measurement");
    return rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}

const actions = () => rolloutPage.getByRole("group", { name: /^Actions on/ });
const advance = () => actions().getByRole("button", { name: "Accept and continue" });
const abort = () => actions().getByRole("button", { name: "Abort" });
const banner = (page: Page) => page.getByRole("status").filter({ hasText: /stale for|has not answered/ });

async function expectAdvancing(): Promise<void> {
  await expect(advance()).not.toHaveAttribute("aria-disabled", "true");
  await expect(row.getByRole("button", { name: "Accept and continue" })).toBeVisible();
  for (const page of [rolloutPage, inboxPage]) {
    await expect(banner(page)).toHaveCount(0);
    await expect(page.getByText(/could not be loaded|may be out of date/)).toHaveCount(0);
  }
}

/** Everything is live again, no row is lost, the audit log holds, and recording goes on. */
async function expectNothingLost(before: RecordedRows): Promise<void> {
  const since = new Date();
  await expect.poll(() => isLiveSince(since)).toBe(true);
  const after = await readRecorded();
  expect(findLostRows(before, after).slice(0, 5)).toEqual([]);
  const recorded = [...after.keys()].filter((key) => key.startsWith("measurement ")).length;
  await expect.poll(countMeasurements).toBeGreaterThan(recorded);
  expect(await get("/api/v1/audit/verify")).toMatchObject({ ok: true });
}

/** The pages heal without a reload too. */
async function expectHealed(before: RecordedRows): Promise<void> {
  await expectNothingLost(before);
  await expectAdvancing();
  for (const page of [rolloutPage, inboxPage]) expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
}

async function expectAdvancingOff(reason: RegExp): Promise<void> {
  await expect(advance()).toHaveAttribute("aria-disabled", "true");
  await expect(abort()).not.toHaveAttribute("aria-disabled", "true");
  await expect(row.getByRole("button", { name: "Accept and continue" })).toHaveCount(0);
  await expect(row.getByRole("button", { name: "Abort" })).toBeVisible();
  await expectReasonOnHover(advance(), reason);
}

/** Whether something listens there. Who listens on all addresses also answers at 127.0.0.2. */
function connects(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.on("connect", () => end(true)).on("error", () => end(false));
  });
}

const signalGroup = (name: ProcessName, signal: NodeJS.Signals) => process.kill(-pidOf(name), signal);

/** PostgreSQL's workers come and go: one that has gone needs no signal. */
function signalEach(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}

test("a recorder that hangs, then a web server too: the pages say so, advancing is off, and all heals", async ({
  browser,
}) => {
  await openPages(browser);
  const before = await readRecorded();
  signalGroup("recorder", "SIGSTOP");
  try {
    for (const page of [rolloutPage, inboxPage])
      await expect(banner(page)).toContainText(/Cluster demo is stale for \d+ (s|min)/);
    await expectAdvancingOff(/No updates of Rollouts from demo since \d+ [A-Z][a-z]+ 20\d\d, /);
    await expect(row).toContainText(/No updates of Rollouts from demo since/);
    signalGroup("web", "SIGSTOP");
    for (const page of [rolloutPage, inboxPage])
      await expect(banner(page)).toContainText(/Gatehouse has not answered for \d+ (s|min)/);
    await expectAdvancingOff(/Gatehouse is not responding/);
  } finally {
    for (const name of ["web", "recorder"] as const) signalGroup(name, "SIGCONT");
  }
  await expectHealed(before);
});

test("a database that hangs: nothing is done, and the commands that do the same are told in its place", async () => {
  const before = await readRecorded();
  const pids = [pidOf("postgres")];
  const dialog = rolloutPage.getByRole("dialog");
  const alert = dialog.getByRole("alert").filter({ hasText: "was refused" });
  await advance().click();
  await dialog.getByRole("textbox", { name: "Reason" }).fill("tried while the database hangs");
  try {
    signalEach(pids, "SIGSTOP");
    // Only now: while the server ran, it could begin another.
    const children = pids.flatMap(listChildren);
    pids.push(...children);
    signalEach(children, "SIGSTOP");
    await dialog.getByRole("button", { name: /^Accept and continue/ }).click();
    await expect(alert).toContainText("If it cannot wait, run this without Gatehouse");
    await expect(alert.getByText(/^kubectl /)).toBeVisible();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(banner(rolloutPage)).toContainText(/Gatehouse has not answered for \d+ (s|min)/);
    await expectAdvancingOff(/Gatehouse is not responding/);
    const reported = rolloutPage.getByText("Without Gatehouse, based on its last answer").locator("..");
    await expect(
      reported
        .getByRole("definition")
        .filter({ hasText: /^kubectl .*patch/ })
        .first(),
    ).toBeVisible();
    await expect(reported).toContainText(/Abort.*kubectl/);
  } finally {
    signalEach(pids.toReversed(), "SIGCONT");
  }
  await expectHealed(before);
  await expect(rolloutPage.getByText("Without Gatehouse, based on its last answer")).toHaveCount(0);
});

test("a kill -9 of each process in turn loses no recorded row, and all heals without a reload", async () => {
  const before = await readRecorded();
  expect(before.size).toBeGreaterThan(100);
  const killed: number[] = [];
  // The next one dies while the others are still recovering.
  for (const name of ["postgres", "warden", "sandbox", "recorder", "web"] as const) {
    const pid = pidOf(name);
    process.kill(pid, "SIGKILL");
    killed.push(pid);
    await expect.poll(() => ![0, pid].includes(pidOf(name)) && isAlive(pidOf(name))).toBe(true);
  }
  await expectHealed(before);
  expect(killed.filter(isAlive)).toEqual([]);
  expect(findOrphans(listDemoProcesses(dataDirectory), running.demo.pid)).toEqual([]);

  await test.step("after all of it, an action still goes through and shows on the other page", async () => {
    await advance().click();
    const dialog = rolloutPage.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Reason" }).fill("survived every fault");
    await dialog.getByRole("button", { name: /^Accept and continue/ }).click();
    await expect(dialog).toBeHidden();
    await expect(row.getByRole("button", { name: "Accept and continue" })).toHaveCount(0);
    // What no longer answers the rollout's state stands in the menu, with the reason.
    await expect(advance()).toHaveCount(0);
    await rolloutPage.context().close();
  });
});

test("a launcher that is killed leaves nothing behind, its next start heals and is closed to others, and SIGTERM ends it", async () => {
  const before = await listRolloutIds();
  expect(before.length).toBeGreaterThan(0);
  const rows = await readRecorded();
  const pids = allPids();
  expect(pids).toHaveLength(6);
  process.kill(running.demo.pid, "SIGKILL");
  running = await start();
  expect(pids.filter(isAlive)).toEqual([]);
  expect(await listRolloutIds()).toEqual(before);
  await expectNothingLost(rows);
  expect(findOrphans(listDemoProcesses(dataDirectory), running.demo.pid)).toEqual([]);

  const { demo } = running;
  await test.step("demo.json is complete and closed to others", () => {
    expect(statSync(join(dataDirectory, "demo.json")).mode & 0o777).toBe(0o600);
    expect(isAlive(demo.pid)).toBe(true);
    for (const role of ["viewer", "operator", "admin"] as const) {
      expect(demo.accounts[role].password.length).toBeGreaterThanOrEqual(12);
      expect(demo.tokens[role]).toMatch(/^ght_[\w-]{43}$/);
    }
    expect(demo.clusters).toHaveLength(1);
    for (const id of Object.values(demo.scenarios)) expect(id).toMatch(/^demo\/[^/]+\/(Rollout|Canary)\/[^/]+$/);
  });
  await test.step("all of it listens on 127.0.0.1 only", async () => {
    const { url, recorderUrl, databaseUrl, clusters } = demo;
    const addresses = [url, recorderUrl, databaseUrl, ...clusters.map(({ server }) => server)];
    for (const port of addresses.map((address) => Number(new URL(address).port))) {
      expect(await connects("127.0.0.1", port)).toBe(true);
      expect(await connects("127.0.0.2", port)).toBe(false);
    }
  });
  await test.step("a second launcher on the same directory is refused in one line", () => {
    const entry = join(import.meta.dirname, "../bin/gatehouse.mjs");
    // Node warns on stderr where both are set, as a test runner and its caller may do.
    const { FORCE_COLOR: _force, NO_COLOR: _no, ...env } = process.env;
    const result = spawnSync(process.execPath, [entry, "demo", "--data-dir", dataDirectory], { encoding: "utf8", env });
    expect(result.stderr).toMatch(
      /^gatehouse: the data directory .* is in use by another gatehouse \(process \d+\)\n$/,
    );
    expect(result.status).toBe(1);
  });

  await test.step("SIGTERM ends everything, with status 0", async () => {
    expect(await running.stop()).toBe(0);
    await expect.poll(() => listDemoProcesses(dataDirectory)).toEqual([]);
  });
});
