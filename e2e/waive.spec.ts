import { expect } from "@playwright/test";
import { openAllActions, scenarioName, scenarioPath, signIn, test } from "./pages.ts";

test("an inconclusive background analysis is waived by its name, and a new one watches what follows", async ({
  page,
}) => {
  const { namespace, name } = scenarioName("inconclusiveBackground");
  const reason = "The latency is that of the new region.";
  await signIn(page, "operator", scenarioPath("inconclusiveBackground"));
  const actions = page.getByRole("group", { name: `Actions on ${name}` });
  const waive = actions.getByRole("button", { name: "Override and continue" });
  await expect(waive).toBeVisible();

  // Nobody waives it with a plain Continue, without being told.
  await openAllActions(page);
  const plain = page.getByRole("menuitem", { name: /^Continue/ }).filter({ hasText: "use Override and continue" });
  await expect(plain).toHaveAttribute("aria-disabled", "true");
  const run = /Background run (catalog-\S+) is Inconclusive/.exec((await plain.textContent()) ?? "")?.[1] ?? "none";
  await page.keyboard.press("Escape");

  await waive.click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(`Overrides the Inconclusive result of background run ${run}`);
  await expect(dialog).toContainText(
    /also skips the pause at step 4 of 6, which cannot be cleared separately: .* with a new background run/,
  );
  await expect(dialog).toContainText("Inconclusive");
  const confirm = dialog.getByRole("button", { name: "Override and continue" });
  await confirm.click();
  await expect(dialog).toContainText("Enter a reason.");
  await dialog.getByRole("textbox", { name: "Reason" }).fill(reason);
  await confirm.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("In effect")).toBeVisible();
  await expect(page.getByRole("region", { name: /^Steps: [456] of 6 done/ })).toBeVisible();

  await page.getByRole("tab", { name: "Analysis" }).click();
  const runs = page.getByRole("table", { name: "Analysis runs" });
  const rowOf = (name: string) =>
    runs.getByRole("row").filter({ has: page.getByRole("rowheader", { name, exact: true }) });
  await expect(rowOf(run)).toContainText("Inconclusive");
  // The controller numbers what it measures again.
  await expect(rowOf(`${run}.1`)).toBeVisible();

  await page.goto(`/audit?namespace=${namespace}&name=${name}&action=continue-waive&outcome=applied`);
  const entry = page.getByRole("list", { name: "Audit entries, newest first" }).getByRole("listitem").first();
  await expect(entry).toContainText(`operator overrode the analysis and continued ${namespace}/${name}`);
  await expect(entry).toContainText(reason);
});
