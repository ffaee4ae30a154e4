import { expect } from "@playwright/test";
import { readDemo } from "#test/demo.ts";
import { scenarioName, scenarioPath, signIn, test } from "./pages.ts";
import { callCluster } from "./sandbox.ts";

test("runs that the cluster has deleted are still there, with more measurements than the controller kept", async ({
  page,
}) => {
  const { namespace, name } = scenarioName("history");
  await signIn(page, "viewer", `${scenarioPath("history")}?tab=analysis`);
  const table = page.getByRole("table", { name: "Analysis runs" });
  const gone = table.getByRole("row").filter({ hasText: "Gatehouse only" }).filter({ hasText: "Successful" }).last();
  await expect(gone).toBeVisible({ timeout: 60_000 });

  const link = gone.getByRole("link");
  const runName = (await link.textContent()) ?? "";
  const { items } = (await callCluster("GET", `/apis/argoproj.io/v1alpha1/namespaces/${namespace}/analysisruns`)) as {
    items: { metadata: { name: string } }[];
  };
  expect(items.map((item) => item.metadata.name)).not.toContain(runName);

  await link.click();
  await expect(page.getByText("The cluster has deleted this run.")).toBeVisible();
  await expect(page.getByRole("link", { name: `${namespace}/${name}`, exact: true })).toBeVisible();
  // The controller keeps ten per metric; each of these runs took twelve.
  const measurements = page.getByRole("region", { name: "Measurements of success-rate" });
  for (const seq of ["1", "2", "11", "12"])
    await expect(measurements.getByRole("rowheader", { name: seq, exact: true })).toBeAttached();
});

test("a live run shows measurements that the controller has dropped already", async ({ page }) => {
  // The controller keeps ten per metric; this run took thirteen.
  const id = readDemo().scenarios.inconclusiveInline ?? "";
  await signIn(page, "viewer", `/rollouts/${id}?tab=analysis`);
  await page.getByRole("table", { name: "Analysis runs" }).getByRole("link").last().click();
  const measurements = page.getByRole("region", { name: "Measurements of success-rate" });
  await expect(measurements.getByRole("rowheader", { name: "1", exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(measurements.getByRole("rowheader", { name: "13", exact: true })).toBeAttached();
  await expect(measurements.getByRole("row").filter({ hasText: "[0.9274]" })).toBeAttached();
});

test("a verdict that its own record contradicts is told", async ({ page }) => {
  await signIn(page, "viewer", scenarioPath("forced"));
  await expect(page.getByText("Verdict mismatch: reported Successful,").first()).toBeVisible({ timeout: 60_000 });
  await page.goto(`${scenarioPath("forced")}?tab=analysis`);
  const row = page
    .getByRole("table", { name: "Analysis runs" })
    .getByRole("row")
    .filter({ hasText: "verdict mismatch" });
  await expect(row.first()).toBeVisible({ timeout: 60_000 });
  await row.first().getByRole("link").click();
  const check = page.getByRole("region", { name: "Verdict check" });
  await expect(check).toContainText("Verdict mismatch:");
  await expect(check).toContainText("Successful, although none of 5 measurements was");
  const measurements = page.getByRole("region", { name: "Measurements of success-rate" });
  await expect(measurements.getByText(/ fails\.$| so it fails\.$/).first()).toBeVisible();
});
