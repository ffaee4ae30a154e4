import { expect, type Page } from "@playwright/test";
import { expectNoFindings, expectNoFindingsInBoth, scenarioPath, showIn, signIn, test } from "./pages.ts";

const column = (page: Page, version: RegExp) => page.getByRole("region", { name: version });
const newOne = (page: Page) => column(page, /^Log of .*, new/);
const stable = (page: Page) => column(page, /^Log of .*, stable/);

test("an operator follows canary and stable beside each other, of both controllers", async ({ page }) => {
  await test.step("an operator follows canary and stable beside each other, searches, and looks before a restart", async () => {
    await signIn(page, "operator", `${scenarioPath("long")}?tab=logs`);
    for (const version of [newOne(page), stable(page)]) {
      await expect(version.getByRole("log")).toContainText('msg="request"');
      await expect(version.getByText("Following")).toBeVisible();
    }
    const [left, right] = await Promise.all([newOne(page).boundingBox(), stable(page).boundingBox()]);
    expect(left?.y).toBe(right?.y);
    expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThanOrEqual(right?.x ?? 0);

    // New lines come by themselves; scrolled up, they wait behind a button.
    const lines = newOne(page).getByRole("log");
    const before = await lines.locator("time").last().textContent();
    await expect(lines.locator("time").last()).not.toHaveText(before ?? "");
    const more = newOne(page).getByRole("button", { name: /\d+ new lines?/ });
    // A line that arrives in the same instant keeps the log at its end: a person would turn the wheel on.
    await expect(async () => {
      await lines.evaluate((element) => element.scrollTo({ top: 0 }));
      await expect(more).toBeVisible({ timeout: 3_000 });
    }).toPass();
    await more.click();
    await expect(more).toBeHidden();

    await page.getByRole("searchbox", { name: "Find in lines" }).fill("path=/healthz");
    // By keyboard: the bar of actions may lie over a switch that the browser has scrolled to.
    await page.getByRole("switch", { name: "Follow" }).press("Space");
    await newOne(page).getByRole("button", { name: "Next matching line" }).click();
    await expect(lines.locator("mark").first()).toHaveText("path=/healthz");
    await page.getByRole("switch", { name: "Only matching lines" }).press("Space");
    await expect(lines).not.toContainText("path=/v1/");

    await page.getByRole("button", { name: "Clear Find in lines" }).click();
    await page.getByText("Before the restart").click();
    await expect(lines).toContainText("panic: runtime error");
    await expect(newOne(page).getByText("Complete")).toBeVisible();

    // The proxy colours its lines for a terminal: the page shows the words alone.
    await page.getByRole("combobox", { name: "Container" }).selectOption({ label: "proxy (sidecar)" });
    await expect(lines).toContainText("[info] ");
    await expect(lines).not.toContainText("[32m");
    await expectNoFindingsInBoth(page, "logs");
    await showIn(page, "light");
  });

  await test.step("a canary of the other controller has logs too", async () => {
    await page.goto(`${scenarioPath("flaggerPromotion")}?tab=logs`);
    await expect(stable(page).getByRole("log")).toContainText("level=info");
  });
});

test("a measurement that failed leads to the lines around it: from its rollout, from the table and from the chart", async ({
  page,
}) => {
  await test.step("a measurement that failed leads to the lines around it, and says if its pods are gone", async () => {
    await signIn(page, "operator", scenarioPath("failed"));
    await page
      .getByRole("link", { name: /logs around measurement \d+ of dependency-errors, Failed/ })
      .first()
      .click();
    await expect(page.getByText("One minute before and after")).toBeVisible();
    await expect(newOne(page)).toContainText(/has no pods now|The pods of that time are gone/);
    await expect(newOne(page).getByRole("link", { name: /^Logs: / })).toBeVisible();
    await expect(stable(page).getByRole("log")).toContainText("level=info");
    await page.getByRole("button", { name: "Show the newest lines" }).click();
    await expect(stable(page).getByText("Following")).toBeVisible();
  });

  await test.step("the table of a run leads to the lines too", async () => {
    await page.goto(scenarioPath("failed"));
    await page
      .getByRole("link", { name: /^Every measurement of/ })
      .first()
      .click();
    await page
      .getByRole("row")
      .getByRole("link", { name: /^Logs around measurement/ })
      .first()
      .click();
    await expect(page.getByText("One minute before and after")).toBeVisible();
  });

  await test.step("the point of a measurement that failed leads to the lines around it, by keyboard and by click", async () => {
    await page.goto(`${scenarioPath("failed")}?tab=analysis`);
    await page.getByRole("table", { name: "Analysis runs" }).getByRole("link").first().click();
    // The rollout's page has a chart of that metric too.
    await page.waitForURL(/\/analysis-runs\//);
    const chart = page.getByRole("slider", { name: /Chart of dependency-errors/ });
    await chart.focus();
    await page.keyboard.press("Home");
    await expect(chart).toHaveAttribute("aria-valuetext", /^No\. 1: .*Successful/);
    // A point that succeeded leads nowhere.
    await page.keyboard.press("Enter");
    await expect(chart).toBeFocused();
    await page.keyboard.press("End");
    await expect(chart).toHaveAttribute("aria-valuetext", /Failed.*Enter opens the logs around it$/);
    const address = page.url();
    await page.keyboard.press("Enter");
    await expect(page.getByText("One minute before and after")).toBeVisible();

    await page.goBack();
    await expect(page).toHaveURL(address);
    await chart.focus();
    await page.keyboard.press("End");
    await expect(page.getByText("Click the point or press Enter")).toBeVisible();
    const marked = chart.locator("> svg").last().locator("path, circle").last();
    const box = await marked.boundingBox();
    if (box === null) throw new Error("the point has no place");
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await expect(page.getByText("One minute before and after")).toBeVisible();
  });
});

test("the pods of an experiment can be chosen, and its page leads to their logs", async ({ page }) => {
  await signIn(page, "operator", scenarioPath("experiment"));
  // One that has ended has no pods, and no such link.
  const logs = page.getByRole("link", { name: "Logs of candidate" });
  const panel = page.getByRole("region", { name: /^Experiment / }).filter({ has: logs });
  await panel.getByRole("link", { name: /^Open experiment/ }).click();
  await expect(page.getByRole("heading", { name: "Side by side" })).toBeVisible();
  await logs.click();
  const candidate = column(page, /^Log of .*, candidate of experiment/);
  await expect(candidate.getByRole("log")).toContainText("level=info");
  await expect(column(page, /^Log of .*, baseline of experiment/).getByRole("log")).toContainText("level=info");
  await expectNoFindings(page, "logs of an experiment");
});
