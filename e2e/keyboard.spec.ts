import { expect, test } from "@playwright/test";
import { scenarioPath, signIn } from "./pages.ts";

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
  const chart = page.getByRole("slider", { name: /Chart of error-rate/ });
  await chart.focus();
  await page.keyboard.press("Home");
  await expect(chart).toHaveAttribute("aria-valuetext", /^No\. 1: \[/);
  await page.keyboard.press("ArrowRight");
  await expect(chart).toHaveAttribute("aria-valuetext", /^No\. 2: \[/);
  await page.keyboard.press("End");
  await expect(chart).toHaveAttribute("aria-valuetext", /Failed/);
});
