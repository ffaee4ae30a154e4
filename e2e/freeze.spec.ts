import { expect, test } from "@playwright/test";
import { inboxRow, signIn } from "./pages.ts";

const path = "/rollouts/demo/storefront/Rollout/recommendations";

test("in a freeze an operator cannot go on, and says why it is off", async ({ page }) => {
  await signIn(page, "operator", path);
  const go = page.getByRole("button", { name: /^Continue · frozen/ });
  await expect(go).toHaveAttribute("aria-disabled", "true", { timeout: 60_000 });
  await go.focus();
  await expect(page.getByRole("tooltip")).toContainText(`Frozen by "season's end" until`);
  await expect(page.getByRole("button", { name: "Abort", exact: true })).not.toHaveAttribute("aria-disabled", "true");
  await page.goto("/inbox");
  const row = inboxRow(page, "storefront/recommendations");
  await expect(row).toContainText(`Frozen by "season's end" until`);
  await expect(row.getByRole("button", { name: "Abort", exact: true })).toBeVisible();
});

test("who has the right breaks the glass with a reason, and the audit log says so", async ({ page }) => {
  const reason = "The season's end is over early.";
  await signIn(page, "admin", path);
  await page.getByRole("button", { name: /^Continue · frozen/ }).click({ timeout: 60_000 });
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(`Frozen by "season's end" until`);
  const confirm = dialog.getByRole("button", { name: "Continue recommendations" });
  await expect(confirm).toBeDisabled();
  await dialog.getByRole("checkbox", { name: "Break the glass" }).check();
  await confirm.click();
  await expect(dialog).toContainText("this action needs a reason");
  await dialog.getByRole("textbox", { name: "Reason" }).fill(reason);
  await confirm.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("In effect")).toBeVisible({ timeout: 60_000 });

  await page.goto("/audit?namespace=storefront&name=recommendations&action=continue&outcome=applied");
  const entry = page.getByRole("list", { name: "Audit entries, newest first" }).getByRole("listitem").first();
  await expect(entry).toContainText("admin continued storefront/recommendations");
  await expect(entry).toContainText(reason);
});
