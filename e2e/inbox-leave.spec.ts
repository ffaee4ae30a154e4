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

test("rows that no longer wait turn grey, then fold up, but not below the pointer; screen readers are told, and a release names the person", async ({
  page,
}) => {
  const names = ["leaves-one", "leaves-two"];
  await Promise.all(names.map(createLastPause));
  await signIn(page, "viewer");
  const places = await Promise.all(
    names.map(async (name) => {
      const row = inboxRow(page, `e2e/${name}`);
      await expect(row).toBeVisible();
      return { name, row, top: (await row.boundingBox())?.y ?? 0 };
    }),
  );
  const [upper, lower] = places.toSorted((one, other) => one.top - other.top);
  if (upper === undefined || lower === undefined) throw new Error("there are no two rows");
  await upper.row.hover();
  const readFolds = await recordFolds(page);
  for (const { row, name } of [upper, lower]) {
    await clearPause(name);
    await expect(row).toContainText("No longer waiting.");
    const reported = page.getByRole("status").filter({ hasText: `e2e/${name} no longer waits.` });
    await expect(reported).toHaveCount(1);
  }
  await expect(lower.row).toBeHidden();
  await expect(upper.row).toContainText("No longer waiting.");
  await page.mouse.move(0, 0);
  await expect(upper.row).toBeHidden();
  // It has no height before the end of its animation is announced.
  const folded = { row: expect.any(String), seconds: 0.2, height: 0 };
  for (const { name } of places)
    await expect
      .poll(async () => (await readFolds()).find(({ row }) => row.endsWith(name)), "it does not vanish at once")
      .toEqual(folded);

  await test.step("what was done without Gatehouse names the person whom the API server names", async () => {
    await page.goto(`/releases?name=${lower.name}`);
    const acts = page.getByRole("list", { name: "Who did what" });
    await expect(acts).toContainText(/kubernetes-admin, with \S+ continued it/);
  });
});
