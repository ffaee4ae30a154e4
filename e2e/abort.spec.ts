import { expect } from "@playwright/test";
import { inboxRow, ownPath, scenarioName, signIn, test } from "./pages.ts";
import { createPausedRollout } from "./sandbox.ts";

test("a paused release is aborted with a reason, and every page says who did it", async ({ page }) => {
  const reason = "Errors above budget.";
  await createPausedRollout("abort-me");
  await signIn(page, "operator");

  await test.step("in the inbox, with two clicks and a reason", async () => {
    const row = inboxRow(page, "e2e/abort-me");
    await row.getByRole("button", { name: "Abort e2e/abort-me", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("Optional.");
    await dialog.getByRole("textbox", { name: "Reason" }).fill(reason);
    await dialog.getByRole("button", { name: "Abort abort-me" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText("In effect")).toBeVisible();
  });

  await test.step("the rollout is aborted, and names the person", async () => {
    await page.goto(ownPath("abort-me"));
    await expect(page.getByText("Aborted", { exact: true }).first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Retry" })).toBeEnabled();
    const abort = page.getByRole("button", { name: "Abort", exact: true });
    await expect(abort).toHaveAttribute("aria-disabled", "true");
    await abort.focus();
    await expect(page.getByRole("tooltip")).not.toBeEmpty();

    await page.getByRole("tab", { name: "Audit" }).click();
    const aborts = page.getByRole("region", { name: "Who aborted it" });
    await expect(aborts).toContainText("operator aborted e2e/abort-me");
    await expect(aborts).toContainText(reason);
    await expect(
      page
        .getByRole("listitem")
        .filter({ hasText: /operator.*abort/i })
        .first(),
    ).toContainText("e2e/abort-me");
  });

  await test.step("the audit log finds it by filters that live in the URL", async () => {
    await page.goto("/audit?name=abort-me&outcome=applied");
    const entries = page.getByRole("list", { name: "Audit entries, newest first" }).getByRole("listitem");
    await expect(entries).toHaveCount(1);
    await page.getByRole("combobox", { name: "Source" }).selectOption("system");
    await expect(page).toHaveURL(/source=system/);
    await expect(page.getByText("No entry matches")).toBeVisible();
    await page.getByRole("combobox", { name: "Source" }).selectOption("gatehouse");
    await expect(entries).toHaveCount(1);
    await page.getByRole("combobox", { name: "Time" }).selectOption("own");
    await page.getByLabel(/^To, in the time zone/).fill("2001-01-01T00:00");
    await expect(page).toHaveURL(/to=/);
    await expect(page.getByText("No entry matches")).toBeVisible();
    await page.reload();
    await expect(page.getByLabel(/^To, in the time zone/)).toHaveValue("2001-01-01T00:00");
  });

  await test.step("who aborted what lists it beside the controllers' aborts, with the cause or the reason", async () => {
    const { namespace, name } = scenarioName("failed");
    await page.goto("/audit");
    await page
      .getByRole("navigation", { name: "Common views" })
      .getByRole("link", { name: "Who aborted what" })
      .click();
    await expect(page).toHaveURL(/report=aborts/);
    const table = page.getByRole("table", { name: /^Aborted releases/ });
    const mine = table.getByRole("row").filter({ hasText: "e2e/abort-me" });
    await expect(mine).toContainText("operator");
    await expect(mine).toContainText(reason);
    await expect(mine.getByRole("link", { name: /^entry \d+$/ })).toBeVisible();
    const theirs = table
      .getByRole("row")
      .filter({ hasText: `${namespace}/${name}` })
      .first();
    await expect(theirs).toContainText("Argo Rollouts controller");
    await expect(theirs).toContainText(/error-rate failed \d+ times \(limit \d+\)/);

    await page.getByLabel("Rollout").fill("abort-me");
    await expect(table.getByRole("row")).toHaveCount(2);
    await theirs.waitFor({ state: "detached" });
  });

  await test.step("its release says so at one glance, and leads to the audit entry", async () => {
    await page.goto("/releases?name=abort-me");
    const row = page.getByRole("table", { name: "Releases" }).getByRole("row").filter({ hasText: "Aborted" });
    const acts = row.getByRole("list", { name: "Who did what" });
    await expect(acts).toContainText("operator aborted it at 50 %");
    await expect(acts).toContainText(reason);
    await expect(acts).toContainText("took effect");
    await acts.getByRole("link", { name: /^entry \d+$/ }).click();
    await expect(page).toHaveURL(/\/audit\/\d+$/);
    await expect(page.getByRole("main")).toContainText("e2e/abort-me");

    await page.goto(`${ownPath("abort-me")}?tab=releases`);
    await expect(page.getByRole("list", { name: "Who did what" })).toContainText("operator aborted it at 50 %");
  });
});
