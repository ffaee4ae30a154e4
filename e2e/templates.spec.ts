import { expect } from "@playwright/test";
import { scenarioName, scenarioPath, signIn, test } from "./pages.ts";
import { callCluster, createInconclusiveTemplate, ownNamespace } from "./sandbox.ts";

const templates = `/apis/argoproj.io/v1alpha1/namespaces/${ownNamespace}/analysistemplates`;

test("a template says what judges a release, what its versions changed, and whose runs were made of it", async ({
  page,
}) => {
  await test.step("a template says what judges a release, and what a later version of it changed", async () => {
    const name = "versioned-template";
    await createInconclusiveTemplate(name);
    await signIn(page, "viewer", `/templates?namespace=${ownNamespace}`);
    await page
      .getByRole("table", { name: "Templates" })
      .getByRole("link", { name: `${ownNamespace}/${name}` })
      .click();
    await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
    const metric = page.getByRole("region", { name: "Metric success-rate" });
    await expect(metric).toContainText("result[0] >= 1.5");
    await expect(page.getByRole("region", { name: "Spec of version 1" })).toContainText("successCondition");

    const { spec } = (await callCluster("GET", `${templates}/${name}`)) as { spec: { metrics: object[] } };
    const metrics = spec.metrics.map((each) => ({ ...each, successCondition: "result[0] >= 0.97 <b>bold</b>" }));
    await callCluster("PATCH", `${templates}/${name}`, { spec: { metrics } });

    // The page follows by itself.
    const difference = page.getByRole("region", { name: "Difference from version 1 to version 2" });
    await expect(difference.getByText("Removed: ").first()).toBeAttached();
    await expect(difference).toContainText("successCondition: result[0] >= 1.5");
    await expect(difference).toContainText("successCondition: result[0] >= 0.97 <b>bold</b>");
    await expect(difference.locator("b")).toHaveCount(0);
    await expect(metric).toContainText("result[0] >= 0.97 <b>bold</b>");

    await page.getByRole("button", { name: "Show version 1" }).click();
    await expect(page).toHaveURL(/version=1/);
    await expect(page.getByRole("region", { name: "Spec of version 1" })).toBeVisible();
  });

  await test.step("a run leads to the template version that it was made of, and that to its rollout", async () => {
    const { namespace, name } = scenarioName("blueGreen");
    await page.goto(`${scenarioPath("blueGreen")}?tab=analysis`);
    await page.getByRole("table", { name: "Analysis runs" }).getByRole("link").first().click();
    await page.getByRole("link", { name: /login-smoke v1/ }).click();
    await expect(page.getByRole("heading", { name: "login-smoke", level: 1 })).toBeVisible();
    await page.getByRole("link", { name: `${namespace}/${name}`, exact: true }).click();
    await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  });
});
