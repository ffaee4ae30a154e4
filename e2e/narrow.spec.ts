import { expect } from "@playwright/test";
import { ownPath, scenarioPath, signIn, test } from "./pages.ts";
import { clearPause, createPausedRollout, createRollout, releaseVersion, waitForStatus } from "./sandbox.ts";

test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

// `axe.spec.ts` looks at the other pages on a narrow screen.
test("long rollouts fit at 360 px, and every page, the search and a dialog can be reached", async ({ page }) => {
  const longName = `far-${"name-".repeat(18)}end`;
  await createPausedRollout(longName);
  await signIn(page, "operator");
  for (const path of [scenarioPath("long"), scenarioPath("flapping"), ownPath(longName)]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("main").locator("[aria-busy=true]")).toHaveCount(0);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, path).toBeLessThanOrEqual(0);
  }
  await expect(page.getByRole("region", { name: /^Steps:/ }).locator("[aria-current=step]")).toContainText(
    "waiting for you",
  );
  const foot = page.getByRole("group", { name: `Actions on ${longName}` }).getByRole("button");
  const tops = await foot.evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().bottom));
  expect(Math.max(...tops) - Math.min(...tops), "the actions are one line").toBeLessThan(20);
  await page.getByRole("button", { name: "Abort" }).click();
  const confirm = page.getByRole("dialog").getByRole("button", { name: `Abort ${longName}` });
  await expect(confirm).toBeInViewport();

  await page.goto("/inbox");
  const bar = page.getByRole("navigation", { name: "Main" });
  await bar.getByRole("button", { name: "More" }).click();
  const menu = page.getByRole("menu");
  await menu.getByRole("menuitem", { name: "Templates" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Templates");
  const pages = ["Inbox", "Rollouts", "Releases", "Analysis", "Findings"];
  for (const name of pages) await expect(bar.getByRole("link", { name })).toBeInViewport();
  await bar.getByRole("button", { name: "More" }).click();
  for (const name of ["Controllers", "Audit", "Sources", "Settings"])
    await expect(menu.getByRole("menuitem", { name })).toBeVisible();
  await menu.getByRole("menuitem", { name: "Find" }).click();
  await expect(page.getByRole("combobox", { name: "Find" })).toBeFocused();
});

test("the step bar shows the current step, and follows the rollout to the next one", async ({ page }) => {
  const steps = [10, 20, 30, 40, 50].flatMap((setWeight) => [{ setWeight }, { pause: {} }]);
  await createRollout("many-steps", steps);
  await releaseVersion("many-steps", "v2");
  await waitForStatus("many-steps", ({ currentStepIndex }) => currentStepIndex === 1);
  for (const index of [3, 5, 7]) {
    await clearPause("many-steps");
    await waitForStatus(
      "many-steps",
      ({ currentStepIndex, message }) => currentStepIndex === index && message === "CanaryPauseStep",
    );
  }
  await signIn(page, "operator", ownPath("many-steps"));
  const current = page.getByRole("region", { name: /^Steps:/ }).locator("[aria-current=step]");
  await expect(current).toHaveText(/^8 · wait/);
  await expect(current).toBeInViewport({ ratio: 1 });
  await clearPause("many-steps");
  await expect(current).toHaveText(/^10 · wait/);
  await expect(current).toBeInViewport({ ratio: 1 });
});
