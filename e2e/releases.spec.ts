import { expect } from "@playwright/test";
import { signIn, test } from "./pages.ts";
import { clearPause, createPausedRollout } from "./sandbox.ts";

test("what was done without Gatehouse names the person whom the API server names, even if no trace was left", async ({
  page,
}) => {
  await createPausedRollout("who-continued");
  await clearPause("who-continued");
  await signIn(page, "viewer", "/releases?name=who-continued");
  const acts = page.getByRole("list", { name: "Who did what" });
  await expect(acts).toContainText(/kubernetes-admin, with \S+ continued it/);
});
