import { expect } from "@playwright/test";
import { readDemo } from "#test/demo.ts";
import { ownPath, signIn, test } from "./pages.ts";
import { clearPause, createPausedRollout, waitForStatus } from "./sandbox.ts";

test("a dialog whose view goes stale says so by itself, and asks again about the present state", async ({ page }) => {
  await createPausedRollout("stale");
  await signIn(page, "operator", ownPath("stale"));
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  const dialog = page.getByRole("dialog");
  const confirm = dialog.getByRole("button", { name: "Continue stale" });
  await dialog.getByRole("textbox", { name: "Reason" }).fill("Looks good.");

  // Another person continues with kubectl; the rollout goes on to its next pause.
  await clearPause("stale");
  await waitForStatus(
    "stale",
    ({ currentStepIndex, message }) => currentStepIndex === 3 && message === "CanaryPauseStep",
  );

  await expect(dialog.getByRole("alert")).toContainText("Changed while you were looking");
  await expect(confirm).toBeDisabled();
  const changes = dialog.getByRole("table", { name: "What you saw and the current state" });
  await expect(changes.getByRole("columnheader", { name: "Seen" })).toBeVisible();
  await expect(changes.getByRole("row", { name: "Step 2 of 4 4 of 4" })).toBeVisible();
  await expect(dialog.getByRole("textbox", { name: "Reason" })).toHaveValue("Looks good.");

  await dialog.getByRole("button", { name: "Continue from the current state" }).click();
  await confirm.click();
  await expect(dialog).toBeHidden();
  await waitForStatus("stale", ({ phase }) => phase === "Healthy");
});

test("a dialog names who aborted meanwhile, and offers what is possible now", async ({ page }) => {
  await createPausedRollout("stale-abort");
  await signIn(page, "operator", ownPath("stale-abort"));
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Reason" }).fill("Looks good.");

  const { url, tokens } = readDemo();
  const path = `${url}/api/v1${ownPath("stale-abort")}`;
  const headers = { authorization: `Bearer ${tokens.admin}`, "content-type": "application/json" };
  const { viewDigest, uid, revisionKey } = await (await fetch(path, { headers })).json();
  const body = JSON.stringify({ action: "abort", reason: "Errors.", expect: { viewDigest, uid, revisionKey } });
  const idempotency = { "idempotency-key": `stale-abort-${Date.now()}` };
  expect(
    (await fetch(`${path}/actions`, { method: "POST", headers: { ...headers, ...idempotency }, body })).status,
  ).toBe(202);

  const alert = dialog.getByRole("alert");
  await expect(alert).toContainText(/admin.* aborted it .*Errors\./);
  await expect(alert.getByRole("row", { name: "Aborted no yes" })).toBeVisible();
  await alert.getByRole("button", { name: "Retry instead" }).click();
  await expect(dialog.getByRole("button", { name: "Retry stale-abort" })).toBeEnabled();
  await expect(dialog.getByRole("textbox", { name: "Reason" })).toHaveValue("Looks good.");
});
