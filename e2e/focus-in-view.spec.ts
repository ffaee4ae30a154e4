import { expect, type Page } from "@playwright/test";
import { ownPath, signIn, test } from "./pages.ts";
import { createInconclusiveRollout } from "./sandbox.ts";

type Stop = {
  /** Undefined if the focus has left the page. */
  name: string | undefined;
  scrollY: number;
  isInActions: boolean;
  /** Messages about elements that lie over the focused element, or cut it off. */
  covered: string[];
};

/** Reads the focused element, and the elements that cover it. */
async function readStop(): Promise<Stop> {
  // With reduced motion, every style change is a transition that takes no time, but a frame.
  for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  const focused = document.activeElement;
  const { scrollY, innerHeight } = window;
  if (!(focused instanceof HTMLElement) || focused === document.body)
    return { name: undefined, scrollY, isInActions: false, covered: [] };
  const name = focused.getAttribute("aria-label") ?? focused.textContent?.slice(0, 60) ?? "";
  const isInActions = focused.closest('[role="group"][aria-label^="Actions on"]') !== null;
  const box = focused.getBoundingClientRect();
  const covered = [...document.querySelectorAll<HTMLElement>("body *")].flatMap((bar) => {
    const { position } = getComputedStyle(bar);
    if ((position !== "fixed" && position !== "sticky") || bar.contains(focused) || focused.contains(bar)) return [];
    const over = bar.getBoundingClientRect();
    const [left, right] = [Math.max(box.left, over.left), Math.min(box.right, over.right)];
    const [top, bottom] = [Math.max(box.top, over.top), Math.min(box.bottom, over.bottom)];
    if (right - left < 1 || bottom - top < 1) return [];
    const shown = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return bar.contains(shown) ? [`${bar.tagName} covers ${Math.round(bottom - top)} px of ${name}`] : [];
  });
  // A frame of text that is higher than the screen cannot be shown as a whole.
  const isCut = box.height < innerHeight / 3 && (box.top < -1 || box.bottom > innerHeight + 1);
  // Large frames may reach below a bar, as long as most of them is shown.
  const isLarge = box.height > innerHeight / 3;
  return {
    name,
    scrollY,
    isInActions,
    covered: [...(isLarge ? [] : covered), ...(isCut ? [`${name} is out of view`] : [])],
  };
}

/** Presses the key until the focus leaves the page or is at its first stop again. */
async function walk(page: Page, key: "Tab" | "Shift+Tab", most: number): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press(key);
    let stop = await page.evaluate(readStop);
    // Arriving data moves the page: a person looks again.
    for (let looks = 0; stop.covered.length > 0 && looks < 10; looks += 1) {
      await page.waitForTimeout(100);
      stop = await page.evaluate(readStop);
    }
    if (stop.name === undefined) break;
    stops.push(stop);
    if (key === "Tab" ? stops.length > 5 && stop.name === stops[0]?.name : stop.name === "Skip to content") break;
  }
  return stops;
}

/** Goes through the stops of the page, `most` of them, and back, and expects each in full view. */
async function expectFocusInView(page: Page, most = 200): Promise<Stop[]> {
  const stops = [...(await walk(page, "Tab", most)), ...(await walk(page, "Shift+Tab", most))];
  expect(stops.length).toBeGreaterThan(20);
  expect(stops.flatMap(({ covered }) => covered)).toEqual([]);
  return stops;
}

const screens = [
  { width: 380, height: 700 },
  { width: 1280, height: 720 },
];

test("nothing that stays in place covers the focus, on a phone and on a wide screen", async ({ page }) => {
  const name = "in-view";
  await createInconclusiveRollout(name);
  for (const viewport of screens) {
    await page.setViewportSize(viewport);
    await signIn(page, "operator", ownPath(name));
    await expect(page.getByRole("button", { name: "Accept and continue" })).toBeVisible();
    await expect(page.getByRole("main").locator("[aria-busy=true]")).toHaveCount(0);
    await expect(page.getByRole("main").getByRole("slider").first()).toBeVisible();

    const stops = await expectFocusInView(page);
    expect(Math.max(...stops.map(({ scrollY }) => scrollY)), "the page scrolls with the focus").toBeGreaterThan(100);
    const ofActions = stops.filter(({ isInActions }) => isInActions);
    expect(ofActions.length).toBeGreaterThan(3);
    // The bar of actions is always in view: moving within it scrolls nothing.
    const forward = ofActions.slice(0, ofActions.length / 2).map(({ scrollY }) => scrollY);
    expect(new Set(forward.slice(1)).size).toBe(1);

    // Another button, or a longer reason, makes the bar higher: it must not grow over the focus.
    const chart = page.getByRole("main").getByRole("slider").first();
    await chart.focus();
    await page.keyboard.press("Tab");
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await page.keyboard.press("Shift+Tab");
    await expect(chart).toBeFocused();
    await page.getByRole("group", { name: /^Actions on/ }).evaluate((bar) => {
      bar.style.paddingBottom = "100px";
    });
    await expect.poll(async () => (await page.evaluate(readStop)).covered).toEqual([]);

    await page.getByRole("tab", { name: "Analysis" }).click();
    await page
      .getByRole(viewport.width < 640 ? "list" : "table", { name: "Analysis runs" })
      .getByRole("link")
      .first()
      .click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Inconclusive");
    await expect(page.getByRole("slider").first()).toBeVisible();
    await expectFocusInView(page);

    await page.goto("/inbox");
    await expect(page.getByRole("region", { name: "Waiting" }).getByRole("link").first()).toBeVisible();
    // Its rows are alike: those of a few screens are enough.
    await expectFocusInView(page, 80);
  }
});
