import { expect } from "@playwright/test";
import { scenarioName, scenarioPath, signIn, test } from "./pages.ts";
import { callCluster } from "./sandbox.ts";

test("runs stay readable: deleted ones with links to their time, and contradicted verdicts", async ({ page }) => {
  await test.step("runs that the cluster has deleted are still there, with more measurements than the controller kept", async () => {
    const { namespace, name } = scenarioName("history");
    await signIn(page, "viewer", `${scenarioPath("history")}?tab=analysis`);
    const table = page.getByRole("table", { name: "Analysis runs" });
    const gone = table.getByRole("row").filter({ hasText: "Gatehouse only" }).filter({ hasText: "Successful" }).last();
    await expect(gone).toBeVisible();

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

  await test.step("the link of a metric carries the time of the run and the query", async () => {
    const link = page
      .getByRole("main")
      .getByRole("link", { name: /^Query in Grafana: / })
      .first();
    await expect(link).toHaveAttribute("target", "_blank");
    await expect(link).toHaveAttribute("rel", /noopener noreferrer/);
    const address = new URL((await link.getAttribute("href")) ?? "");
    const [pane] = Object.values(JSON.parse(address.searchParams.get("panes") ?? "{}")) as {
      queries: { expr: string }[];
      range: { from: string; to: string };
    }[];
    expect(pane?.queries[0]?.expr).toMatch(/\w+\{.*\}/s);
    const [from, to] = [Number(pane?.range.from), Number(pane?.range.to)];
    expect(from).toBeGreaterThan(Date.parse("2026-01-01"));
    expect(to).toBeGreaterThan(from);
  });

  await test.step("a verdict that its own record contradicts is told", async () => {
    await page.goto(scenarioPath("forced"));
    await expect(page.getByText("Verdict mismatch: reported Successful,").first()).toBeVisible();
    await page.goto(`${scenarioPath("forced")}?tab=analysis`);
    const row = page
      .getByRole("table", { name: "Analysis runs" })
      .getByRole("row")
      .filter({ hasText: "Verdict mismatch" });
    await expect(row.first()).toBeVisible();
    await row.first().getByRole("link").click();
    const check = page.getByRole("region", { name: "Verdict check" });
    await expect(check).toContainText("Verdict mismatch:");
    await expect(check).toContainText("Successful, although none of 5 measurements was");
    const measurements = page.getByRole("region", { name: "Measurements of success-rate" });
    await expect(measurements.getByText(/ fails\.$| so it fails\.$/).first()).toBeVisible();
  });
});
