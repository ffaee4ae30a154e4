// Time from a rollout's change in the cluster until its row on the rollouts page has changed in Chromium, through the
// built application. One change at a time, as seen by a person watching the page.
import { chromium, type Page } from "@playwright/test";
// @ts-expect-error -- plain JavaScript without types: it runs before anything is installed.
import { findBrowser } from "../scripts/find-browser.mjs";
import { startBenchDatabase } from "./support/bench-database.ts";
import { followEvents } from "./support/follow-events.ts";
import { percentile, printFigure } from "./support/print-figure.ts";
import { startCluster } from "./support/start-cluster.ts";
import { startGatehouse } from "./support/start-gatehouse.ts";

const isFull = process.argv.includes("--full");
// Far enough apart that each is the first of its burst: changes within 200 ms of a fetch are batched.
const options = { perSecond: 2, seconds: isFull ? 60 : 20, objects: 20 };
const goalMs = 120;

type RowChange = { name: string; at: number };

const database = await startBenchDatabase();
const cluster = await startCluster();
const gatehouse = await startGatehouse({ database, cluster });
const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync", "--no-first-run"],
});
try {
  await cluster.fill({ rollouts: options.objects, runs: 0, size: { metrics: 1, measurements: 1 } });
  await cluster.addLiveRuns(options);
  gatehouse.startRecorder();
  const web = await gatehouse.startWeb({ next: true });
  await gatehouse.untilLive(60_000);
  const page = await openRollouts(`http://127.0.0.1:${web.port}`);
  const client = await followEvents(web);
  const { changes } = await cluster.change(options);
  await page.waitForTimeout(2000);
  const rows = await page.evaluate<RowChange[]>("window.rowChanges");
  client.close();
  const seen: number[] = [];
  const heard: number[] = [];
  const rollouts = changes.filter(({ kind }) => kind === "Rollout");
  for (const change of rollouts) {
    const row = rows.find(({ name, at }) => name === change.name && at >= change.at);
    const event = client.events.find(({ ref, at }) => ref.endsWith(`/${change.name}`) && at >= change.at);
    if (row !== undefined) seen.push(row.at - change.at);
    if (event !== undefined) heard.push(event.at - change.at);
  }
  if (seen.length < rollouts.length)
    process.stderr.write(
      `change-to-page: ${rollouts.length - seen.length} of ${rollouts.length} rows did not change\n`,
    );
  const value = percentile(seen, 50);
  const baseline = percentile(heard, 50);
  printFigure({
    name: "change-to-page-p50",
    value,
    unit: "ms",
    baseline,
    ratio: value / baseline,
    size: `${rollouts.length} changes of ${options.objects} rollouts, ${options.perSecond} changes/s; p99 ${Math.round(percentile(seen, 99))} ms`,
    goal: `under ${goalMs} ms, every row`,
    ok: value < goalMs && seen.length === rollouts.length,
  });
} finally {
  await browser.close();
  await gatehouse.close();
  await cluster.close();
  await database.stop();
}

/** Signs in and opens the list; from then on `window.rowChanges` collects when each row changed. */
async function openRollouts(url: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(`${url}/rollouts`);
  await page.getByRole("button", { name: "Continue as viewer" }).click();
  await page
    .getByRole("link", { name: /rollout-0$/ })
    .first()
    .waitFor();
  await page.evaluate(() => {
    const changes: { name: string; at: number }[] = [];
    Object.assign(window, { rowChanges: changes });
    new MutationObserver((mutations) => {
      for (const { target } of mutations) {
        const element = target instanceof Element ? target : target.parentElement;
        // Ages change by themselves.
        if (element === null || element.closest("time") !== null) continue;
        const name = /rollout-\d+/.exec(element.closest("tr")?.textContent ?? "")?.[0];
        if (name !== undefined) changes.push({ name, at: Date.now() });
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  return page;
}
