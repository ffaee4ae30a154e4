import { expect } from "@playwright/test";
import { ownPath, signIn, test } from "./pages.ts";
import { clearPause, createPausedRollout } from "./sandbox.ts";

test("a release says at one glance who aborted it, and leads to the audit entry", async ({ page }) => {
  test.setTimeout(300_000);
  await createPausedRollout("who-ended");
  await signIn(page, "operator", ownPath("who-ended"));
  await page.getByRole("button", { name: "Abort", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: /Reason/ }).fill("errors rise");
  await dialog.getByRole("button", { name: "Abort who-ended" }).click();
  await expect(dialog).toBeHidden();

  await page.goto("/releases?name=who-ended");
  const row = page.getByRole("table", { name: "Releases" }).getByRole("row").filter({ hasText: "Aborted" });
  const acts = row.getByRole("list", { name: "Who did what" });
  await expect(acts).toContainText("operator aborted it at 50 %");
  await expect(acts).toContainText("errors rise");
  await expect(acts).toContainText("took effect");
  await acts.getByRole("link", { name: /^entry \d+$/ }).click();
  await expect(page).toHaveURL(/\/audit\/\d+$/);
  await expect(page.getByRole("main")).toContainText("e2e/who-ended");

  await page.goto(`${ownPath("who-ended")}?tab=releases`);
  await expect(page.getByRole("list", { name: "Who did what" })).toContainText("operator aborted it at 50 %");
});

test("what was done without Gatehouse names the person whom the API server names, even if no trace was left", async ({
  page,
}) => {
  await createPausedRollout("who-continued");
  await clearPause("who-continued");
  await signIn(page, "viewer", "/releases?name=who-continued");
  const acts = page.getByRole("list", { name: "Who did what" });
  await expect(acts).toContainText(/kubernetes-admin, with \S+ continued it/, { timeout: 30_000 });
});

test("the settings say what one may do, and where", async ({ page }) => {
  await signIn(page, "operator", "/settings");
  await expect(page.getByRole("region", { name: "What I may do" })).toContainText("Operator everywhere");
});
