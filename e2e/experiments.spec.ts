import { expect } from "@playwright/test";
import { scenarioName, scenarioPath, signIn, test } from "./pages.ts";

test("at an experiment step the live tab shows the experiment that waits for a person first, with its chart", async ({
  page,
}) => {
  // The first experiment of the demo takes half a minute to its verdict.
  const { namespace, name } = scenarioName("experiment");
  await signIn(page, "viewer", scenarioPath("experiment"));
  const panels = page.getByRole("region", { name: /^Experiment / });
  await expect(panels.first().getByText("Inconclusive").first()).toBeVisible();
  await expect(panels.first().getByRole("slider").first()).toBeVisible();

  await panels
    .first()
    .getByRole("link", { name: /^Open experiment/ })
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Inconclusive");
  await expect(page.getByRole("table", { name: "Versions that run side by side" })).toContainText("candidate");
  const compared = page.locator('[data-compared="latency-p99"]');
  await expect(compared.getByText(/^baseline · .*:v11\.4\.0$/)).toBeVisible();
  await expect(compared.getByText(/^candidate · .*:v11\.5\.0$/)).toBeVisible();
  await expect(compared.getByText(/candidate minus baseline/)).toBeVisible();
  await page
    .getByRole("link", { name: /^Every measurement of/ })
    .first()
    .click();
  await page.waitForURL(/\/analysis-runs\//);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Inconclusive");
  await page.getByRole("link", { name: new RegExp(`^${name}-`) }).click();
  await page.waitForURL(/\/experiments\//);
  await page.getByRole("link", { name: `${namespace}/${name}`, exact: true }).click();

  await page.getByRole("link", { name: "All experiments of this rollout" }).click();
  await expect(page).toHaveURL(/rollout=/);
  const rows = page.getByRole("table", { name: "Experiments" }).getByRole("link");
  await expect(rows).toHaveCount(2);
});

test("pods, events and templates of a rollout are shown on demand", async ({ page }) => {
  await test.step("pods are listed on demand, and the URL keeps which", async () => {
    await signIn(page, "viewer", scenarioPath("blueGreen"));
    const panel = page.getByRole("region", { name: "Blue-green" });
    await expect(panel).toContainText("Ready for promotion.");
    await expect(panel).toContainText("v6.2.0");
    const sets = page.getByRole("table", { name: "ReplicaSets" });
    await sets.getByRole("button", { name: "Pods of revision 2" }).click();
    await expect(page).toHaveURL(/pods=/);
    const pods = page.getByRole("list", { name: /^Pods of login-/ }).getByRole("listitem");
    await expect(pods).toHaveCount(3);
    await expect(pods.first()).toContainText("Ready");
    await page.reload();
    await expect(pods).toHaveCount(3);
  });

  await test.step("the cluster's own events are there on demand", async () => {
    await page.goto(scenarioPath("blueGreen"));
    const panel = page.getByRole("region", { name: "Kubernetes events" });
    await panel.getByText("All", { exact: true }).click();
    await expect(page).toHaveURL(/events=all/);
    await expect(panel.getByRole("listitem").first()).toBeVisible();
  });

  await test.step("a rollout says where its template stands", async () => {
    await page.goto(scenarioPath("workloadRef"));
    await expect(page.getByText(/^Deployment .*tracking/)).toBeVisible();
  });
});
