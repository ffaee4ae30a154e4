import { expect } from "@playwright/test";
import { scenarioPath, signIn, test } from "./pages.ts";

test("pages, rows, charts and the form of times are reached by keys alone", async ({ page }) => {
  await test.step("arrow keys move between rows of the inbox from a row, and scroll the page from anywhere else", async () => {
    await signIn(page, "viewer");
    const links = page.getByRole("region", { name: "Waiting" }).locator("[data-row-link]");
    await expect(links.nth(2)).toBeVisible();
    const focused = () => links.evaluateAll((all) => all.indexOf(document.activeElement as HTMLElement));
    await page.keyboard.press("ArrowDown");
    expect(await focused(), "no row has the focus yet").toBe(-1);
    await page.keyboard.press("j");
    expect(await focused()).toBe(0);
    for (const { key, row } of [
      { key: "ArrowDown", row: 1 },
      { key: "j", row: 2 },
      { key: "ArrowUp", row: 1 },
      { key: "k", row: 0 },
      { key: "ArrowUp", row: 0 },
    ]) {
      await page.keyboard.press(key);
      expect(await focused(), key).toBe(row);
    }
    // From a link within the row, too: the next row is below it.
    await page.keyboard.press("Tab");
    expect(await focused()).toBe(-1);
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toBe(1);
  });

  await test.step("pages are reached with two keys, rows with j and k", async () => {
    await page.goto("/inbox");
    await page.keyboard.press("g");
    await page.keyboard.press("r");
    await expect(page.getByRole("heading", { name: "Rollouts", level: 1 })).toBeVisible();
    await expect(page.getByRole("table", { name: "Rollouts" }).getByRole("link").first()).toBeVisible();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    const first = page.getByRole("table", { name: "Rollouts" }).getByRole("link").first();
    await expect(first).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/rollouts\/demo\//);
  });

  await test.step("g t goes to Templates, as the help says", async () => {
    await page.goto("/inbox");
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    for (const [letter, title] of [
      ["t", "templates"],
      ["x", "experiments"],
      ["m", "settings"],
    ])
      await expect(help.getByRole("row").filter({ hasText: `g then ${letter}` })).toContainText(title ?? "");
    await expect(help).not.toContainText("faults");
    await page.keyboard.press("Escape");
    await expect(help).toBeHidden();
    for (const [letter, title] of [
      ["t", "Templates"],
      ["x", "Experiments"],
      ["m", "Settings"],
    ]) {
      await page.keyboard.press("g");
      await page.keyboard.press(letter ?? "");
      await expect(page.getByRole("heading", { name: title ?? "", level: 1 })).toBeVisible();
    }
  });

  await test.step("typing keeps its keys", async () => {
    await page.goto("/rollouts");
    await page.keyboard.press("/");
    const search = page.getByRole("searchbox", { name: "Search" });
    await expect(search).toBeFocused();
    await page.keyboard.type("gi?");
    await expect(search).toHaveValue("gi?");
    await expect(page).toHaveURL(/q=gi/);
    await expect(page.getByText("No rollouts match")).toBeVisible();
  });

  await test.step("no time is a tab stop; a key and the person's menu show times by the clock", async () => {
    await page.goto("/analysis-runs");
    const times = page.getByRole("main").locator("time");
    await expect(times.first()).toHaveText(/ago$|just now/);
    await expect(page.locator("time[tabindex]")).toHaveCount(0);
    await page.keyboard.press("t");
    const byClock = /\d\d:\d\d/;
    await expect(times.first()).toHaveText(byClock);
    await page.reload();
    await expect(times.first(), "the browser remembers it").toHaveText(byClock);
    await page.getByRole("button", { name: /viewer$/ }).click();
    await page.getByRole("radiogroup", { name: "Times" }).getByText("14 min ago").click();
    await page.keyboard.press("Escape");
    await expect(times.first()).toHaveText(/ago$|just now/);
  });

  await test.step("a chart is read with arrow keys", async () => {
    await page.goto(`${scenarioPath("failed")}?tab=analysis`);
    await page.getByRole("table", { name: "Analysis runs" }).getByRole("link").first().click();
    // The rollout's page has a chart of that metric too.
    await page.waitForURL(/\/analysis-runs\//);
    const chart = page.getByRole("slider", { name: /Chart of dependency-errors/ });
    await chart.focus();
    await page.keyboard.press("Home");
    await expect(chart).toHaveAttribute("aria-valuetext", /^No\. 1: [\d.]+ %, /);
    await page.keyboard.press("ArrowRight");
    await expect(chart).toHaveAttribute("aria-valuetext", /^No\. 2: [\d.]+ %, /);
    await page.keyboard.press("End");
    await expect(chart).toHaveAttribute("aria-valuetext", /Failed/);
  });
});
