import { expect, type Page } from "@playwright/test";
import { expectNoFindings, expectReadableColours, ownPath, scenarioName, showIn, signIn, test } from "./pages.ts";
import { createPausedRollout } from "./sandbox.ts";

async function openRelease(page: Page, name: string): Promise<void> {
  await page.goto(`/releases?name=${name}`);
  const rows = page.getByRole("table", { name: "Releases" }).getByRole("row");
  await rows
    .filter({ hasText: "v2" })
    .getByRole("link", { name: `e2e/${name}`, exact: true })
    .click();
  await expect(page).toHaveURL(/\/releases\/[0-9a-f-]{36}$/);
}

test("a release is replayed by keyboard, and its address keeps the moment", async ({ page }) => {
  await createPausedRollout("replayed");
  await signIn(page, "operator", ownPath("replayed"));
  await page.getByRole("button", { name: "Abort", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: /Reason/ }).fill("errors rise");
  await dialog.getByRole("button", { name: "Abort replayed" }).click();
  await expect(dialog).toBeHidden();
  await openRelease(page, "replayed");

  const main = page.getByRole("main");
  await expect(main).toContainText("Aborted");
  await expect(page).toHaveTitle(/e2e\/replayed revision 2/);
  await expect(main.getByRole("region", { name: "Who did what" })).toContainText("errors rise");
  await expect(main.getByRole("region", { name: "Changes", exact: true })).toContainText(/replayed:v1 → .*replayed:v2/);
  await expect(main.getByRole("region", { name: "Changes of the pod template" })).toContainText("+");
  await expect(main.getByRole("region", { name: /Where the time/ })).toContainText("waiting for a person");
  await expectNoFindings(page, "page of a release");

  const slider = main.getByRole("slider", { name: "Moment of the release" });
  await slider.focus();
  await page.keyboard.press("Home");
  await expect(slider).toHaveAttribute("aria-valuetext", /at \d+ %, step 1 of \d, progressing/);
  // From change to change, until it waits.
  await expect(async () => {
    await page.keyboard.press("ArrowRight");
    await expect(slider).toHaveAttribute("aria-valuetext", /waiting for a person/, { timeout: 200 });
  }).toPass();
  const moment = main.getByRole("region", { name: /^At / });
  await expect(moment.getByRole("list", { name: "Possible actions" })).toContainText("Continue");
  await expect(moment).toContainText("Waits for a person");
  await expect(page).toHaveURL(/\?at=20\d\d-/);
  await expectNoFindings(page, "page of a release, replayed");

  await showIn(page, "dark");
  await expectReadableColours(page, "page of a release, replayed, in dark");
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);

  await page.reload();
  await expect(moment.getByRole("list", { name: "Possible actions" })).toContainText("Continue");
  await page.getByRole("button", { name: "Close replay" }).click();
  await expect(moment).toBeHidden();
  await expect(page).not.toHaveURL(/at=/);
});

test("two releases are compared, and the former is gone back to", async ({ page }) => {
  await test.step("a revision is gone back to from its release, with the revision already chosen", async () => {
    await createPausedRollout("compared");
    await signIn(page, "operator", `${ownPath("compared")}?tab=releases`);
    const undo = page.getByRole("button", { name: /^Roll back to / });
    await undo.first().click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("combobox", { name: "Back to revision" })).toHaveValue("1");
    await expect(dialog).toContainText("Restores the pod template of revision 1");
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  });

  await test.step("two releases are compared by one click: outcome, time and pod templates", async () => {
    await openRelease(page, "compared");
    const own = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await page.getByRole("button", { name: "vs v1" }).click();
    await expect(page).toHaveURL(/\?vs=[0-9a-f-]{36}$/);
    const versus = new URL(page.url()).searchParams.get("vs") ?? "";
    const main = page.getByRole("main");
    await expect(main.getByRole("region", { name: "Course" })).toContainText(/Under way for .*; v1 was promoted in /);
    await expect(main.getByRole("region", { name: "Changes of the pod template" })).toContainText("compared:v2");
    await expectNoFindings(page, "two releases compared");
    await page.goto(`/releases/compare?one=${own}&other=${versus}`);
    await expect(page).toHaveURL(new RegExp(`/releases/${own}\\?vs=${versus}$`));
    await page.getByRole("button", { name: "Close comparison" }).click();
    await expect(page).not.toHaveURL(/vs=/);
  });
});

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

    const choice = page.getByRole("combobox", { name: "Compare with" });
    const first = await choice.locator("option", { hasText: "v1.9.0" }).getAttribute("value");
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
