import { expect } from "@playwright/test";
import { inboxRow, ownPath, scenarioName, scenarioPath, signIn, test } from "./pages.ts";
import { createInconclusiveRollout } from "./sandbox.ts";

test("a viewer sees everything and has no button that acts", async ({ page }) => {
  const { namespace, name } = scenarioName("failed");
  await signIn(page, "viewer");
  const row = inboxRow(page, `${namespace}/${name}`);
  await expect(row).toBeVisible();
  await expect(row.getByRole("button", { name: /^(?!Details of )/ })).toHaveCount(0);

  await page.goto(scenarioPath("failed"));
  await expect(page.getByText("You are signed in as a viewer")).toBeVisible();
  await expect(page.getByRole("group", { name: /^Actions on/ })).toHaveCount(0);
  const runbook = page.getByRole("main").getByRole("link", { name: /^Runbook: .* \(opens in a new tab\)$/ });
  await expect(runbook).toHaveAttribute("href", /^https:\/\/runbooks\.example\.com\/[\w-]+\/[\w-]+$/);

  // It waits for somebody who may act, and says so.
  await createInconclusiveRollout("viewed");
  await page.goto(ownPath("viewed"));
  const currentStep = page.getByRole("listitem").filter({ hasText: "waiting for a person" });
  await expect(currentStep).toContainText("analysis");
  await expect(page.getByText("waiting for you")).toHaveCount(0);

  await page.goto("/audit");
  await expect(page.getByRole("heading", { name: "Audit", level: 1 })).toBeVisible();
  const verified = page.getByRole("status").filter({ hasText: /Chain verified: \d+ entries, / });
  await expect(verified).toBeVisible();
  await page.getByRole("button", { name: "Verify the chain" }).click();
  await expect(verified).toBeVisible();

  await test.step("an empty inbox says what was answered last", async () => {
    await page.goto("/inbox?cluster=nowhere");
    await expect(page.getByText("No rollout matches")).toBeVisible();
    await page.getByRole("button", { name: "Clear filters" }).first().click();
    const waiting = page.getByRole("region", { name: "Waiting" }).locator("[data-row]");
    await expect(waiting.filter({ hasText: "waiting for an operator" }).first()).toBeVisible();
    await page.route("**/api/v1/inbox?*", (route) => route.fulfill({ json: { items: [], nextCursor: null } }));
    await page.reload();
    await expect(page.getByText("Nothing needs a decision")).toBeVisible();
    await expect(page.getByText("Last answer:")).toContainText(/entry \d+/);
    await expect(page).not.toHaveTitle(/^\(/);
    await page.unroute("**/api/v1/inbox?*");
  });

  await test.step("somebody who is no admin is told where to look", async () => {
    await page.goto("/settings/notifications");
    await expect(page.getByText("For admins only")).toBeVisible();
  });

  await test.step("without the right in the cluster, the logs say which one it is", async () => {
    await page.goto(`${scenarioPath("long")}?tab=logs`);
    const log = page.getByRole("region", { name: /^Log of .*, new/ });
    await expect(log.getByRole("alert")).toContainText(/viewer lacks the right to get pods\/log in namespace/);
    await expect(log.getByText("Logs are read with your own rights in the cluster.")).toBeVisible();
  });
});
