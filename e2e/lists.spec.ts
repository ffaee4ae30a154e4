import { expect, type Locator, type Page } from "@playwright/test";
import { expectNoFindings, signIn, test } from "./pages.ts";
import { createPausedRollout } from "./sandbox.ts";

function table(page: Page, name: string): Locator {
  return page.getByRole("table", { name });
}

async function namesIn(page: Page, name: string): Promise<string[]> {
  return table(page, name).getByRole("rowheader").allInnerTexts();
}

test("a list is sorted, filtered and shaped, and its address is the truth", async ({ page }) => {
  await test.step("a list is sorted with the keyboard, keeps the focus, and its address is the truth", async () => {
    await createPausedRollout("sorted-waiting");
    await signIn(page, "viewer", "/rollouts");
    const header = table(page, "Rollouts").getByRole("columnheader", { name: "Rollout" });
    const state = table(page, "Rollouts").getByRole("columnheader", { name: "State, by urgency" });
    await expect(state).toHaveAttribute("aria-sort", "ascending");
    const button = header.getByRole("button");
    await button.focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/sort=name/);
    await expect(header).toHaveAttribute("aria-sort", "ascending");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/sort=-name/);
    await expect(header).toHaveAttribute("aria-sort", "descending");
    await expect(button).toBeFocused();
    await expect(async () => {
      const names = await namesIn(page, "Rollouts");
      expect(names.length).toBeGreaterThan(5);
      expect(names.map((name) => name.split("/")[0])).toEqual(
        names.map((name) => name.split("/")[0] ?? "").toSorted((one, other) => other.localeCompare(one)),
      );
    }).toPass();
    // On a busy machine, the router may write the former address once more before it catches up.
    await expect(page).toHaveURL(/sort=-name/);
    await page.reload();
    await expect(header).toHaveAttribute("aria-sort", "descending");

    await state.getByRole("button").click();
    await expect(page).not.toHaveURL(/sort=/);
    await expect(state).toHaveAttribute("aria-sort", "ascending");
  });

  await test.step("rollouts are chosen by what they need, and counted under the other filters", async () => {
    const namespace = "payments";
    await page.goto("/rollouts");
    await expect(table(page, "Rollouts")).toBeVisible();
    const needs = page.getByRole("group", { name: "Need" });
    const decide = needs.getByRole("button", { name: /^Decide/ });
    await expect(needs.getByRole("button", { name: /^All \d/ })).toHaveAttribute("aria-pressed", "true");
    await decide.click();
    await expect(page).toHaveURL(/need=decide/);
    await expect(async () => {
      const rows = await table(page, "Rollouts").getByRole("rowheader").count();
      expect(await decide.textContent()).toBe(`Decide ${rows}`);
      expect(rows).toBeGreaterThan(3);
    }).toPass();
    const all = (await decide.textContent()) ?? "";
    await page.getByRole("textbox", { name: "Namespace" }).fill(namespace);
    await expect(page).toHaveURL(/namespace=payments/);
    await expect(decide).not.toHaveText(all);
    for (const name of await namesIn(page, "Rollouts")) expect(name).toContain(namespace);
  });

  await test.step("a filter that is not known is named, and can be taken out", async () => {
    await page.goto("/rollouts?phase=Sleepy&namespace=payments");
    const notice = page.getByRole("main").getByRole("alert");
    await expect(notice).toContainText("phase: Sleepy");
    await notice.getByRole("button", { name: "Show the page without it" }).click();
    await expect(table(page, "Rollouts")).toContainText("payments/");
    await expect(page).toHaveURL(/namespace=payments/);
    await expect(page).not.toHaveURL(/phase=/);
  });

  await test.step("columns and row height are chosen, and remembered", async () => {
    await page.goto("/rollouts");
    await page.getByRole("button", { name: "Columns and rows" }).click();
    await page.getByRole("checkbox", { name: "Kind" }).check();
    await page.getByRole("checkbox", { name: "Traffic" }).uncheck();
    await page.getByText("Compact").click();
    await page.keyboard.press("Escape");
    const rollouts = table(page, "Rollouts");
    await expect(rollouts.getByRole("columnheader", { name: "Kind" })).toBeVisible();
    await expect(rollouts.getByRole("columnheader", { name: "Traffic" })).toHaveCount(0);
    await page.reload();
    await expect(rollouts.getByRole("columnheader", { name: "Kind" })).toBeVisible();
    await expect(rollouts).toHaveAttribute("data-density", "compact");
    await page.goto("/templates");
    await expect(table(page, "Templates")).toHaveAttribute("data-density", "compact");
  });

  await test.step("a row is a link as a whole", async () => {
    await page.goto("/rollouts");
    const row = table(page, "Rollouts").getByRole("row").nth(1);
    const href = await row.getByRole("link").first().getAttribute("href");
    const box = await row.getByRole("cell").last().boundingBox();
    if (box === null) throw new Error("the row has no last cell");
    const opened = page.context().waitForEvent("page");
    await page.mouse.click(box.x + 5, box.y + box.height / 2, { button: "middle" });
    const other = await opened;
    await other.waitForURL((url) => url.pathname === href);
    await page.mouse.click(box.x + 5, box.y + box.height / 2);
    await page.waitForURL((url) => url.pathname === href);
  });

  await test.step("the CSV has the filters and the order of the list", async () => {
    await page.goto("/analysis-runs?phase=Successful&sort=name");
    await expect(table(page, "Analysis runs").getByRole("row").nth(1)).toContainText("Successful");
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "CSV" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe("gatehouse-analysis-runs.csv");
    const asked = Object.fromEntries(new URL(file.url()).searchParams);
    expect(asked).toEqual({ phase: "Successful", sort: "name" });
  });
});

test("a view is saved, opened again, shared, and shows a viewer what they may see", async ({ page, browser }) => {
  const name = `healthy ${Date.now()}`;
  await signIn(page, "operator", "/rollouts");
  // Before the rows are there, the page may not listen yet.
  await expect(table(page, "Rollouts")).toBeVisible();
  await page.getByRole("button", { name: "More filters" }).click();
  await page.getByRole("combobox", { name: "Phase" }).selectOption("Healthy");
  await table(page, "Rollouts").getByRole("button", { name: "Rollout" }).click();
  await expect(page).toHaveURL(/phase=Healthy/);
  await expect(page).toHaveURL(/sort=name/);
  await page.getByRole("button", { name: "Save view" }).click();
  const dialog = page.getByRole("dialog", { name: "Save this view" });
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByRole("button", { name: "Save the view" }).click();
  const views = page.getByRole("navigation", { name: "Views" });
  const tab = views.getByRole("link", { name });
  await expect(tab).toHaveAttribute("aria-current", "page");

  await views.getByRole("link", { name: "All" }).click();
  await expect(page).not.toHaveURL(/phase=/);
  await tab.click();
  await expect(page).toHaveURL(/phase=Healthy/);
  await expect(page.getByRole("combobox", { name: "Phase" })).toHaveValue("Healthy");
  await page.getByRole("combobox", { name: "Phase" }).selectOption("Degraded");
  await expect(tab).toContainText("changed");

  const context = await browser.newContext();
  const reader = await context.newPage();
  await signIn(reader, "viewer", "/rollouts");
  await expect(table(reader, "Rollouts")).toBeVisible();
  await expect(reader.getByRole("link", { name })).toHaveCount(0);

  await page.getByRole("button", { name: `What to do with the view ${name}` }).click();
  await page.getByRole("menuitem", { name: "Share", exact: true }).click();
  await expect(views.getByRole("link", { name: `${name}, shared` })).toBeVisible();

  await reader.reload();
  await reader.getByRole("link", { name: `${name}, shared by` }).click();
  await expect(reader).toHaveURL(/phase=Healthy/);
  await expect(table(reader, "Rollouts").getByRole("row").filter({ hasText: "Healthy" }).first()).toBeVisible();
  await expect(reader.getByRole("button", { name: /^What to do with the view/ })).toHaveCount(0);
  await expectNoFindings(reader, "rollouts with a shared view");
  await context.close();

  await page.getByRole("button", { name: `What to do with the view ${name}` }).click();
  await page.getByRole("menuitem", { name: "Delete for everyone" }).click();
  await expect(page.getByRole("link", { name })).toHaveCount(0);
});
