import { expect, type Page } from "@playwright/test";
import { expectNoFindings, inboxRow, signIn, test } from "./pages.ts";
import { createInconclusiveRollout } from "./sandbox.ts";

const rollout = "e2e/by-keys";

/** Presses `j` until the row of the rollout has the focus. */
async function reachRow(page: Page): Promise<void> {
  await page.keyboard.press("g");
  await page.keyboard.press("i");
  const link = inboxRow(page, rollout).getByRole("link", { name: rollout, exact: true });
  await expect(link).toBeVisible();
  for (let presses = 0; presses < 60; presses += 1) {
    if (await link.evaluate((own) => own === document.activeElement)) return;
    await page.keyboard.press("j");
  }
  await expect(link).toBeFocused();
}

/** Presses Tab until an element with this name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    const focused = await page.evaluate(() => {
      const { activeElement: own } = document;
      return own?.getAttribute("aria-label") ?? own?.textContent ?? "";
    });
    if (typeof name === "string" ? focused === name : name.test(focused)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never reached ${name}`);
}

test("an Inconclusive analysis is found, read, accepted with a reason and followed, by keyboard alone", async ({
  page,
}) => {
  await createInconclusiveRollout("by-keys");
  await signIn(page, "operator", "/rollouts");
  await reachRow(page);
  await expect(inboxRow(page, rollout)).toContainText(/pass ≥ 1\.5.*fail < 0\.5/);

  // The evidence, and back.
  await tabTo(page, "Analysis run of by-keys");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/analysis-runs\//);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Inconclusive");
  await reachRow(page);

  // The key opens the dialog, and does nothing by itself.
  await page.keyboard.press("d");
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Accept and continue");
  const reason = dialog.getByRole("textbox", { name: "Reason" });
  await expect(reason).toBeFocused();
  await page.keyboard.type("A known load test.");
  await tabTo(page, "Accept and continue by-keys");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  const reported = page.locator('[role="status"], [role="alert"], [aria-live="polite"]').filter({ hasText: "by-keys" });
  await expect(reported.filter({ hasText: "In effect" })).toBeVisible();

  await test.step("the outcome shows the evidence with its conditions, and the patch as it was sent", async () => {
    await page.goto("/audit?name=by-keys&outcome=applied");
    await page
      .getByRole("list", { name: /^Audit entries/ })
      .getByRole("link")
      .first()
      .click();
    const run = page.getByRole("region", { name: /^Analysis run by-keys-/ });
    await expect(run).toContainText("pass ≥ 1.5");
    await expect(run).toContainText("fail < 0.5");
    await expect(run).toContainText("3 of 3 measurements were inconclusive (2 allowed)");
    const sent = page.getByRole("region", { name: "Patch sent to the cluster" });
    await expect(sent).toContainText("Rollout/by-keys, subresource status, required version");
    await expect(sent).toContainText("accepted by the cluster");
    await expect(sent).toContainText('"currentStepIndex": 2');
    await expectNoFindings(page, "an outcome in the audit log");

    await page.emulateMedia({ media: "print" });
    await expect(page.getByText(/times in \S+$/)).toBeVisible();
    await expect(page.getByText("The hashes match the text below and the previous entry.")).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Main" })).toBeHidden();
    await expect(sent).toBeVisible();
  });
});
