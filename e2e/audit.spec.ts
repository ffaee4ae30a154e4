import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { ownPath, signIn, test } from "./pages.ts";
import { createPausedRollout } from "./sandbox.ts";

async function abort(page: Page, name: string, reason: string): Promise<void> {
  await page.goto(ownPath(name));
  await page.getByRole("button", { name: "Abort", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Reason" }).fill(reason);
  await dialog.getByRole("button", { name: `Abort ${name}` }).click();
  await expect(dialog).toBeHidden();
}

test("who aborted what is answered on the rollout, and found by filters that live in the URL", async ({ page }) => {
  await createPausedRollout("who-aborted");
  await signIn(page, "operator");
  await abort(page, "who-aborted", "Errors above budget.");
  await page.getByRole("tab", { name: "Audit" }).click();
  const aborts = page.getByRole("region", { name: "Who aborted it" });
  await expect(aborts).toContainText("operator aborted e2e/who-aborted", { timeout: 30_000 });
  await expect(aborts).toContainText("Errors above budget.");

  await page.goto("/audit?name=who-aborted&outcome=applied");
  const entries = page.getByRole("list", { name: "Audit entries, newest first" }).getByRole("listitem");
  await expect(entries).toHaveCount(1);
  await page.getByRole("combobox", { name: "Source" }).selectOption("system");
  await expect(page).toHaveURL(/source=system/);
  await expect(page.getByText("No entry matches")).toBeVisible();
  await page.getByRole("combobox", { name: "Source" }).selectOption("gatehouse");
  await expect(entries).toHaveCount(1);
  await page.getByRole("combobox", { name: "Time" }).selectOption("own");
  await page.getByLabel(/^To, in the time zone/).fill("2001-01-01T00:00");
  await expect(page).toHaveURL(/to=/);
  await expect(page.getByText("No entry matches")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel(/^To, in the time zone/)).toHaveValue("2001-01-01T00:00");
});

test("every reader exports the log, as a chain and as a table", async ({ page }) => {
  await signIn(page, "viewer", "/audit");
  for (const { item, first } of [
    { item: /^JSON lines/, first: /^\{"seq":1,"previousHash":/ },
    { item: /^CSV/, first: /^seq,time,source,/ },
  ]) {
    await page.getByRole("button", { name: "Export" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: item }).click(),
    ]);
    expect(await readFile(await download.path(), "utf8")).toMatch(first);
  }
});
