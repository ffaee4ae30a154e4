import { expect } from "@playwright/test";
import { scenarioPath, signIn, test } from "./pages.ts";

test("pages are reached with two keys, rows with j and k", async ({ page }) => {
  await signIn(page, "operator");
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

test("arrow keys move between rows of the inbox from a row, and scroll the page from anywhere else", async ({
  page,
}) => {
  await signIn(page, "viewer");
  const links = page.getByRole("region", { name: "Waiting" }).locator("[data-row-link]");
  await expect(links.nth(2)).toBeVisible({ timeout: 60_000 });
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

test("no time is a tab stop; a key and the person's menu show times by the clock", async ({ page }) => {
  await signIn(page, "viewer", "/analysis-runs");
  const times = page.getByRole("main").locator("time");
  await expect(times.first()).toHaveText(/ago$|just now/, { timeout: 60_000 });
  await expect(page.locator("time[tabindex]")).toHaveCount(0);
  await page.keyboard.press("t");
  const byClock = /\d\d:\d\d/;
  await expect(times.first()).toHaveText(byClock);
  await page.reload();
  await expect(times.first(), "the browser remembers it").toHaveText(byClock);
  await page.getByRole("button", { name: /viewer$/ }).click();
  await page.getByRole("radiogroup", { name: "Form of times" }).getByText("14 min ago").click();
  await page.keyboard.press("Escape");
  await expect(times.first()).toHaveText(/ago$|just now/);
});

for (const { letter, title } of [
  { letter: "t", title: "Templates" },
  { letter: "x", title: "Experiments" },
  { letter: "m", title: "Settings" },
])
  test(`g ${letter} goes to ${title}, as the help says`, async ({ page }) => {
    await signIn(page, "viewer");
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keys" });
    await expect(help.getByRole("row").filter({ hasText: `g then ${letter}` })).toContainText(title.toLowerCase());
    await expect(help).not.toContainText("faults");
    await page.keyboard.press("Escape");
    await expect(help).toBeHidden();
    await page.keyboard.press("g");
    await page.keyboard.press(letter);
    await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  });

test("typing keeps its keys", async ({ page }) => {
  await signIn(page, "viewer", "/rollouts");
  await page.keyboard.press("/");
  const search = page.getByRole("searchbox", { name: "Search" });
  await expect(search).toBeFocused();
  await page.keyboard.type("gi?");
  await expect(search).toHaveValue("gi?");
  await expect(page).toHaveURL(/q=gi/);
  await expect(page.getByText("No rollouts match")).toBeVisible();
});

test("a chart is read with arrow keys", async ({ page }) => {
  await signIn(page, "viewer", `${scenarioPath("failed")}?tab=analysis`);
  await page.getByRole("table", { name: "Analysis runs" }).getByRole("link").first().click();
  // The rollout's page has a chart of that metric too.
  await page.waitForURL(/\/analysis-runs\//);
  const chart = page.getByRole("slider", { name: /Chart of error-rate/ });
  await chart.focus();
  await page.keyboard.press("Home");
  await expect(chart).toHaveAttribute("aria-valuetext", /^No\. 1: \[/);
  await page.keyboard.press("ArrowRight");
  await expect(chart).toHaveAttribute("aria-valuetext", /^No\. 2: \[/);
  await page.keyboard.press("End");
  await expect(chart).toHaveAttribute("aria-valuetext", /Failed/);
});
