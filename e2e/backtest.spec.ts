import { expect } from "@playwright/test";
import { readDemo } from "#test/demo.ts";
import { scenarioPath, signIn, test } from "./pages.ts";

test("a metric of a run leads to its back-test, whose link keeps the changed rules, and says what does not parse", async ({
  page,
}) => {
  await test.step("a metric of a run leads to its back-test, whose link keeps the changed rules", async () => {
    await signIn(page, "viewer", `${scenarioPath("history")}?tab=analysis`);
    await page.getByRole("table", { name: "Analysis runs" }).getByRole("link").last().click();
    await page.getByRole("link", { name: "Back-test" }).first().click();
    await expect(page.getByRole("heading", { name: "Back-test", level: 1 })).toBeVisible();
    const headline = page.getByRole("heading", { name: /^Would have aborted \d+ of \d+ runs?/ });
    await expect(headline).toBeVisible();
    await expect(page.getByText("No decided verdict changes")).toBeVisible();

    await page.getByLabel("Pass if").fill("result[0] > 2");
    await expect(page.getByText(/runs? would have another verdict/)).toBeVisible();
    await expect(page).toHaveURL(/successCondition=/);
    await page.reload();
    await expect(page.getByLabel("Pass if")).toHaveValue("result[0] > 2");
    await expect(page.getByText(/runs? would have another verdict/)).toBeVisible();

    await page.getByText(/^Changed \d/).click();
    const row = page.getByRole("table", { name: "Replayed runs" }).getByRole("row").nth(1);
    // No value fails, and none passes.
    await expect(row).toContainText("Inconclusive");
    await expect(row).toContainText("no. 1");
  });

  await test.step("a condition that does not parse is told at its field", async () => {
    const rollout = encodeURIComponent(readDemo().scenarios.history ?? "");
    await page.goto(`/backtest?rollout=${rollout}&metric=success-rate`);
    await expect(page.getByRole("heading", { name: /^Would have aborted/ })).toBeVisible();
    await page.getByLabel("Pass if").fill("result[0] >=");
    await expect(page.getByText(/line 1, column 1[0-9]/)).toBeVisible();
    await expect(page.getByText("Correct the rule that is marked above.")).toBeVisible();
  });
});

test("the template lab marks problems, previews runs and tries conditions, without a violation of the policy", async ({
  page,
}) => {
  const violations: string[] = [];
  page.on("console", (message) => {
    if (/Content.Security.Policy/i.test(message.text())) violations.push(message.text());
  });
  const rollout = readDemo().scenarios.blueGreen ?? "";
  const query = new URLSearchParams({ template: "demo/accounts/AnalysisTemplate/login-smoke", rollout });
  await signIn(page, "viewer", `/template-lab?${query}`);
  const editor = page.getByRole("textbox", { name: "Template (YAML)" });
  await expect(editor).toContainText("successCondition");
  await expect(page.getByText("No problems found.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Run of before promotion" })).toContainText("metrics:");

  const playground = page.getByRole("region", { name: "Conditions on recorded values" });
  await playground.getByLabel("Your own value").fill("[0.1]");
  await expect(playground.getByRole("row").filter({ hasText: "[0.1]" })).toContainText("Failed");

  await editor.press("Control+End");
  await page.keyboard.type("surprise: [");
  await expect(page.getByRole("list", { name: "Problems" }).getByRole("button").first()).toBeVisible();
  expect(violations).toEqual([]);
});
