import { expect } from "@playwright/test";
import { inboxRow, openRow, scenarioName, scenarioPath, signIn, test } from "./pages.ts";

test("an inconclusive analysis is read, accepted with a reason, and the rollout moves on everywhere", async ({
  page,
  context,
}) => {
  const { namespace, name } = scenarioName("inconclusiveInline");
  const reason = "The dip is a known load test.";
  await signIn(page, "operator");
  const row = inboxRow(page, `${namespace}/${name}`);
  await expect(row).toContainText("Inconclusive");
  await expect(row).toContainText("success-rate");
  await openRow(row);
  await expect(row.getByText("pass ≥ 95 %")).toBeVisible();

  const other = await context.newPage();
  await other.goto(scenarioPath("inconclusiveInline"));
  const currentStep = other.getByRole("listitem").filter({ hasText: "waiting for you" });
  await expect(currentStep).toContainText("analysis");
  await expect(other.getByRole("slider", { name: /Chart of success-rate, 13 measurements/ })).toBeVisible();

  await row.getByRole("button", { name: "Accept and continue" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Required.");
  const evidence = dialog.getByRole("region", { name: "Evidence" });
  await expect(evidence).toContainText("4 of 13 measurements were inconclusive (3 allowed)");
  const isCut = await evidence.evaluate((box) => {
    const { right } = box.getBoundingClientRect();
    return [...box.querySelectorAll("span")].some((part) => part.getBoundingClientRect().right > right);
  });
  expect(isCut, "evidence runs out of the dialog").toBe(false);
  const confirm = dialog.getByRole("button", { name: `Accept and continue ${name}` });
  await confirm.click();
  await expect(dialog).toContainText("Enter a reason.");
  await dialog.getByRole("textbox", { name: "Reason" }).fill(reason);
  await confirm.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("In effect")).toBeVisible();
  await page.reload();
  await expect(page.getByText("In effect"), "the toast is there again after a reload").toBeVisible();

  await page.getByRole("link", { name: /^Audit entry \d+$/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(`${namespace}/${name}`);
  await expect(page.getByRole("main")).toContainText(reason);
  await expect(page.getByRole("main")).toContainText("operator");
  await expect(page.getByRole("main")).toContainText("The hashes match");
  await expect(page.getByRole("region", { name: /^Analysis run checkout-/ })).toContainText("success-rate");

  // Nobody reloads the other page.
  await expect(currentStep).toHaveCount(0);
  await expect(other.getByRole("region", { name: /^Steps: [456] of 6 done/ })).toBeVisible();
});
