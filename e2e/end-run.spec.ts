import { expect } from "@playwright/test";
import { expectAudited, expectNoFindings, expectReasonOnHover, signIn, test } from "./pages.ts";
import { callCluster, ownNamespace, waitForStatus } from "./sandbox.ts";
import {
  createJudgedRollout,
  createLoneExperiment,
  listObjects,
  readObject,
  waitForObject,
} from "./sandbox-objects.ts";

test("a run that is under way is terminated: it ends as Successful and lets the release through", async ({ page }) => {
  const { metadata } = await createJudgedRollout("end-run");
  await signIn(page, "operator", `/analysis-runs/${metadata.uid}`);
  await page.getByRole("button", { name: "Terminate run" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("usually as Successful");
  await expect(dialog).toContainText("This lets the release of end-run through at step 2 of 3");
  await expect(dialog).toContainText(/Runs on demo (as|with)/);
  await dialog.getByRole("button", { name: "What is sent to the cluster" }).click();
  await expect(dialog.getByText(`kubectl patch analysisrun ${metadata.name} -n e2e --type=merge`)).toBeVisible();
  await expect(dialog.getByText('"terminate": true')).toBeVisible();

  await expectNoFindings(page, "dialog of a run");
  const confirm = dialog.getByRole("button", { name: `Terminate run ${metadata.name}` });
  await confirm.click();
  await expect(dialog.getByText("Enter a reason.")).toBeVisible();
  expect((await readObject("analysisruns", metadata.name)).spec.terminate ?? false).toBe(false);
  await dialog.getByRole("textbox", { name: "Reason" }).fill("Measured long enough.");
  await confirm.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("In effect")).toBeVisible();

  const ended = await readObject("analysisruns", metadata.name);
  expect(ended).toMatchObject({ spec: { terminate: true }, status: { phase: "Successful" } });
  await waitForStatus("end-run", ({ currentStepIndex }) => currentStepIndex === 2);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Successful");
  const button = page.getByRole("button", { name: "Terminate run" });
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await expectReasonOnHover(button, "has already ended");
  await expectAudited(page, /operator.* terminated run end-run-.* of e2e\/end-run.*Measured long enough/);
});

test("the rollout changes while somebody is about to terminate its run: seen and now, then it is asked again", async ({
  page,
}) => {
  const { metadata } = await createJudgedRollout("end-stale");
  // The dialog can only show what the person saw of the rollout once the page has read it.
  const seen = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith("/Rollout/end-stale"));
  await signIn(page, "operator", `/analysis-runs/${metadata.uid}`);
  await page.getByRole("button", { name: "Terminate run" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Reason" }).fill("Measured long enough.");
  expect((await seen).status()).toBe(200);
  // The answer has begun; the page may not have all of it yet.
  await expect(dialog).toContainText("This lets the release of end-stale through at step 2 of 3");
  const path = `/apis/argoproj.io/v1alpha1/namespaces/${ownNamespace}/rollouts/end-stale`;
  await callCluster("PATCH", path, { spec: { paused: true } });

  // The dialog hears of it before anybody clicks.
  const confirm = dialog.getByRole("button", { name: `Terminate run ${metadata.name}` });
  await expect(dialog.getByRole("alert")).toContainText("Changed while you were looking");
  await expect(confirm).toBeDisabled();
  await expect(dialog.getByRole("table", { name: "What you saw and the current state" })).toBeVisible();
  expect((await readObject("analysisruns", metadata.name)).spec.terminate ?? false).toBe(false);

  await dialog.getByRole("button", { name: "Terminate run from the current state" }).click();
  await confirm.click();
  await expect(dialog).toBeHidden();
  await waitForObject("analysisruns", "end-stale", ({ status }) => status?.phase === "Successful");
});

test("an experiment that no rollout owns ended Inconclusive, and is started again", async ({ page }) => {
  const { metadata } = await createLoneExperiment("try-again");
  await signIn(page, "operator", `/experiments/${metadata.uid}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Inconclusive");
  await page.getByRole("button", { name: "Retry experiment" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(`Discards the Inconclusive result of experiment ${metadata.name}`);
  await dialog.getByRole("textbox", { name: "Reason" }).fill("The proxy was at fault.");
  await dialog.getByRole("button", { name: `Retry experiment ${metadata.name}` }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("In effect")).toBeVisible();
  // Its first run stands beside the one that the new start began.
  await expect.poll(async () => (await listObjects("analysisruns", metadata.name)).length).toBe(2);
  await expectAudited(page, /operator.* retried experiment try-again-1.*The proxy was at fault/);
});
