import { expect } from "@playwright/test";
import { ownPath, signIn, test } from "./pages.ts";
import { createInconclusiveRollout } from "./sandbox.ts";

test("measuring again starts a new run, and both are kept", async ({ page }) => {
  await createInconclusiveRollout("measure");
  await signIn(page, "operator", ownPath("measure"));
  await expect(page.getByRole("heading", { name: "measure", level: 1 })).toBeVisible();
  await expect(page.getByText(/^success-rate is Inconclusive .*: 3 of \d+ measurements .*limit 2/)).toBeVisible();

  await page.getByRole("button", { name: "Measure again" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Reason" }).fill("Once more, after the deploy of the proxy.");
  await dialog.getByRole("button", { name: "Measure again measure" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("In effect")).toBeVisible();

  await page.getByRole("tab", { name: "Analysis" }).click();
  await expect(page).toHaveURL(/tab=analysis/);
  const rows = page.getByRole("table", { name: "Analysis runs" }).getByRole("rowheader");
  await expect(rows).toHaveCount(2);
});
