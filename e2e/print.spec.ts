import { expect } from "@playwright/test";
import { scenarioPath, signIn, test } from "./pages.ts";

test.use({ colorScheme: "dark" });

test("paper shows the page without the shell, in light colours, and how a list is sorted", async ({ page }) => {
  await test.step("paper shows the page without the shell and without buttons, in light colours", async () => {
    await signIn(page, "viewer", "/findings");
    const table = page.getByRole("table", { name: "Findings" });
    await expect(table).toBeVisible();
    const scheme = () => page.evaluate(() => document.documentElement.getAttribute("data-mantine-color-scheme"));
    expect(await scheme()).toBe("dark");

    const seen = page.evaluate(
      () =>
        new Promise((resolve) => {
          const read = () => resolve(document.documentElement.getAttribute("data-mantine-color-scheme"));
          window.addEventListener("beforeprint", () => setTimeout(read), { once: true });
        }),
    );
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    expect(await seen).toBe("light");
    await page.emulateMedia({ media: "print" });
    await expect(page.getByRole("heading", { level: 1, name: "Findings" })).toBeVisible();
    await expect(table).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Main" })).toBeHidden();
    await expect(page.getByRole("banner")).toBeHidden();
    await expect(page.getByRole("button").first()).toBeHidden();
    await expect(table.getByRole("columnheader", { name: "Severity" })).toBeVisible();
    await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    expect(await scheme()).toBe("dark");
  });

  await test.step("paper keeps the words of the page, and leaves out its controls and links to other places", async () => {
    await page.emulateMedia({ media: "screen" });
    await page.goto(scenarioPath("flapping"));
    const revision = page.getByRole("button", { name: /^Pods of revision/ }).first();
    await expect(revision).toBeVisible();
    const which = page.getByRole("radiogroup", { name: "Which events" });
    await expect(which).toBeVisible();
    const others = page.getByRole("link", { name: /^Other rollouts of / });
    await expect(others).toBeVisible();
    await page.emulateMedia({ media: "print" });
    await expect(revision).toBeVisible();
    await expect(which).toBeHidden();
    await expect(others).toBeHidden();
  });

  await test.step("paper says by which column a list is sorted", async () => {
    await page.goto("/releases?sort=-duration");
    const table = page.getByRole("table", { name: "Releases" });
    await expect(table).toBeVisible();
    await page.emulateMedia({ media: "print" });
    await expect(table.getByRole("columnheader", { name: "Duration" })).toHaveText(/^Duration ↓/);
    await expect(table.getByRole("columnheader", { name: "Started" })).toHaveText(/^Started(?! [↑↓])/);
  });
});
