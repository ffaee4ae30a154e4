import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { readDemo } from "#test/demo.ts";
import { expectNoFindingsInBoth, openOldestRun, showIn, signIn, test } from "./pages.ts";

/** Opens a run of which 4 of 13 measurements were inconclusive, with a limit of 3. Another story accepts it. */
async function openInconclusive(page: Page): Promise<string> {
  await signIn(page, "viewer", `/rollouts/${readDemo().scenarios.inconclusiveInline}`);
  await openOldestRun(page);
  return new URL(page.url()).pathname;
}

test("a run is read: its summary, its table, its chart, on a wide screen and on a phone", async ({ page }) => {
  const path = await openInconclusive(page);
  const metric = page.getByRole("region", { name: "Metric success-rate" });
  await test.step("the worst metric is first, the title names the rollout, and an address leads to a metric", async () => {
    await expect(page).toHaveTitle(/\/.*, revision 2, step \d, analysis/);
    await expect(page.getByRole("region", { name: /^Metric / }).first()).toContainText("success-rate");
    await expect(page.getByRole("heading", { level: 1 })).toContainText("were inconclusive (3 allowed)");
    await expect(metric.getByRole("list", { name: "How success-rate is judged" })).toContainText("limit 3 exceeded");
    await page.goto(`${path}#metric-success-rate`);
    await expect(metric).toBeInViewport();
    await expect(metric.getByRole("table")).toBeVisible();
    await expectNoFindingsInBoth(page, "page of a run");
    await showIn(page, "light");
  });

  await test.step("a table shows only what is not successful, in either order, and leaves as CSV", async () => {
    await page.goto(path);
    const rows = metric.getByRole("table").getByRole("rowheader");
    await expect(rows).toHaveCount(13);
    await metric.getByRole("switch", { name: "Hide successful" }).check();
    await expect(page).toHaveURL(/only=unsuccessful/);
    await expect(rows).toHaveCount(4);
    const first = await rows.first().textContent();
    await metric.getByRole("button", { name: /^No\./ }).click();
    await expect(rows.last()).toHaveText(first ?? "");

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "CSV of all measurements of success-rate" }).click(),
    ]);
    const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
    expect(lines).toHaveLength(14);
    expect(lines[1]).toMatch(/^success-rate,1,/);
  });

  await test.step("a chart is zoomed by keyboard and pointer, and shows where the limit was reached", async () => {
    await page.goto(path);
    const chart = metric.getByRole("slider");
    await expect(metric.getByText(/limit exceeded here: .* inconclusive/)).toBeAttached();
    await chart.focus();
    await page.keyboard.press("Home");
    await expect(metric.locator("tr[data-pointed]")).toHaveCount(1);
    await page.keyboard.press("+");
    const reset = metric.getByRole("button", { name: "Reset zoom" });
    await expect(reset).toBeVisible();
    await page.keyboard.press("0");
    await expect(reset).toBeHidden();

    const box = await chart.boundingBox();
    if (box === null) throw new Error("the chart has no place");
    await page.mouse.move(box.x + box.width * 0.3, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 60, { steps: 5 });
    await page.mouse.up();
    await expect(reset).toBeVisible();

    // The address keeps what is shown: a link shows the same.
    await expect(page).toHaveURL(/[?&]from=20\d\d-.*&to=20\d\d-/);
    await page.reload();
    await expect(reset).toBeVisible();
    await reset.click();
    await expect(reset).toBeHidden();
    await expect(page).not.toHaveURL(/from=/);
  });

  await test.step("a long table keeps its head; on a phone a measurement is a line with its explanation below", async () => {
    await page.goto(path);
    const table = metric.getByRole("table");
    await expect(table.getByRole("rowheader")).toHaveCount(13);
    for (const width of [1440, 380]) {
      await page.setViewportSize({ width, height: 300 });
      await table
        .getByRole("row")
        .last()
        .evaluate((row) => row.scrollIntoView({ block: "start" }));
      await expect(table.getByRole("rowheader").first()).not.toBeInViewport();
      await expect(table.getByRole("button", { name: /^No\./ })).toBeInViewport();
    }
    const number = await table.getByRole("rowheader").last().boundingBox();
    const why = await table.getByRole("row").last().getByRole("cell").last().boundingBox();
    expect(number?.height).toBeLessThan(32);
    expect(why?.width).toBeGreaterThan(200);
    expect(why?.y).toBeGreaterThan(number?.y ?? 0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(380);
  });
});
