import { expect, type Locator } from "@playwright/test";
import { inboxRow, signIn, test } from "./pages.ts";
import { createPausedRollout } from "./sandbox.ts";

/** Returns the lower edge of an element, and its upper one. */
async function edgesOf(locator: Locator): Promise<{ top: number; bottom: number }> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error("not on the page");
  return { top: box.y, bottom: box.y + box.height };
}

const screens = [
  { width: 380, height: 700, name: "toasted-380" },
  { width: 1280, height: 720, name: "toasted-1280" },
];

test("a toast leaves the last row's buttons free, on a phone and on a wide screen", async ({ page }) => {
  await Promise.all(screens.map(({ name }) => createPausedRollout(name)));
  await signIn(page, "operator");
  for (const { width, height, name } of screens) {
    await page.setViewportSize({ width, height });
    const row = inboxRow(page, `e2e/${name}`);
    await row.getByRole("button", { name: /^Abort/ }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: `Abort ${name}` })
      .click();
    await expect(page.getByRole("dialog")).toBeHidden();
    const toast = page.getByRole("alert").filter({ hasText: name });
    await expect(toast).toContainText("In effect");

    await page.mouse.move(0, 0);
    const rows = page.getByRole("main").locator("[data-row]");
    await expect(async () => {
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      const [last, over] = [await edgesOf(rows.last()), await edgesOf(toast)];
      expect(last.bottom).toBeLessThanOrEqual(over.top);
    }).toPass();
    if (width < 900) {
      const bar = await edgesOf(page.getByRole("navigation", { name: "Main" }));
      expect((await edgesOf(toast)).bottom).toBeLessThanOrEqual(bar.top);
    }

    await toast.getByRole("button", { name: "Close" }).click();
    await expect(toast).toBeHidden();
    const readRoom = () => page.evaluate(() => document.documentElement.style.getPropertyValue("--gh-toast-room"));
    expect(await readRoom(), "the page does not move when the toast goes").not.toBe("");
    await page.evaluate(() => window.scrollTo(0, 0));
    await expect.poll(readRoom).toBe("");
  }
});
