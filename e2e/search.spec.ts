import { expect, type Locator, type Page } from "@playwright/test";
import { expectNoFindingsInBoth, scenarioName, signIn, test } from "./pages.ts";

async function openPalette(page: Page): Promise<{ dialog: Locator; field: Locator }> {
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Find" });
  const field = dialog.getByRole("combobox", { name: "Find" });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("");
  return { dialog, field };
}

test("the palette finds rollouts, runs, releases, audit entries and pages, and says what it does not find", async ({
  page,
}) => {
  await test.step("a rollout is found by its name and opened by the keyboard alone", async () => {
    const { namespace, name } = scenarioName("failed");
    await signIn(page, "viewer");
    const { dialog, field } = await openPalette(page);
    await page.keyboard.type(`${namespace}/${name}`);
    const rollout = dialog.getByRole("group", { name: "Rollouts" }).getByRole("option").first();
    await expect(rollout).toContainText(name);
    await expect(rollout).toHaveAttribute("aria-selected", "true");
    await expect(field).toHaveAttribute("aria-activedescendant", (await rollout.getAttribute("id")) ?? "none");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  });

  await test.step("words of a failed analysis lead to its run and its release", async () => {
    const { name } = scenarioName("failed");
    const { dialog, field } = await openPalette(page);
    await page.keyboard.type(`failureLimit ${name}`);
    await expect(
      dialog
        .getByRole("group", { name: /^Analysis runs/ })
        .getByRole("option")
        .first(),
    ).toContainText("Failed");
    const release = dialog
      .getByRole("group", { name: /^Releases/ })
      .getByRole("option")
      .first();
    await expect(release).toContainText(name);
    const options = dialog.getByRole("option");
    // Results of the letters before may still be shown.
    await expect(async () => {
      const count = await options.count();
      expect(await dialog.getByRole("status").textContent()).toBe(`${count} ${count === 1 ? "result" : "results"}`);
    }).toPass();
    await page.keyboard.press("ArrowDown");
    await expect(field).toHaveAttribute("aria-activedescendant", (await options.nth(1).getAttribute("id")) ?? "none");
    await release.click();
    await expect(page).toHaveURL(/\/releases\//);
  });

  await test.step("an entry of the audit log is found by its number", async () => {
    const { dialog } = await openPalette(page);
    await page.keyboard.type("#1");
    const entry = dialog.getByRole("group", { name: "Audit log" }).getByRole("option");
    await expect(entry).toHaveCount(1);
    await entry.click();
    await expect(page).toHaveURL(/\/audit\/1$/);
  });

  await test.step("it says what it does not search, and what it does not find", async () => {
    const { dialog } = await openPalette(page);
    await page.keyboard.type("zz");
    await expect(dialog.getByRole("status")).toContainText("Type three characters");
    await page.keyboard.type("zzz-nothing-like-this");
    await expect(dialog.getByText("Nothing found")).toBeVisible();
    await expect(dialog.getByRole("status")).toHaveText("0 results");
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  });

  await test.step("a question for the rights of others leads a viewer to their own", async () => {
    const { dialog } = await openPalette(page);
    await page.keyboard.type("who may abort");
    await dialog.getByRole("option", { name: "What I may do" }).click();
    await expect(page).toHaveURL(/\/settings#rights$/);
    await expect(page.getByRole("heading", { name: "What I may do" })).toBeVisible();
  });

  await test.step("the open palette has no findings in light and dark", async () => {
    const { dialog } = await openPalette(page);
    await page.keyboard.type(scenarioName("failed").name);
    await expect(dialog.getByRole("group", { name: "Rollouts" }).getByRole("option").first()).toBeVisible();
    await expectNoFindingsInBoth(page, "palette");
  });

  await test.step("a search that fails says so, and pages can still be opened", async () => {
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog", { name: "Find" })).toBeHidden();
    await page.route("**/api/v1/search?*", (route) => route.abort());
    const { dialog } = await openPalette(page);
    await page.keyboard.type("inbox");
    for (const group of ["Pages", "Documentation"])
      await expect(dialog.getByRole("group", { name: group }).getByRole("option", { name: "Inbox" })).toBeVisible();
    await expect(dialog.getByRole("status")).toHaveText("Only pages are listed: the search failed.");
  });
});
