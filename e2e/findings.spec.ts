import { expect } from "@playwright/test";
import { expectNoFindingsInBoth, inboxRow, openRow, scenarioPath, signIn, test } from "./pages.ts";

const ignored = /^The controller .*promoted revision 2 although the background analysis was Inconclusive$/;

test("an ignored Inconclusive is a critical finding: in the inbox, with its evidence, and acknowledged", async ({
  page,
}) => {
  await signIn(page, "operator", "/findings");
  await test.step("the list shows what is open, and filters by severity", async () => {
    const table = page.getByRole("table", { name: "Findings" });
    await expect(table.getByRole("row", { name: /shopfront\/orders/ })).toContainText("Critical");
    await expect(table).not.toContainText("Closed");
    await page.getByRole("combobox", { name: "Severity" }).selectOption("info");
    await expect(table.getByRole("row", { name: /shopfront\/orders/ })).toBeHidden();
  });

  await page.goto("/inbox");
  const row = inboxRow(page, "platform/scheduler");
  await expect(row).toBeVisible();
  await expect(row).toContainText("although the background analysis was Inconclusive");
  await openRow(row);
  await row.getByRole("link", { name: /^Finding about scheduler/ }).click();

  const title = page.getByRole("heading", { level: 1 });
  await expect(title).toHaveText(/^platform\/scheduler .*: The controller .* background analysis was Inconclusive$/);
  const evidence = page.getByRole("table", { name: "Evidence" });
  await expect(evidence.getByRole("row", { name: /Answer by a person/ })).toContainText("none was seen");
  await expect(evidence.getByRole("link", { name: /scheduler-.*: Inconclusive/ })).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: /^v\d/ })).toHaveAttribute("href", /^\/releases\//);
  await expectNoFindingsInBoth(page, "a finding");

  await page.getByRole("button", { name: "Acknowledge" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Reason" }).fill("The version is good.");
  await dialog.getByRole("button", { name: "Acknowledge", exact: true }).click();
  await expect(page.getByText("by operator")).toBeVisible();

  // Acknowledged, it leaves the inbox but is not lost.
  await page.goto("/inbox");
  await expect(inboxRow(page, "platform/scheduler")).toBeHidden();
  await page.goto("/findings?state=acknowledged");
  await page.getByRole("link", { name: ignored }).click();
  await page.getByRole("button", { name: "Withdraw acknowledgement" }).click();
  await expect(page.getByRole("button", { name: "Acknowledge", exact: true })).toBeVisible();
  await page.goto("/audit?namespace=platform&name=scheduler");
  const entries = page.getByRole("list", { name: /^Audit entries/ }).getByRole("listitem");
  await expect(entries.filter({ hasText: "acknowledged a finding about platform/scheduler" }).first()).toBeVisible();
});

test("with a hold the same rollout stops: Gatehouse paused it, and a person goes on", async ({ page }) => {
  await signIn(page, "operator", scenarioPath("held"));
  const findings = page.getByRole("region", { name: "Findings about this rollout" });
  await expect(findings).toContainText("Gatehouse paused this rollout after an Inconclusive result");
  await expect(
    page
      .getByText("Gatehouse paused platform/planner")
      .or(page.getByText(/manually paused/))
      .first(),
  ).toBeAttached();
  await page.goto("/audit?namespace=platform&name=planner");
  const entries = page.getByRole("list", { name: /^Audit entries/ }).getByRole("listitem");
  await expect(entries.filter({ hasText: "Gatehouse paused platform/planner" }).first()).toBeVisible();

  await page.goto(scenarioPath("held"));
  await page.getByRole("button", { name: "Unpause" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: /Reason/ }).fill("The latency was a cold cache.");
  await dialog.getByRole("button", { name: "Unpause planner" }).click();
  await expect(findings).toBeHidden();
});
