import { expect } from "@playwright/test";
import { expectNoFindings, scenarioName, signIn, test } from "./pages.ts";

test("the release of a Canary shows its target's pods, and that of a Rollout its experiments", async ({ page }) => {
  await test.step("a release of a Canary shows what changed in the pods of its target", async () => {
    const { namespace, name } = scenarioName("flaggerHealthy");
    await signIn(page, "viewer", `/releases?name=${name}`);
    const row = page.getByRole("table", { name: "Releases" }).getByRole("row").filter({ hasText: "v1.10.0" });
    await row.getByRole("link", { name: `${namespace}/${name}`, exact: true }).click();
    const changes = page.getByRole("main").getByRole("region", { name: "Changes of the pod template" });
    await expect(changes).toContainText("profile:v1.9.1");
    await expect(changes).toContainText("profile:v1.10.0");
    // The version that it replaced came from the target as well: nothing of the primary's names is in it.
    await expect(changes).not.toContainText("-primary");

    await page.getByRole("button", { name: /^Compare vs / }).click();
    const choice = page.getByRole("combobox", { name: "Compare with" });
    const first = await choice.locator("option", { hasText: "v1.9.0" }).last().getAttribute("value");
    await choice.selectOption(first ?? "");
    await expect(page.getByRole("region", { name: "Changes of the pod template" })).toContainText("profile:v1.9.0");
  });

  await test.step("the axis has a lane for each experiment, which leads to its page", async () => {
    const { namespace, name } = scenarioName("experiment");
    await page.goto(`/releases?name=${name}`);
    const row = page.getByRole("table", { name: "Releases" }).getByRole("row").filter({ hasText: "v11.5.0" });
    await row.getByRole("link", { name: `${namespace}/${name}`, exact: true }).click();
    const main = page.getByRole("main");
    const course = main.getByRole("region", { name: "Course" });
    const lane = course.getByRole("button", {
      name: /^Experiment .*: Inconclusive\..*Side by side: baseline \(v11\.4\.0\)/,
    });
    await expect(lane).toBeVisible();
    await expect(
      course.getByRole("button", { name: /^Analysis candidate of experiment .*: Inconclusive/ }),
    ).toBeVisible();
    await expect(main.getByRole("region", { name: "Newest measurements" })).toContainText("candidate of experiment");
    await expect(main.getByRole("region", { name: "Experiments" })).toContainText("candidate (v11.5.0)");
    await lane.click();
    await expect(page).toHaveURL(/\?at=20\d\d-/);
    await expectNoFindings(page, "page of a release with experiments");
    await course
      .getByRole("link", { name: /^Open experiment/ })
      .first()
      .click();
    await expect(page).toHaveURL(/\/experiments\//);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Inconclusive");
  });
});
