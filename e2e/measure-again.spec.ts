import { expect } from "@playwright/test";
import { openOldestRun, ownPath, signIn, test } from "./pages.ts";
import { createInconclusiveRollout } from "./sandbox.ts";

test("a run is decided on from its own page too; measuring again starts a new run, and both are kept", async ({
  page,
}) => {
  await createInconclusiveRollout("measure");
  await signIn(page, "operator", ownPath("measure"));
  await expect(page.getByRole("heading", { name: "measure", level: 1 })).toBeVisible();
  await expect(page.getByText(/^success-rate is Inconclusive .*: 3 of \d+ measurements .*2 allowed/)).toBeVisible();

  const dialog = page.getByRole("dialog");
  await test.step("the page of the run has the dialog of the rollout's page", async () => {
    await openOldestRun(page);
    const decision = page.getByRole("region", { name: /^Decision on/ });
    await decision.getByRole("button", { name: /Accept and continue/ }).click();
    await expect(dialog).toContainText("Inconclusive");
    await expect(dialog.getByRole("textbox", { name: "Reason" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  });

  await page.goto(ownPath("measure"));
  await page.getByRole("button", { name: "Measure again" }).click();
  await dialog.getByRole("textbox", { name: "Reason" }).fill("Once more, after the deploy of the proxy.");
  await dialog.getByRole("button", { name: "Measure again measure" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("In effect")).toBeVisible();

  await page.getByRole("tab", { name: "Analysis" }).click();
  await expect(page).toHaveURL(/tab=analysis/);
  const rows = page.getByRole("table", { name: "Analysis runs" }).getByRole("rowheader");
  await expect(rows).toHaveCount(2);
});
