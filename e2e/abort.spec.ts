import { expect } from "@playwright/test";
import { inboxRow, ownPath, signIn, test } from "./pages.ts";
import { createPausedRollout } from "./sandbox.ts";

test("a paused release is aborted with two clicks, and the audit log has it", async ({ page }) => {
  await createPausedRollout("abort-me");
  await signIn(page, "operator");
  const row = inboxRow(page, "e2e/abort-me");
  await row.getByRole("button", { name: "Abort e2e/abort-me", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Optional.");
  await dialog.getByRole("button", { name: "Abort abort-me" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("In effect")).toBeVisible({ timeout: 30_000 });

  await page.goto(ownPath("abort-me"));
  await expect(page.getByText("Aborted", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Retry" })).toBeEnabled();
  const abort = page.getByRole("button", { name: "Abort", exact: true });
  await expect(abort).toHaveAttribute("aria-disabled", "true");
  await abort.focus();
  await expect(page.getByRole("tooltip")).not.toBeEmpty();

  await page.getByRole("tab", { name: "Audit" }).click();
  await expect(
    page
      .getByRole("listitem")
      .filter({ hasText: /operator.*abort/i })
      .first(),
  ).toContainText("e2e/abort-me");
});
