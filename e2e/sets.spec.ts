import { expect } from "@playwright/test";
import { expectNoFindings, ownPath, signIn, test } from "./pages.ts";
import { clearPause, createRollout, releaseVersion, waitForStatus } from "./sandbox.ts";

const version = "v7.7.7";
const names = ["many-one", "many-two", "many-three"];

async function release(name: string): Promise<void> {
  await createRollout(name, [{ setWeight: 50 }, { pause: {} }, { setWeight: 80 }, { pause: {} }]);
  await releaseVersion(name, version);
  await waitForStatus(name, ({ message }) => message === "CanaryPauseStep");
}

test("one version in many rollouts is continued with one decision, and the one that moved on is refused", async ({
  page,
}) => {
  await Promise.all(names.map(release));
  await signIn(page, "operator", ownPath("many-one"));

  await test.step("the page of a rollout leads to all rollouts of its version", async () => {
    await page.getByRole("link", { name: new RegExp(`^Other rollouts of .*${version}$`) }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Version ${version}`);
    await page.getByRole("link", { name: "All images with this version" }).click();
    await expect(page.getByText(`${version}: promoted in 0 of 3, waiting for a person in 3.`)).toBeVisible();
    await expect(page.getByRole("table", { name: "Rollouts of this version" }).getByRole("row")).toHaveCount(4);
  });

  await test.step("without an image, the page asks for it and offers no action", async () => {
    await page.getByRole("link", { name: "Choose an image" }).click();
    await expect(page.getByText(`${version} is a tag of 3 images. Choose one.`)).toBeVisible();
    await expect(page.getByRole("table", { name: "Images with this version" }).getByRole("row")).toHaveCount(4);
    await expect(page.getByRole("checkbox")).toHaveCount(0);
    await expectNoFindings(page, "the choice of an image");
    await page.getByRole("link", { name: "All images with this version" }).click();
  });

  await test.step("all are chosen by the keyboard, and the bar offers what they allow", async () => {
    await page.getByRole("checkbox", { name: "Choose all rows that are loaded" }).focus();
    await page.keyboard.press("Space");
    const bar = page.getByRole("region", { name: "Chosen rollouts" });
    await expect(bar).toContainText("3 chosen");
    await expect(bar.getByRole("button", { name: "Abort 3…" })).toBeVisible();
    await expectNoFindings(page, "the page of a version");
    await bar.getByRole("button", { name: "Continue 3…" }).click();
  });

  await test.step("the dialog shows each of them, and one of them moves on meanwhile", async () => {
    const dialog = page.getByRole("dialog");
    const members = dialog.getByRole("list", { name: "Rollouts to act on" }).getByRole("listitem");
    await expect(members).toHaveCount(3);
    for (const name of names) await expect(members.filter({ hasText: name })).toHaveCount(1);
    await expectNoFindings(page, "the dialog of many");
    await clearPause("many-two");
    await waitForStatus("many-two", ({ currentStepIndex = 0 }) => currentStepIndex > 1);
    await dialog.getByRole("textbox", { name: "Reason" }).fill("Measured in the first zone.");
    await dialog.getByRole("button", { name: "Continue 3 rollouts" }).click();
  });

  await test.step("its page says how each ended, also after a reload", async () => {
    await expect(page).toHaveURL(/\/action-groups\/\d+$/);
    const table = page.getByRole("table", { name: "Rollouts" });
    const row = (name: string) => table.getByRole("row").filter({ hasText: name });
    await expect(row("many-two")).toContainText("Refused");
    await expect(row("many-one")).toContainText("In effect");
    await expect(row("many-three")).toContainText("In effect");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Continued 2 of 3 of "${version}"`);
    await expectNoFindings(page, "an action on many");
    await page.reload();
    await expect(row("many-two")).toContainText("Refused");
    await page.getByRole("link", { name: /^Audit entry \d+$/ }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText(`operator continued 2 of 3 of "${version}"`);
  });
});
