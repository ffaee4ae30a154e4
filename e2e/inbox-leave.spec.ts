import { expect, type Page } from "@playwright/test";
import { inboxRow, signIn, test } from "./pages.ts";
import { clearPause, createRollout, releaseVersion, waitForStatus } from "./sandbox.ts";

// This spec tests the animation.
test.use({ contextOptions: { reducedMotion: "no-preference" } });

/** Creates a rollout that waits at its last step: once it continues, it needs no further answer. */
async function createLastPause(name: string): Promise<void> {
  await createRollout(name, [{ setWeight: 50 }, { pause: {} }]);
  await releaseVersion(name, "v2");
  await waitForStatus(name, ({ message }) => message === "CanaryPauseStep");
}

type Fold = { row: string; seconds: number; height: number };

/** Records which rows fold up, how long that takes, and how high they are afterwards. */
async function recordFolds(page: Page): Promise<() => Promise<Fold[]>> {
  await page.evaluate(() => {
    const folds: Fold[] = [];
    Object.assign(window, { folds });
    document.addEventListener("animationend", ({ target, elapsedTime }) => {
      if (target instanceof HTMLElement && target.dataset.row !== undefined)
        folds.push({ row: target.dataset.row, seconds: elapsedTime, height: target.offsetHeight });
    });
  });
  return () => page.evaluate(() => (window as unknown as { folds: Fold[] }).folds);
}

test("a row that no longer waits turns grey, then folds up, but not below the pointer; screen readers are told", async ({
  page,
}) => {
  await test.step("a row that no longer waits turns grey in its place, then folds up; screen readers are told", async () => {
    await createLastPause("leaves");
    await signIn(page, "viewer");
    const row = inboxRow(page, "e2e/leaves");
    await expect(row).toBeVisible();
    await page.mouse.move(0, 0);
    const readFolds = await recordFolds(page);
    await clearPause("leaves");
    await expect(row).toContainText("No longer waiting.");
    const reported = page.getByRole("status").filter({ hasText: "e2e/leaves no longer waits." });
    await expect(reported).toHaveCount(1);
    await expect(row).toBeHidden();
    // It has no height before the end of its animation is announced.
    await expect
      .poll(async () => (await readFolds()).find(({ row: id }) => id.endsWith("/leaves")), "it does not vanish at once")
      .toEqual({ row: expect.any(String), seconds: 0.2, height: 0 });
  });

  await test.step("a row stays while the pointer is over it", async () => {
    await createLastPause("pointed-at");
    await page.goto("/inbox");
    const row = inboxRow(page, "e2e/pointed-at");
    await row.hover();
    await clearPause("pointed-at");
    await expect(row).toContainText("No longer waiting.");
    const left = Date.now();
    await expect.poll(() => Date.now() - left, { timeout: 10_000 }).toBeGreaterThan(4_500);
    await expect(row).toContainText("No longer waiting.");
    await page.mouse.move(0, 0);
    await expect(row).toBeHidden();
  });
});
