import { expect, type Locator, type Page } from "@playwright/test";
import { expectAudited, expectNoFindings, openRelease, ownPath, signIn, test } from "./pages.ts";
import { callCluster, createPausedRollout, ownNamespace, releaseVersion, waitForStatus } from "./sandbox.ts";
import { readObject } from "./sandbox-objects.ts";

const imageOf = (name: string, version: string) => `registry.internal/${ownNamespace}/${name}:${version}`;

async function openDialog(page: Page, name: string, action: string): Promise<Locator> {
  await page.getByRole("button", { name: `More actions on ${name}` }).click();
  await page.getByRole("menuitem", { name: new RegExp(`^${action}`) }).click();
  return page.getByRole("dialog");
}

async function readImage(name: string): Promise<string | undefined> {
  const { spec } = await readObject("rollouts", name);
  return spec.template?.spec.containers[0]?.image;
}

/** The revisions whose ReplicaSets the cluster has, newest first. */
async function readRevisions(name: string): Promise<string[]> {
  const { items } = (await callCluster("GET", `/apis/apps/v1/namespaces/${ownNamespace}/replicasets`)) as {
    items: { metadata: { name: string; annotations: Record<string, string> } }[];
  };
  const own = items.filter(({ metadata }) => metadata.name.startsWith(`${name}-`));
  const revisions = own.map(({ metadata }) => Number(metadata.annotations["rollout.argoproj.io/revision"]));
  return revisions.toSorted((one, other) => other - one).map(String);
}

test("a release is undone to the revision that was chosen, and only to one that the cluster still has", async ({
  page,
}) => {
  await createPausedRollout("undo-me");
  await releaseVersion("undo-me", "v3");
  await waitForStatus(
    "undo-me",
    ({ message, currentStepIndex }) => message === "CanaryPauseStep" && currentStepIndex === 1,
  );
  await signIn(page, "operator", ownPath("undo-me"));
  await expect(page.getByText(/revision 3/).first()).toBeVisible();
  // Before that is recorded, the dialog would be about an earlier step.
  await expect(page.getByText(/^Waiting for a person to continue at step 2 of 4/)).toBeVisible();
  const dialog = await openDialog(page, "undo-me", "Roll back to v2");
  const chooser = dialog.getByRole("combobox", { name: "Back to revision" });
  const [current, ...former] = await readRevisions("undo-me");
  expect([current, ...former]).toEqual(["3", "2", "1"]);
  await expect
    .poll(() => chooser.locator("option").evaluateAll((all) => all.map((one) => one.getAttribute("value"))))
    .toEqual(former);

  await chooser.selectOption("1");
  await expect(dialog).toContainText(
    `Restores the pod template of revision 1 (${imageOf("undo-me", "v1")}): that is the stable version`,
  );
  await dialog.getByRole("button", { name: "What is sent to the cluster" }).click();
  await expect(dialog.getByText("kubectl argo rollouts undo undo-me -n e2e --to-revision=1")).toBeVisible();
  await expect(dialog.getByText(`"image": "${imageOf("undo-me", "v1")}"`)).toBeVisible();
  await expectNoFindings(page, "dialog of an undo");
  await dialog.getByRole("textbox", { name: "Reason" }).fill("v3 loses sessions.");
  await dialog.getByRole("button", { name: "Roll back to v1", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("In effect")).toBeVisible();

  expect(await readImage("undo-me")).toBe(imageOf("undo-me", "v1"));
  await waitForStatus("undo-me", ({ phase }) => phase === "Healthy");
  await expectAudited(page, /operator rolled back e2e\/undo-me.*v3 loses sessions/);
});

test("two releases are compared, the former is stable, and an image is set as it was typed", async ({ page }) => {
  await createPausedRollout("set-me");
  await signIn(page, "operator");
  let former = "";
  await test.step("two releases are compared by one click: outcome, time and pod templates", async () => {
    await openRelease(page, { name: "set-me", version: "v2" });
    const own = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await page.getByRole("button", { name: "Compare vs v1" }).click();
    await expect(page).toHaveURL(/\?vs=[0-9a-f-]{36}$/);
    former = new URL(page.url()).searchParams.get("vs") ?? "";
    const main = page.getByRole("main");
    await expect(main.getByRole("region", { name: "Course" })).toContainText(/Under way for .*; v1 was promoted in /);
    await expect(main.getByRole("region", { name: "Changes of the pod template" })).toContainText("set-me:v2");
    await expectNoFindings(page, "two releases compared");
    await page.goto(`/releases/compare?one=${own}&other=${former}`);
    await expect(page).toHaveURL(new RegExp(`/releases/${own}\\?vs=${former}$`));
    await page.getByRole("button", { name: "Close comparison" }).click();
    await expect(page).not.toHaveURL(/vs=/);
  });

  await test.step("the stable release offers no way back while another version is under way", async () => {
    await page.goto(`/releases/${former}`);
    await expect(page.getByRole("link", { name: /^v1 is stable, v2 gets \d+ %$/ })).toBeVisible();
    await expect(page.getByRole("button", { name: "Roll back to v1" })).toBeHidden();
  });

  await page.goto(ownPath("set-me"));
  const dialog = await openDialog(page, "set-me", "Set image");
  const confirm = dialog.getByRole("button", { name: "Set image set-me" });
  const image = dialog.getByRole("textbox", { name: "Image" });
  await expect(dialog.getByRole("combobox", { name: "Container" })).toHaveValue("app");
  await expect(image).toHaveValue(imageOf("set-me", "v2"));
  await expect(dialog).toContainText("Choose the new image.");
  await expect(confirm).toBeDisabled();

  await image.fill("Not An Image");
  await expect(dialog).toContainText("is not an image reference");
  await expect(confirm).toBeDisabled();

  await image.fill(imageOf("set-me", "v9"));
  await expect(dialog).toContainText(
    `Sets container app from ${imageOf("set-me", "v2")} to ${imageOf("set-me", "v9")}`,
  );
  await dialog.getByRole("button", { name: "What is sent to the cluster" }).click();
  await expect(
    dialog.getByText(`kubectl argo rollouts set image set-me 'app=${imageOf("set-me", "v9")}' -n e2e`),
  ).toBeVisible();
  await expect(dialog.getByText(`"image": "${imageOf("set-me", "v9")}"`)).toBeVisible();
  await dialog.getByRole("textbox", { name: "Reason" }).fill("The fix is in v9.");
  await confirm.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("In effect")).toBeVisible();
  expect(await readImage("set-me")).toBe(imageOf("set-me", "v9"));
  await expectAudited(page, /operator set an image of e2e\/set-me.*The fix is in v9/);
});
