import { expect } from "@playwright/test";
import { expectNoFindings, expectReadableColours, showIn, signIn, test } from "./pages.ts";

test("rollouts and templates lead to their figures, figures to their rows, and everybody can read them", async ({
  page,
}) => {
  await test.step("a figure leads to its rows", async () => {
    await signIn(page, "viewer", "/insights?namespace=payments&rollout=ledger");
    await page
      .getByRole("main")
      .getByRole("link", { name: /^[1-9]\d* aborted releases$/ })
      .first()
      .click();
    await expect(page.getByRole("heading", { level: 1, name: "Releases" })).toBeVisible();
    await expect(page.getByRole("table", { name: "Releases" }).getByRole("row").nth(1)).toContainText("Aborted");
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

  await test.step("the period is in the address, and what is not known is not zero", async () => {
    await page.goto("/insights");
    await expect(page.getByRole("region", { name: "Releases per day" })).toBeVisible();
    // No rollout of the demo names the time of a commit.
    await expect(page.getByRole("main")).toContainText("not measured: no commit time on releases");
    await expect(page.getByRole("main")).toContainText(
      /so there is no comparison with the 30 days before|Earlier releases are unknown/,
    );
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
    await expect(perDay).toBeVisible();
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
