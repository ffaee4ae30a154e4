import { expect } from "@playwright/test";
import { signIn, test } from "./pages.ts";

test("the shell stands around every page, with its fonts and a person's time zone", async ({ page }) => {
  await test.step("the fonts come from Gatehouse, and nothing moves when they arrive", async () => {
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
      }).observe({ type: "layout-shift", buffered: true });
    });
    await signIn(page, "viewer", "/rollouts");
    await expect(page.getByRole("row").nth(1)).toBeVisible();
    const loaded = await page.evaluate(async () => {
      await document.fonts.ready;
      return [...document.fonts].filter(({ status }) => status === "loaded").map(({ family }) => family);
    });
    expect(loaded).toContain("Inter Variable");
    expect(loaded).toContain("JetBrains Mono Variable");
    const moved = await page.evaluate(() =>
      (window as unknown as { shifts: number[] }).shifts.reduce((a, b) => a + b, 0),
    );
    expect(moved).toBeLessThan(0.1);
  });

  await test.step("an address without a page keeps the shell, and says so to machines too", async () => {
    for (const path of ["/nowhere", "/rollouts/nowhere", "/audit/first"]) {
      const answer = await page.goto(path);
      expect(answer?.status(), path).toBe(404);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
      await expect(page.getByRole("main").getByRole("link", { name: "Go to inbox" })).toBeVisible();
      await expect(
        page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Releases" }),
      ).toBeVisible();
    }
    await page.goto("/releases/00000000-0000-4000-8000-000000000000");
    await expect(page.getByRole("main")).toContainText("Release not found");
  });

  await test.step("times are shown in the zone that a person chooses, until another is chosen", async () => {
    await page.goto("/settings");
    const zone = page.getByRole("combobox", { name: "Time zone" });
    await zone.fill("Tokyo");
    await page.getByRole("option", { name: "Asia/Tokyo" }).click();
    await page.goto("/analysis-runs");
    await page.getByRole("row").nth(1).getByRole("link").first().click();
    await page.waitForURL(/\/analysis-runs\/.+/);
    await expect(
      page
        .getByRole("main")
        .getByText(/GMT\+9/)
        .first(),
    ).toBeVisible();
    await page.getByRole("button", { name: /viewer$/ }).click();
    await page.getByRole("radiogroup", { name: "Time zone" }).getByText("UTC").click();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("main").getByText(/GMT\+9/)).toHaveCount(0);
    await expect(
      page
        .getByRole("main")
        .getByText(/\d\d:\d\d:\d\d(\.\d+)? UTC/)
        .first(),
    ).toBeVisible();
  });
});
