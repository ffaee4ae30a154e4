import { expect } from "@playwright/test";
import { expectNoFindings, inboxRow, ownPath, scenarioName, signIn, test } from "./pages.ts";
import { createInconclusiveRollout, createPausedRollout } from "./sandbox.ts";

test("who aborted what lists the controllers' aborts beside those of people, with the cause or the reason", async ({
  page,
}) => {
  const { namespace, name } = scenarioName("failed");
  await createPausedRollout("aborted-by-me");
  await signIn(page, "operator", ownPath("aborted-by-me"));
  await page.getByRole("button", { name: "Abort", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Reason" }).fill("Errors above budget.");
  await dialog.getByRole("button", { name: "Abort aborted-by-me" }).click();
  await expect(page.getByText("In effect")).toBeVisible({ timeout: 30_000 });

  await page.goto("/audit");
  await page.getByRole("navigation", { name: "Common views" }).getByRole("link", { name: "Who aborted what" }).click();
  await expect(page).toHaveURL(/report=aborts/);
  const table = page.getByRole("table", { name: /^Aborted releases/ });
  const mine = table.getByRole("row").filter({ hasText: "e2e/aborted-by-me" });
  await expect(mine).toContainText("operator", { timeout: 30_000 });
  await expect(mine).toContainText("Errors above budget.");
  await expect(mine.getByRole("link", { name: /^entry \d+$/ })).toBeVisible();
  const theirs = table
    .getByRole("row")
    .filter({ hasText: `${namespace}/${name}` })
    .first();
  await expect(theirs).toContainText("Argo Rollouts controller");
  await expect(theirs).toContainText(/error-rate failed \d+ times \(limit \d+\)/);
  await expectNoFindings(page, "who aborted what");

  await page.getByLabel("Rollout").fill("aborted-by-me");
  await expect(table.getByRole("row")).toHaveCount(2);
  await theirs.waitFor({ state: "detached" });
});

test("an outcome shows the evidence with its conditions, and the patch as it was sent", async ({ page }) => {
  await createInconclusiveRollout("audited-patch");
  await signIn(page, "operator");
  const row = inboxRow(page, "e2e/audited-patch");
  await row.getByRole("button", { name: "Accept and continue" }).click({ timeout: 60_000 });
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Reason" }).fill("Known.");
  await dialog.getByRole("button", { name: "Accept and continue audited-patch" }).click();
  await expect(page.getByText("In effect")).toBeVisible({ timeout: 30_000 });

  await page.goto("/audit?name=audited-patch&outcome=applied");
  await page
    .getByRole("list", { name: /^Audit entries/ })
    .getByRole("link")
    .first()
    .click();
  const run = page.getByRole("region", { name: /^Analysis run audited-patch-/ });
  await expect(run).toContainText("pass ≥ 1.5");
  await expect(run).toContainText("fail < 0.5");
  await expect(run).toContainText("3 of 3 measurements were inconclusive (limit 2)");
  const sent = page.getByRole("region", { name: "Patch sent to the cluster" });
  await expect(sent).toContainText("Rollout/audited-patch, subresource status, required version");
  await expect(sent).toContainText("accepted by the cluster");
  await expect(sent).toContainText('"currentStepIndex": 2');
  await expectNoFindings(page, "an outcome in the audit log");

  await page.emulateMedia({ media: "print" });
  await expect(page.getByText(/times in \S+$/)).toBeVisible();
  await expect(page.getByText("The hashes match the text below and the previous entry.")).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeHidden();
  await expect(sent).toBeVisible();
});

test("paper of a filtered list states filters, rows, time zone and the chain", async ({ page }) => {
  await signIn(page, "viewer", "/audit?source=cluster");
  const list = page.getByRole("list", { name: /^Audit entries/ });
  await expect(list.getByRole("listitem").first()).toBeVisible({ timeout: 60_000 });
  const head = page.locator("dl").filter({ hasText: "Filters" });
  await expect(head).toBeHidden();
  await page.emulateMedia({ media: "print" });
  await expect(head).toContainText("source cluster");
  await expect(head).toContainText(/all of them|there are more/);
  await expect(head).toContainText(/by viewer, times in /);
  const time = list.locator("time").first();
  const printed = await time.evaluate((element) => getComputedStyle(element, "::after").content);
  expect(printed).toMatch(/\d{4}, \d\d:\d\d:\d\d/);
  await expect(list.getByText(/ ago/).first()).toBeHidden();
  await expect(page.getByRole("search")).toBeHidden();
});
