import { expect, type Page, test } from "@playwright/test";
import { inboxRow, signIn } from "./pages.ts";
import { clearPause, createRollout, releaseVersion, waitForStatus } from "./sandbox.ts";

// The animation is what is asked for here.
test.use({ contextOptions: { reducedMotion: "no-preference" } });

/** Waits at its last step: once it continues, it needs nobody. */
async function createLastPause(name: string): Promise<void> {
  await createRollout(name, [{ setWeight: 50 }, { pause: {} }]);
  await releaseVersion(name, "v2");
  await waitForStatus(name, ({ message }) => message === "CanaryPauseStep");
}

/** Records the heights that the row has until it is gone. */
async function recordHeights(page: Page, name: string): Promise<() => Promise<number[]>> {
  await page.evaluate((id) => {
    const heights: number[] = [];
    Object.assign(window, { heights });
    const row = [...document.querySelectorAll<HTMLElement>("[data-row]")].find(({ dataset }) =>
      dataset.row?.endsWith(id),
    );
    const record = () => {
      if (row === undefined || !row.isConnected) return;
      heights.push(row.offsetHeight);
      requestAnimationFrame(record);
    };
    record();
  }, `/${name}`);
  return () => page.evaluate(() => (window as unknown as { heights: number[] }).heights);
}

test("a row that no longer waits dims in its place, then folds up; screen readers are told", async ({ page }) => {
  await createLastPause("leaves");
  await signIn(page, "viewer");
  const row = inboxRow(page, "e2e/leaves");
  await expect(row).toBeVisible({ timeout: 60_000 });
  await page.mouse.move(0, 0);
  const readHeights = await recordHeights(page, "leaves");
  await clearPause("leaves");
  await expect(row).toContainText("No longer waiting.", { timeout: 30_000 });
  const told = page.getByRole("status").filter({ hasText: "e2e/leaves no longer waits." });
  await expect(told).toHaveCount(1);
  await expect(row).toBeHidden({ timeout: 10_000 });
  const heights = await readHeights();
  const full = heights[0] ?? 0;
  expect(heights.length, "it was there for a while").toBeGreaterThan(20);
  expect(full).toBeGreaterThan(60);
  expect(
    heights.some((height) => height > 0 && height < full / 2),
    "it gets lower, and does not vanish at once",
  ).toBe(true);
});

test("a row stays while the pointer is over it", async ({ page }) => {
  await createLastPause("pointed-at");
  await signIn(page, "viewer");
  const row = inboxRow(page, "e2e/pointed-at");
  await row.hover({ timeout: 60_000 });
  await clearPause("pointed-at");
  await expect(row).toContainText("No longer waiting.", { timeout: 30_000 });
  const left = Date.now();
  await expect.poll(() => Date.now() - left, { timeout: 10_000 }).toBeGreaterThan(4_500);
  await expect(row).toContainText("No longer waiting.");
  await page.mouse.move(0, 0);
  await expect(row).toBeHidden();
});
