import { expect } from "@playwright/test";
import { expectAudited, inboxRow, ownPath, signIn, test } from "./pages.ts";
import { createPausedRollout, ownNamespace } from "./sandbox.ts";

test("an action is scheduled for a time, shown on the rollout and in the inbox, and withdrawn", async ({ page }) => {
  const name = "later";
  await createPausedRollout(name);
  await signIn(page, "operator", ownPath(name));
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Reason" }).fill("In the morning, when people are there.");
  await dialog.getByRole("button", { name: "Schedule…" }).click();
  await dialog.getByRole("button", { name: "Schedule" }).click();
  await expect(dialog).toContainText("Choose a time within the next 7 days.");
  const tomorrow = await page.evaluate(() => {
    const at = new Date(Date.now() + 86_400_000);
    return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  });
  await dialog.getByLabel("Schedule for").fill(tomorrow);
  await dialog.getByRole("button", { name: "Schedule" }).click();
  await expect(dialog).toBeHidden();

  const line = page.getByText(/^Continue at .*\d\d:\d\d by operator\.$/);
  await expect(line).toBeVisible();
  await page.goto("/inbox");
  await expect(inboxRow(page, `${ownNamespace}/${name}`)).toContainText(/Continue at .*\d\d:\d\d by operator\./);
  await page.goto(ownPath(name));
  await page.getByRole("button", { name: /^Withdraw: Continue at / }).click();
  await expect(line).toHaveCount(0);
  await expectAudited(page, /operator withdrew the request to continue e2e\/later at \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
});
