import { expect, type Locator, type Page } from "@playwright/test";
import { expectNoFindings, expectReadableColours, showIn, signIn, test } from "./pages.ts";

/** How many rows a list shows, once it has loaded. */
async function countRows(page: Page, caption: string): Promise<number> {
  const table = page.getByRole("table", { name: caption });
  await expect(table).toBeVisible({ timeout: 30_000 });
  const total = await table.getAttribute("aria-rowcount");
  return Number(total) - 1;
}

/**
 * Follows a figure's link and compares its number with the rows. A release that ends meanwhile changes both: then it is
 * tried again.
 */
async function expectSameRows(page: Page, path: string, find: () => Locator, caption: string): Promise<void> {
  await expect(async () => {
    await page.goto(path);
    const link = find();
    await expect(link).toBeVisible({ timeout: 30_000 });
    const count = Number(/\d+/.exec((await link.textContent()) ?? "")?.[0]);
    expect(count).toBeGreaterThan(0);
    await link.click();
    await expect(page.getByRole("heading", { level: 1, name: caption })).toBeVisible();
    expect(await countRows(page, caption)).toBe(Math.min(count, 50));
  }).toPass({ timeout: 100_000 });
}

test("figures lead to as many rows as they count, and rollouts and templates lead to their figures", async ({
  page,
}) => {
  await test.step("the figures of a period lead to as many rows as they count", async () => {
    const path = "/insights?namespace=payments&rollout=ledger";
    await signIn(page, "viewer", path);
    const main = page.getByRole("main");
    await expectSameRows(
      page,
      path,
      () => main.getByRole("link", { name: /^\d+ aborted releases$/ }).first(),
      "Releases",
    );
    const metrics = page.getByRole("table", { name: "Metrics that cost people time" });
    await expectSameRows(page, path, () => metrics.getByRole("link", { name: /Failed$/ }).first(), "Analysis runs");
    // How overrides ended is counted too, and leads to its runs.
    await expectSameRows(page, path, () => metrics.getByRole("link", { name: /^\d+ stayed/ }).first(), "Analysis runs");
  });

  await test.step("a rollout and a template lead to their insights", async () => {
    await page.goto("/rollouts/demo/payments/Rollout/ledger?tab=releases");
    await page.getByRole("link", { name: /^\d+ releases?, \d+ aborted/ }).click();
    await expect(page).toHaveURL(/\/insights\?.*rollout=ledger/);
    await page.goto("/templates/demo/accounts/AnalysisTemplate/login-smoke");
    await page.getByRole("link", { name: /^\d+ runs?, \d+ Failed/ }).click();
    await expect(page).toHaveURL(/\/insights\?template=/);
    await expect(page.getByRole("main")).toContainText("These are the figures of one template");
  });
});

test("insights can be read by everybody, and what is not known is not zero", async ({ page }) => {
  await test.step("the period is in the address, and what is not known is not zero", async () => {
    await signIn(page, "viewer", "/insights");
    await expect(page.getByRole("region", { name: "Releases per day" })).toBeVisible({ timeout: 60_000 });
    // No rollout of the demo names the time of a commit.
    await expect(page.getByRole("main")).toContainText("no release names the time of its commit");
    await expect(page.getByRole("main")).toContainText("before: not recorded");
    await page.getByRole("combobox", { name: "Period" }).selectOption("7");
    await expect(page).toHaveURL(/days=7/);
    await page.goto("/insights?from=2020-01-01T00:00:00.000Z&to=2020-02-01T00:00:00.000Z");
    await expect(page.getByRole("main")).toContainText("No release began in this period");
    await expect(page.getByRole("main")).toContainText("No analysis ended in this period");
    await page.goto("/insights?from=2020-02-01T00:00:00.000Z&to=2020-01-01T00:00:00.000Z");
    const alert = page.getByRole("main").getByRole("alert");
    await expect(alert).toContainText("must be later than from, by at most 400 days");
    await page.goto("/insights?days=many");
    await expect(alert).toContainText("days: many");
    await alert.getByRole("button", { name: "Show the page without it" }).click();
    await expect(page.getByRole("region", { name: "Releases per day" })).toBeVisible();
  });

  await test.step("everybody can read it: axe, both schemes, a narrow screen, and a table beside the chart", async () => {
    await page.goto("/insights");
    const perDay = page.getByRole("region", { name: "Releases per day" });
    await expect(perDay).toBeVisible({ timeout: 60_000 });
    await perDay.getByText("Show as table").click();
    await expect(perDay.getByRole("table")).toBeVisible();
    await expect(page.getByRole("table", { name: "Rollouts" })).toBeVisible();
    await showIn(page, "light");
    await expectNoFindings(page, "insights");
    await showIn(page, "dark");
    await expectReadableColours(page, "insights in dark");
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoFindings(page, "insights, narrow");
    const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(isTooWide).toBe(false);
  });
});
