import { expect } from "@playwright/test";
import { ownPath, scenarioPath, signIn, test } from "./pages.ts";
import { clearPause, createPausedRollout, createRollout, releaseVersion, waitForStatus } from "./sandbox.ts";

test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

/** The lists by their paths. A narrow screen has no head of a table to sort by. */
const lists = new Map([
  ["/rollouts", "Rollouts"],
  ["/releases", "Releases"],
  ["/analysis-runs", "Analysis runs"],
  ["/experiments", "Experiments"],
  ["/templates", "Templates"],
]);

const longName = `long-${"name-".repeat(18)}end`;

test("no page scrolls sideways at 360 px, not even with a long name, and each can be reached", async ({ page }) => {
  await test.step("no page scrolls sideways at 360 px, not even with a long name", async () => {
    await createPausedRollout(longName);
    await signIn(page, "operator");
    const paths = [
      "/inbox",
      ...lists.keys(),
      "/audit",
      "/audit/1",
      "/sources",
      "/settings",
      "/device",
      "/templates/demo/accounts/AnalysisTemplate/login-smoke",
      scenarioPath("experiment"),
      `${scenarioPath("blueGreen")}?events=all`,
      scenarioPath("failed"),
      scenarioPath("long"),
      scenarioPath("flapping"),
      `${scenarioPath("failed")}?tab=object`,
      `${scenarioPath("failed")}?tab=audit`,
      ownPath(longName),
    ];
    for (const path of paths) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByRole("main").locator("[aria-busy=true]")).toHaveCount(0);
      const list = lists.get(path);
      if (list !== undefined) {
        await expect(page.getByRole("list", { name: list }).getByRole("listitem").first()).toBeVisible();
        await expect(page.getByRole("combobox", { name: "Sorted by" })).toBeVisible();
      }
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, path).toBeLessThanOrEqual(0);
    }
    const bar = page.getByRole("region", { name: /^Steps:/ });
    await expect(bar.locator("[aria-current=step]")).toContainText("waiting for you");
    await page.getByRole("button", { name: "Abort" }).click();
    const confirm = page.getByRole("dialog").getByRole("button", { name: `Abort ${longName}` });
    await expect(confirm).toBeInViewport();
  });

  await test.step("every page and the search can be reached at 360 px", async () => {
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
  await expect(current).toHaveText(/^8 wait/);
  await expect(current).toBeInViewport({ ratio: 1 });
  await clearPause("many-steps");
  await expect(current).toHaveText(/^10 wait/);
  await expect(current).toBeInViewport({ ratio: 1 });
});
