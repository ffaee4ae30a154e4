import { expect, test } from "@playwright/test";
import { ownPath, signIn } from "./pages.ts";
import { clearPause, createPausedRollout, waitForStatus } from "./sandbox.ts";

test("a view that went stale is not acted on: seen and now stand side by side, and it asks again", async ({ page }) => {
  await createPausedRollout("stale");
  await signIn(page, "operator", ownPath("stale"));
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Reason" }).fill("Looks good.");

  // Somebody else continues with kubectl; the rollout goes on to its next pause.
  await clearPause("stale");
  await waitForStatus(
    "stale",
    ({ currentStepIndex, message }) => currentStepIndex === 3 && message === "CanaryPauseStep",
  );

  await dialog.getByRole("button", { name: "Continue stale" }).click();
  await expect(dialog.getByRole("alert")).toContainText("changed while you were looking");
  const changes = dialog.getByRole("table", { name: "What you saw, and what is there now" });
  await expect(changes.getByRole("columnheader", { name: "Seen" })).toBeVisible();
  await expect(changes.getByRole("columnheader", { name: "Now" })).toBeVisible();
  expect(await changes.getByRole("row").count()).toBeGreaterThan(1);
  await expect(dialog.getByRole("textbox", { name: "Reason" })).toHaveValue("Looks good.");

  await dialog.getByRole("button", { name: "Continue stale" }).click();
  await expect(dialog).toBeHidden();
  await waitForStatus("stale", ({ phase }) => phase === "Healthy");
});
