import { expect } from "@playwright/test";
import { inboxRow, ownPath, scenarioName, scenarioPath, signIn, test } from "./pages.ts";
import { createInconclusiveRollout } from "./sandbox.ts";

test("a viewer sees everything and has no button that acts", async ({ page }) => {
  const { namespace, name } = scenarioName("failed");
  await signIn(page, "viewer");
  const row = inboxRow(page, `${namespace}/${name}`);
  await expect(row).toBeVisible({ timeout: 60_000 });
  await expect(row.getByRole("button", { name: /^(?!Details of )/ })).toHaveCount(0);

  await page.goto(scenarioPath("failed"));
  await expect(page.getByText("You are signed in as a viewer")).toBeVisible();
  await expect(page.getByRole("group", { name: /^Actions on/ })).toHaveCount(0);

  // It waits for somebody who may act, and says so.
  await createInconclusiveRollout("viewed");
  await page.goto(ownPath("viewed"));
  const currentStep = page.getByRole("listitem").filter({ hasText: "waiting for a person" });
  await expect(currentStep).toContainText("analysis");
  await expect(page.getByText("waiting for you")).toHaveCount(0);

  await page.goto("/audit");
  await expect(page.getByRole("heading", { name: "Audit", level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "Verify the chain" }).click();
  await expect(page.getByRole("status").filter({ hasText: /Hash chain intact: \d+ entries\./ })).toBeVisible();
});
