import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import pg from "pg";
import { listChildren } from "#test/demo-processes.ts";
import { type RunningDemo, startDemo } from "#test/start-demo.ts";
import { expectReasonOnHover, inboxRow, signIn, test } from "./pages.ts";

test.describe.configure({ mode: "serial" });
test.setTimeout(300_000);

let folder: string;
let dataDirectory: string;
let running: RunningDemo;
let rolloutPage: Page;
let inboxPage: Page;
let row: Locator;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  folder = mkdtempSync(join(tmpdir(), "gatehouse-faults-"));
  dataDirectory = join(folder, "data");
  running = await startDemo({ dataDirectory, flags: ["--faults"] });
  const { url, scenarios, accounts } = running.demo;
  const path = scenarios.inconclusiveInline ?? "";
  const context = await browser.newContext({ baseURL: url });
  rolloutPage = await context.newPage();
  inboxPage = await context.newPage();
  await signIn(rolloutPage, "operator", `/rollouts/${path}`, accounts);
  await inboxPage.goto("/inbox");
  const [, namespace, , name] = path.split("/");
  row = inboxRow(inboxPage, `${namespace}/${name}`);
  await expectAdvancing(90_000);
  // A reload would lose it.
  for (const page of [rolloutPage, inboxPage]) await page.evaluate(() => Object.assign(window, { isSamePage: true }));
});
test.afterAll(async () => {
  await running.stop();
  rmSync(folder, { recursive: true, force: true });
});

type ProcessName = "recorder" | "sandbox" | "web" | "postgres";

function pidOf(name: ProcessName): number {
  if (name === "postgres") {
    const file = join(dataDirectory, "postgres/data/postmaster.pid");
    return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : 0;
  }
  const noted: Record<string, { pid: number }> = JSON.parse(
    readFileSync(join(dataDirectory, "processes.json"), "utf8"),
  );
  return noted[name]?.pid ?? 0;
}

async function setFault(fault: string): Promise<void> {
  const [cluster] = running.demo.clusters;
  if (cluster === undefined) throw new Error("demo.json names no cluster");
  const response = await fetch(`${cluster.server}/_sandbox/faults`, {
    method: "POST",
    headers: { authorization: `Bearer ${cluster.token}`, "content-type": "application/json" },
    body: JSON.stringify({ fault }),
  });
  expect(response.status).toBe(200);
}

/** What is recorded, as one line per measurement, observation and audit entry. */
async function readRecorded(): Promise<string[]> {
  const client = new pg.Client({ connectionString: running.demo.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ line: string }>(
      `SELECT concat_ws(' ', run_uid, metric, seq, value) AS line FROM measurement WHERE finished_at IS NOT NULL
       UNION ALL SELECT concat_ws(' ', 'audit', seq, hash) FROM audit_entry
       UNION ALL SELECT concat_ws(' ', 'observation', rollout_id, id) FROM observation`,
    );
    return rows.map(({ line }) => line);
  } finally {
    await client.end();
  }
}

async function isLiveSince(since: Date): Promise<boolean> {
  const { url, tokens } = running.demo;
  try {
    const response = await fetch(`${url}/status`, { headers: { authorization: `Bearer ${tokens.admin}` } });
    const { sources } = (await response.json()) as { sources: { state: string; lastContact: string | null }[] };
    return sources.every(({ state, lastContact }) => state === "live" && new Date(lastContact ?? 0) > since);
  } catch {
    return false;
  }
}

const actions = () => rolloutPage.getByRole("group", { name: /^Actions on/ });
const advance = () => actions().getByRole("button", { name: "Accept and continue" });
const abort = () => actions().getByRole("button", { name: "Abort" });
const banner = (page: Page) => page.getByRole("status").filter({ hasText: /stale for|has not answered/ });

async function expectAdvancing(timeout: number): Promise<void> {
  await expect(advance()).not.toHaveAttribute("aria-disabled", "true", { timeout });
  await expect(row.getByRole("button", { name: "Accept and continue" })).toBeVisible({ timeout });
  for (const page of [rolloutPage, inboxPage]) {
    await expect(banner(page)).toHaveCount(0, { timeout });
    await expect(page.getByText(/could not be loaded|may be out of date/)).toHaveCount(0, { timeout });
  }
}

async function expectHealed(before: string[], since: Date): Promise<void> {
  await expect.poll(() => isLiveSince(since), { timeout: 90_000 }).toBe(true);
  await expectAdvancing(60_000);
  for (const page of [rolloutPage, inboxPage]) expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
  const after = new Set(await readRecorded());
  expect(before.filter((line) => !after.has(line))).toEqual([]);
}

async function expectAdvancingOff(reason: RegExp): Promise<void> {
  await expect(advance()).toHaveAttribute("aria-disabled", "true", { timeout: 60_000 });
  await expect(abort()).not.toHaveAttribute("aria-disabled", "true");
  await expect(row.getByRole("button", { name: "Accept and continue" })).toHaveCount(0, { timeout: 30_000 });
  await expect(row.getByRole("button", { name: "Abort" })).toBeVisible();
  await expectReasonOnHover(advance(), reason);
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

const silences: { name: string; begin(): Promise<void> | boolean; end(): Promise<void> | boolean }[] = [
  {
    name: "a recorder that hangs",
    begin: () => signalGroup("recorder", "SIGSTOP"),
    end: () => signalGroup("recorder", "SIGCONT"),
  },
  { name: "a cluster that falls silent", begin: () => setFault("stall"), end: () => setFault("none") },
  { name: "a cluster that answers 500", begin: () => setFault("500"), end: () => setFault("none") },
];
for (const { name, begin, end } of silences) {
  test(`${name}: the pages say so, advancing is off, and all heals`, async () => {
    const before = await readRecorded();
    await begin();
    try {
      for (const page of [rolloutPage, inboxPage])
        await expect(banner(page)).toContainText(/Cluster demo is stale for \d+ s/, { timeout: 60_000 });
      await expectAdvancingOff(/No updates of Rollouts from demo since \d+ [A-Z][a-z]+ 20\d\d, /);
      await expect(row).toContainText(/No updates of Rollouts from demo since/);
    } finally {
      await end();
    }
    await expectHealed(before, new Date());
  });
}

test("a web server that hangs: the pages say so, advancing is off, and all heals", async () => {
  const before = await readRecorded();
  signalGroup("web", "SIGSTOP");
  try {
    for (const page of [rolloutPage, inboxPage])
      await expect(banner(page)).toContainText(/Gatehouse has not answered for \d+ s/, { timeout: 60_000 });
    await expectAdvancingOff(/Gatehouse is not responding/);
  } finally {
    signalGroup("web", "SIGCONT");
  }
  await expectHealed(before, new Date());
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
    await expect(alert).toContainText("If it cannot wait, run this without Gatehouse", { timeout: 60_000 });
    await expect(alert.getByText(/^kubectl /)).toBeVisible();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(banner(rolloutPage)).toContainText(/Gatehouse has not answered for \d+ s/, { timeout: 60_000 });
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
  await expectHealed(before, new Date());
  await expect(rolloutPage.getByText("Without Gatehouse, based on its last answer")).toHaveCount(0);
});

for (const name of ["recorder", "sandbox", "postgres", "web"] as const) {
  test(`a kill -9 of the ${name} heals without a reload and loses nothing`, async () => {
    const before = await readRecorded();
    expect(before.length).toBeGreaterThan(100);
    const killed = pidOf(name);
    process.kill(killed, "SIGKILL");
    await expect.poll(() => ![0, killed].includes(pidOf(name)), { timeout: 30_000 }).toBe(true);
    await expectHealed(before, new Date());
  });
}

test("after all of it, an action still goes through and shows on the other page", async () => {
  await advance().click();
  const dialog = rolloutPage.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Reason" }).fill("survived every fault");
  await dialog.getByRole("button", { name: /^Accept and continue/ }).click();
  await expect(dialog).toBeHidden();
  await expect(row.getByRole("button", { name: "Accept and continue" })).toHaveCount(0, { timeout: 30_000 });
  // What no longer answers the rollout's state stands in the menu, with the reason.
  await expect(advance()).toHaveCount(0, { timeout: 30_000 });
});
