import { expect, type Locator, type Page } from "@playwright/test";
import { expectNoFindings, inboxRow, openRow, signIn, test } from "./pages.ts";
import { createInconclusiveRollout, createPausedRollout } from "./sandbox.ts";

const rowsOf = (page: Page) => page.getByRole("region", { name: "Waiting" }).locator("[data-row]");

/** The live traffic of each of these rows in percent; zero if it is unknown. */
async function trafficOf(rowsOfGroup: Locator): Promise<number[]> {
  const texts = await rowsOfGroup.evaluateAll((rows) =>
    rows.map((row) => {
      const cells = [...row.querySelectorAll("span")].map(({ textContent }) => textContent);
      const traffic = cells.find((text) => /^(unknown|[\d.]+\s%)(live traffic|on \S+)$/.test(text));
      return traffic ?? "missing";
    }),
  );
  return texts.map((text) => (text.startsWith("unknown") ? 0 : Number.parseFloat(text)));
}

test("the inbox puts live repairs and decisions first, in columns, and folds away what was acknowledged", async ({
  page,
}) => {
  await test.step("only live repairs come before decisions, in each group what serves traffic, and every page has the same count", async () => {
    await signIn(page, "operator");
    await expect(rowsOf(page).nth(6)).toBeVisible();
    const headings = page.getByRole("region", { name: "Waiting" }).getByRole("heading", { level: 2 });
    await page.mouse.move(0, 0);
    await expect(async () => {
      const words = await headings.allTextContents();
      const critical = await trafficOf(page.getByRole("list", { name: /^Fix/ }).locator("[data-severity=critical]"));
      // A critical repair of a version with live traffic comes before every decision.
      const isUrgent = critical.some((percent) => percent > 0);
      const titles = isUrgent ? ["Fix", "Decide"] : ["Decide", "Fix"];
      expect(words.map((text) => text.replace(/ \d+$/, ""))).toEqual(titles);
      for (const text of words) {
        const traffic = await trafficOf(page.getByRole("list", { name: text, exact: true }).locator("[data-row]"));
        expect(traffic).toHaveLength(Number(/\d+$/.exec(text)?.[0]));
        expect(traffic).toEqual(traffic.toSorted((one, other) => other - one));
      }
      const count = await rowsOf(page).count();
      await expect(page).toHaveTitle(new RegExp(`^\\(${count}\\) `), { timeout: 1_000 });
      await expect(page.getByRole("link", { name: /^Inbox/ }).first()).toContainText(String(count), { timeout: 1_000 });
    }).toPass();
    await expectNoFindings(page, "the inbox");
  });

  await test.step("columns line up over all rows, and one button is filled", async () => {
    const rollout = "e2e/in-columns";
    await Promise.all(["in-columns", "in-columns-too"].map((name) => createInconclusiveRollout(name)));
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto("/inbox");
    const row = inboxRow(page, rollout);
    await expect(row).toBeVisible();
    await openRow(row);
    for (const words of ["pass ≥ 1.5", "fail < 0.5", "3 inconclusive, 2 allowed"])
      await expect(row.getByText(words).filter({ visible: true })).toBeVisible();

    const other = inboxRow(page, "e2e/in-columns-too");
    await expect(other).toBeVisible();
    await openRow(other);
    const lines = page.locator("[data-row] [data-short]").filter({ visible: true });
    const lefts = await lines.evaluateAll((metrics) =>
      metrics.map((line) => [...line.children].map((cell) => Math.round(cell.getBoundingClientRect().left)).join()),
    );
    expect(lefts.length).toBeGreaterThan(1);
    expect(new Set(lefts).size, "all metrics have the same columns").toBe(1);

    const cells = page.locator("[data-row]:not([data-open]) > :first-child");
    const boxes = await cells.evaluateAll((lines) =>
      lines.map((line) => ({
        height: line.getBoundingClientRect().height,
        lefts: [...line.children]
          .map((cell) => Math.round(cell.getBoundingClientRect().left))
          .slice(0, 4)
          .join(),
      })),
    );
    expect(boxes.length).toBeGreaterThan(5);
    expect(new Set(boxes.map(({ lefts }) => lefts)).size, "all rows have the same columns").toBe(1);
    const usual = boxes.filter(({ height }) => height <= 48).length;
    expect(usual, "a row is a line").toBeGreaterThan(boxes.length / 2);

    const filled = () =>
      page.locator("[data-lead]").evaluateAll((buttons) => {
        const colours = buttons.map((button) => getComputedStyle(button).backgroundColor);
        const usual = colours.toSorted(
          (one, other) => colours.filter((is) => is === other).length - colours.filter((is) => is === one).length,
        )[0];
        return buttons.filter((_, index) => colours[index] !== usual).map((button) => button.textContent);
      });
    await page.mouse.move(0, 0);
    await page.getByRole("heading", { level: 1 }).click();
    // The first row may be Inconclusive: nothing that sets a result aside is filled.
    expect((await filled()).length).toBeLessThanOrEqual(1);
    await row.getByRole("link", { name: rollout, exact: true }).focus();
    // The page has scrolled: the row below the pointer is another one now, and fills its button too.
    await page.mouse.move(0, 0);
    expect(await filled()).toEqual([]);
  });

  await test.step("a row that is acknowledged is folded away, and says by whom and why", async () => {
    const rollout = "e2e/folded";
    await createPausedRollout("folded");
    await page.goto("/inbox");
    const row = inboxRow(page, rollout);
    await expect(row).toContainText("waiting for you");
    await row.getByRole("button", { name: `Acknowledge ${rollout}` }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Reason" }).fill("Waits for the weekend.");
    await dialog.getByRole("button", { name: "Acknowledge folded" }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole("heading", { level: 1 }).click();
    await page.mouse.move(0, 0);
    // It folds up first.
    await expect(row).toHaveCount(0);
    const fold = page.getByRole("button", { name: /\d+ acknowledged/ });
    await expect(fold).toHaveAttribute("aria-expanded", "false");
    await fold.click();
    await expect(row).toContainText("Acknowledged by operator");
    await expect(row).toContainText("Waits for the weekend.");
    await row.getByRole("button", { name: `Put ${rollout} back into the inbox` }).click();
    // Nothing comes while somebody points at the list.
    await page.getByRole("heading", { level: 1 }).click();
    await page.mouse.move(0, 0);
    await expect(page.getByRole("region", { name: "Waiting" }).filter({ has: row })).toBeVisible();
  });
});
