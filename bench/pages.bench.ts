// Measures how long a person waits in Chromium, through the built application, until a list of ten thousand can be
// used. Also measures the longest task that blocks the page afterwards, there, on the page of a run with fifty
// thousand measurements, and on the page of a version in two thousand rollouts of twenty clusters. Needs Debian's chromium-headless-shell or chromium. Runs `npm run build` if it is stale.
import { chromium, type Page } from "@playwright/test";
import { filledSet, fillSet } from "#test/fill-set.ts";
import { createTestPool } from "#test/test-pool.ts";
// @ts-expect-error -- plain JavaScript without types: it runs before anything is installed.
import { findBrowser } from "../scripts/find-browser.mjs";
import { startBenchDatabase } from "./support/bench-database.ts";
import { buildApplication } from "./support/build-application.ts";
import { fillRecords, longRun } from "./support/fill-records.ts";
import { median, printFigure } from "./support/print-figure.ts";
import { startGatehouse } from "./support/start-gatehouse.ts";

const isFull = process.argv.includes("--full");
const sizes = isFull
  ? { rollouts: 10_000, releases: 50_000, runs: 100_000, measurements: 500_000 }
  : { rollouts: 10_000, releases: 20_000, runs: 20_000, measurements: 40_000 };
const rounds = 5;
const goals = { usableMs: 1500, taskMs: 200 };
/** Pages of a hundred rows that are loaded one after the other. */
const morePages = isFull ? 99 : 20;

let origin = "";

type Seen = { usableMs: number; firstTaskMs: number; taskMs: number };

buildApplication();
const database = await startBenchDatabase({ settings: { fsync: "off", max_wal_size: "4GB" } });
const owner = createTestPool(database.ownerUrl, 2);
const gatehouse = await startGatehouse({
  database,
  cluster: { url: "http://127.0.0.1:1", token: "none" },
  config: { limits: { requestsPerMinute: 100_000 } },
});
const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync", "--no-first-run"],
});
try {
  await fillRecords(owner, sizes);
  const { port } = await gatehouse.startWeb({ next: true });
  const page = await signIn(`http://127.0.0.1:${port}`);
  for (const [name, path, row] of [
    ["rollouts", "/rollouts", "tbody tr[data-row]"],
    ["releases", "/releases", "tbody tr[data-row]"],
    ["runs", "/analysis-runs", "tbody tr[data-row]"],
    ["inbox", "/inbox", "section[aria-label=Waiting] li"],
  ] as const)
    await measurePage(page, { name, path, ready: row, act: name === "rollouts" ? readOn : async () => {} });
  const run = `/analysis-runs/${longRun.uid}`;
  await measurePage(page, { name: "long-run", path: run, ready: "figure svg path", act: lookCloser });
  await fillSet(owner);
  const set = `/sets/version/${filledSet.version}?${new URLSearchParams({ image: filledSet.image })}`;
  await measurePage(page, { name: "set", path: set, ready: "tbody tr[data-row]", act: readSet });
} finally {
  await browser.close();
  await gatehouse.close();
  await owner.end();
  await database.stop();
}

type Visit = { name: string; path: string; ready: string; act: (page: Page) => Promise<void> };

async function measurePage(page: Page, { name, path, ready, act }: Visit): Promise<void> {
  const visits: Seen[] = [];
  // The first visit warms the server and the browser's cache.
  for (let round = 0; round <= rounds; round += 1) {
    const seen = await visit(page, { path, ready, act: round === rounds ? act : async () => {} });
    if (round > 0) visits.push(seen);
  }
  const usable = median(visits.map(({ usableMs }) => usableMs));
  const longest = Math.max(...visits.map(({ taskMs }) => taskMs));
  const loading = Math.max(...visits.map(({ firstTaskMs }) => firstTaskMs));
  const also = name === "set" ? `, and ${filledSet.members} of the set in ${filledSet.clusters} clusters` : "";
  const size = `${sizes.rollouts} rollouts, ${sizes.releases} releases, ${sizes.runs} runs${also}; ${rounds} visits`;
  printFigure({
    name: `page-${name}-usable`,
    ...{ value: usable, unit: "ms", baseline: null, ratio: null },
    size: `${size}, median; longest task until then ${Math.round(loading)} ms`,
    goal: `under ${goals.usableMs} ms`,
    ok: usable < goals.usableMs,
  });
  printFigure({
    name: `page-${name}-longest-task`,
    ...{ value: longest, unit: "ms", baseline: null, ratio: null },
    size: `${size}; tasks after the page can be used; 0: none of 50 ms`,
    goal: `at most ${goals.taskMs} ms`,
    ok: longest <= goals.taskMs,
  });
}

/** Opens a page by its address, and returns when it could be used, with the longest task until then and afterwards. */
async function visit(page: Page, { path, ready, act }: Omit<Visit, "name">): Promise<Seen> {
  await page.goto("about:blank");
  await page.goto(new URL(path, origin).href, { waitUntil: "commit" });
  const usable = await page.waitForFunction(
    (selector) => (document.querySelector(selector) === null ? undefined : performance.now()),
    ready,
  );
  const usableMs = Number(await usable.jsonValue());
  await act(page);
  await page.waitForTimeout(1500);
  const tasks = await page.evaluate<{ at: number; ms: number }[]>("window.longTasks");
  const longest = (some: typeof tasks): number => some.reduce((most, { ms }) => Math.max(most, ms), 0);
  return {
    usableMs,
    firstTaskMs: longest(tasks.filter(({ at }) => at < usableMs)),
    taskMs: longest(tasks.filter(({ at }) => at >= usableMs)),
  };
}

/** Opens the differences, and loads all rollouts of the set. */
async function readSet(page: Page): Promise<void> {
  await page.getByRole("button", { name: "What differs" }).click();
  await scrollThrough(page, { rows: 200, more: filledSet.members / 200 - 1 });
}

/** Loads more pages of so many rows, one after the other, and scrolls through them. */
async function scrollThrough(page: Page, { rows, more }: { rows: number; more: number }): Promise<void> {
  for (let loaded = 1; loaded <= more; loaded += 1) {
    // The next page is loaded when the end of the list comes into view.
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await page.waitForFunction(
      (known) => Number(document.querySelector("table[aria-rowcount]")?.getAttribute("aria-rowcount")) > known,
      (loaded + 1) * rows,
    );
  }
  for (let place = 0; place <= 1; place += 0.05)
    await page.evaluate((share) => window.scrollTo(0, document.body.scrollHeight * share), place);
  await page.evaluate(() => window.scrollTo(0, 0));
}

/** Loads the whole list, page by page, scrolls through it and sorts it. */
async function readOn(page: Page): Promise<void> {
  await scrollThrough(page, { rows: 100, more: morePages });
  await page.locator("thead button").last().click();
  await page.waitForURL(/sort=/);
}

/** Zooms into each chart, moves along, and scrolls through the page. */
async function lookCloser(page: Page): Promise<void> {
  for (const chart of await page.getByRole("slider").all()) {
    await chart.focus();
    for (const key of ["+", "+", "+", "Shift+ArrowLeft", "ArrowLeft", "ArrowLeft", "-", "0"]) {
      await page.keyboard.press(key);
      await page.waitForTimeout(250);
    }
    const box = await chart.boundingBox();
    if (box === null) continue;
    for (let x = 0.1; x < 0.9; x += 0.02) await page.mouse.move(box.x + box.width * x, box.y + box.height / 2);
  }
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
}

/** Signs in, and has every page note its long tasks from its beginning. */
async function signIn(url: string): Promise<Page> {
  origin = url;
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(() => {
    const tasks: { at: number; ms: number }[] = [];
    Object.assign(window, { longTasks: tasks });
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) tasks.push({ at: startTime, ms: duration });
    }).observe({ type: "longtask", buffered: true });
  });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(`${url}/rollouts`);
  await page.getByRole("button", { name: "Continue as viewer" }).click();
  await page.locator("tbody tr[data-row]").first().waitFor();
  return page;
}
