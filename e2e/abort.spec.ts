import { expect } from "@playwright/test";
import {
  expectNoFindings,
  expectReadableColours,
  inboxRow,
  openRelease,
  ownPath,
  scenarioName,
  showIn,
  signIn,
  test,
} from "./pages.ts";
import { createPausedRollout } from "./sandbox.ts";

test("a paused release is aborted with a reason, and every page says who did it", async ({ page }) => {
  const reason = "Errors above budget.";
  await createPausedRollout("abort-me");
  await signIn(page, "operator");
  // The palette searches once for what was typed: the rollout must be recorded by then.
  await expect(async () => {
    await page.reload();
    await expect(inboxRow(page, "e2e/abort-me")).toBeVisible({ timeout: 5000 });
  }).toPass();

  await test.step("the palette leads from its name to the dialog, where nothing is done yet", async () => {
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox", { name: "Find" })).toBeFocused();
    await page.keyboard.type("abort abort-me");
    const action = page.getByRole("group", { name: "Actions" }).getByRole("option");
    // Until all of it is typed, other rollouts are found as well.
    await expect(action).toHaveCount(1);
    await expect(action).toHaveText(/^Abort: .*\/abort-me$/);
    await expect(action).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Enter");
    const asked = page.getByRole("dialog", { name: /^Abort: .*\/abort-me$/ });
    await expect(asked).toBeVisible();
    await expect(page).toHaveURL((url) => url.pathname.endsWith("/abort-me") && !url.searchParams.has("do"));
    await page.keyboard.press("Escape");
    await expect(asked).toBeHidden();

    // A link to an action that is not allowed opens nothing.
    await page.goto(`${ownPath("abort-me")}?do=retry`);
    await expect(page.getByRole("button", { name: "Abort", exact: true })).toBeEnabled();
    await expect(page).not.toHaveURL(/do=/);
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  await test.step("in the inbox, with two clicks and a reason", async () => {
    await page.goto("/inbox");
    const row = inboxRow(page, "e2e/abort-me");
    await row.getByRole("button", { name: "Abort e2e/abort-me", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("Optional.");
    await dialog.getByRole("textbox", { name: "Reason" }).fill(reason);
    await dialog.getByRole("button", { name: "Abort abort-me" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText("In effect")).toBeVisible();
  });

  await test.step("the rollout is aborted, and names the person", async () => {
    await page.goto(ownPath("abort-me"));
    await expect(page.getByText("Aborted", { exact: true }).first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Retry" })).toBeEnabled();
    await expect(page.getByRole("button", { name: "Abort", exact: true })).toBeHidden();
    await page.getByRole("button", { name: /^More actions on / }).click();
    await page.getByRole("menuitem", { name: /not possible now$/ }).click();
    await expect(page.getByRole("menuitem", { name: /^Abort/ })).toHaveAttribute("aria-disabled", "true");
    await page.keyboard.press("Escape");

    await page.getByRole("tab", { name: "Audit" }).click();
    const aborts = page.getByRole("region", { name: "Who aborted it" });
    await expect(aborts).toContainText("operator aborted e2e/abort-me");
    await expect(aborts).toContainText(reason);
    await expect(
      page
        .getByRole("listitem")
        .filter({ hasText: /operator.*abort/i })
        .first(),
    ).toContainText("e2e/abort-me");
  });

  await test.step("the audit log finds it by filters that live in the URL", async () => {
    await page.goto("/audit?name=abort-me&outcome=applied");
    const entries = page.getByRole("list", { name: "Audit entries, newest first" }).getByRole("listitem");
    await expect(entries).toHaveCount(1);
    await page.getByRole("combobox", { name: "Source" }).selectOption("system");
    await expect(page).toHaveURL(/source=system/);
    await expect(page.getByText("No entry matches")).toBeVisible();
    await page.getByRole("combobox", { name: "Source" }).selectOption("gatehouse");
    await expect(entries).toHaveCount(1);
    await page.getByRole("combobox", { name: "Time" }).selectOption("own");
    await page.getByLabel(/^To, in the time zone/).fill("2001-01-01T00:00");
    // While the router catches up, the address may go back to the one before for a moment: a reload could take that.
    let address = "";
    await expect.poll(() => (address = page.url())).toMatch(/[?&]to=200/);
    await expect(page.getByText("No entry matches")).toBeVisible();
    await page.goto(address);
    await expect(page.getByLabel(/^To, in the time zone/)).toHaveValue("2001-01-01T00:00");
  });

  await test.step("who aborted what lists it beside the controllers' aborts, with the cause or the reason", async () => {
    const { namespace, name } = scenarioName("failed");
    await page.goto("/audit");
    await page
      .getByRole("navigation", { name: "Common views" })
      .getByRole("link", { name: "Who aborted what", exact: true })
      .click();
    await expect(page).toHaveURL(/report=aborts/);
    const table = page.getByRole("table", { name: /^Aborted releases/ });
    const mine = table.getByRole("row").filter({ hasText: "e2e/abort-me" });
    await expect(mine).toContainText("operator");
    await expect(mine).toContainText(reason);
    await expect(mine.getByRole("link", { name: /^entry \d+$/ })).toBeVisible();
    const theirs = table
      .getByRole("row")
      .filter({ hasText: `${namespace}/${name}` })
      .first();
    await expect(theirs).toContainText("Argo Rollouts controller");
    await expect(theirs).toContainText(/dependency-errors failed \d+ times \(\d+ allowed\)/);

    await page.getByLabel("Rollout").fill("abort-me");
    await expect(table.getByRole("row")).toHaveCount(2);
    await theirs.waitFor({ state: "detached" });
  });

  await test.step("its release says so at one glance, and leads to the audit entry", async () => {
    await page.goto("/releases?name=abort-me");
    const row = page.getByRole("table", { name: "Releases" }).getByRole("row").filter({ hasText: "Aborted" });
    const acts = row.getByRole("list", { name: "Who did what" });
    await expect(acts).toContainText("operator aborted it at 50 %");
    await expect(acts).toContainText(reason);
    await acts.getByRole("link", { name: /^entry \d+$/ }).click();
    await expect(page).toHaveURL(/\/audit\/\d+$/);
    await expect(page.getByRole("main")).toContainText("e2e/abort-me");

    await page.goto(`${ownPath("abort-me")}?tab=releases`);
    await expect(page.getByRole("list", { name: "Who did what" })).toContainText("operator aborted it at 50 %");
  });

  await test.step("its release is replayed by keyboard, and its address keeps the moment", async () => {
    await openRelease(page, { name: "abort-me", version: "v2" });
    const main = page.getByRole("main");
    await expect(main).toContainText("Aborted");
    await expect(page).toHaveTitle(/e2e\/abort-me revision 2/);
    await expect(main.getByRole("region", { name: "Who did what" })).toContainText(reason);
    await expect(main.getByRole("region", { name: "Changes", exact: true })).toContainText(
      /abort-me:v1 → .*abort-me:v2/,
    );
    await expect(main.getByRole("region", { name: "Changes of the pod template" })).toContainText("+");
    await expect(main.getByRole("region", { name: /Where the time/ })).toContainText("waiting for a person");
    await expectNoFindings(page, "page of a release");

    const slider = main.getByRole("slider", { name: "Moment of the release" });
    await slider.focus();
    await page.keyboard.press("Home");
    await expect(slider).toHaveAttribute("aria-valuetext", /at \d+ %, step 1 of \d, progressing/);
    // From change to change, until it waits.
    await expect(async () => {
      await page.keyboard.press("ArrowRight");
      await expect(slider).toHaveAttribute("aria-valuetext", /waiting for a person/, { timeout: 200 });
    }).toPass();
    const moment = main.getByRole("region", { name: /^At / });
    await expect(moment.getByRole("list", { name: "Possible actions" })).toContainText("Continue");
    await expect(moment).toContainText("Waits for a person");
    await expect(page).toHaveURL(/\?at=20\d\d-/);
    await expectNoFindings(page, "page of a release, replayed");

    await showIn(page, "dark");
    await expectReadableColours(page, "page of a release, replayed, in dark");
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);

    await page.reload();
    await expect(moment.getByRole("list", { name: "Possible actions" })).toContainText("Continue");
    await page.getByRole("button", { name: "Close replay" }).click();
    await expect(moment).toBeHidden();
    await expect(page).not.toHaveURL(/at=/);
  });
});
