import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, expect, type Page } from "@playwright/test";
import type { RunningDemo } from "#test/start-demo.ts";
import { expectNoFindings, expectReasonOnHover, type Role, signInAnew, test } from "../pages.ts";

/** The demo must play faults. Its config is changed, and mended again. */
export function testHeldObjects(given: () => RunningDemo, dataDirectory: () => string): void {
  let running: RunningDemo;
  let admin: Page;
  let operator: Page;

  test.beforeAll(async ({ browser }) => {
    running = given();
    admin = await openPage(browser, "admin", "/sources");
    operator = await openPage(browser, "operator", `/rollouts/${running.demo.scenarios.inconclusiveInline}`);
  });
  test.afterAll(() => Promise.all([admin, operator].map((page) => page.context().close())));

  async function openPage(browser: Browser, role: Role, path: string): Promise<Page> {
    const page = await (await browser.newContext({ baseURL: running.demo.url })).newPage();
    await signInAnew(page, role, path, running.demo.accounts);
    return page;
  }

  const advance = () => operator.getByRole("button", { name: "Accept and continue" });
  const row = (kind: string) =>
    admin.getByRole("row").filter({ has: admin.getByRole("rowheader", { name: kind, exact: true }) });
  const banner = (page: Page, text: RegExp) => page.getByRole("status").filter({ hasText: text });

  async function play(fault: string, resource: string): Promise<void> {
    await admin.goto("/faults");
    await admin.getByLabel("Fault", { exact: true }).selectOption(fault);
    await admin.getByLabel("Resource").selectOption(resource);
    await admin.getByLabel("Seconds").fill("600");
    await admin.getByRole("button", { name: /^Play / }).click();
    await expect(admin.getByRole("region", { name: "On now" }).getByRole("listitem")).toContainText(
      new RegExp(`${resource} · \\d+ min( \\d+ s)? left`),
    );
  }

  async function endFaults(): Promise<void> {
    await admin.goto("/faults");
    await admin.getByRole("button", { name: "End all" }).click();
    await expect(admin.getByText("No active faults")).toBeVisible();
  }

  /** At 360 px nothing may scroll sideways. */
  async function expectNarrowFits(page: Page): Promise<void> {
    const size = page.viewportSize();
    await page.setViewportSize({ width: 360, height: 740 });
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
      .toBeLessThanOrEqual(0);
    if (size !== null) await page.setViewportSize(size);
  }

  async function expectOnlySeenByOperator(): Promise<void> {
    const rolloutPath = new URL(operator.url()).pathname;
    await operator.goto("/sources");
    await operator.getByRole("button", { name: "Show held objects" }).click();
    const dialog = operator.getByRole("dialog");
    await expect(dialog.getByRole("list", { name: "Held objects" })).toContainText("payments/");
    await expect(dialog).toContainText("An admin of the cluster can release them");
    await expect(dialog.getByRole("button", { name: /^Release/ })).toHaveCount(0);
    await operator.goto(rolloutPath);
  }

  test("a list that is suddenly empty is held: the page says so, and nothing advances", async () => {
    await expect(advance()).not.toHaveAttribute("aria-disabled", "true");
    expect((await operator.request.get("/faults")).status(), "only an admin plays faults").toBe(404);
    await play("empty", "rollouts");
    await expectNoFindings(admin, "faults");
    await expectNarrowFits(admin);

    await admin.getByRole("link", { name: "Sources" }).first().click();
    await expect(row("Rollout")).toContainText("Suspect");
    await expect(row("Rollout")).toContainText(/shows no Rollout at all\. \d+ Rollouts are held, not marked gone/);
    await expect(admin.getByRole("main")).toContainText(/12 sources: 1 suspect, 11 live · [\d,]+ objects, \d+ held/);
    for (const page of [admin, operator])
      await expect(banner(page, /suddenly shows no Rollouts: \d+ are held/)).toBeVisible();
    await expect(admin.getByRole("link", { name: /^held for .*Sources$/ })).toBeVisible();
    await expectNoFindings(admin, "sources");
    await expectNarrowFits(admin);

    await expect(advance()).toHaveAttribute("aria-disabled", "true");
    await expectReasonOnHover(advance(), /no longer shows this Rollout; whether it is gone/);
    await expect(operator.getByRole("button", { name: "Abort" })).not.toHaveAttribute("aria-disabled", "true");
  });

  test("an admin releases what is held: the objects are gone, the source is live, the audit log has it", async () => {
    // A hold settles itself after 70 s: a new one, so that a slow machine has the time.
    // A watch that opens just after the fault began is told nothing, and the list before it was whole: then once more.
    await expect(async () => {
      await endFaults();
      await admin.goto("/sources");
      await expect(row("Rollout")).toContainText("Live");
      await play("empty", "rollouts");
      await admin.goto("/sources");
      await expect(row("Rollout")).toContainText("Suspect");
    }).toPass();
    await expectOnlySeenByOperator();

    await row("Rollout").getByRole("button", { name: "Show held objects" }).click();
    const dialog = admin.getByRole("dialog");
    await expect(dialog).toContainText(
      /The cluster no longer shows \d+ Rollouts, .* they leave the inbox and the lists/,
    );
    await expectNoFindings(admin, "sources");
    await dialog.getByRole("button", { name: /^Release \d+ Rollouts$/ }).click();
    await expect(dialog).toContainText("Enter a reason.");
    await dialog.getByRole("textbox", { name: "Reason" }).fill("the namespace was cleared");
    await dialog.getByRole("button", { name: /^Release \d+ Rollouts$/ }).click();
    await expect(dialog.getByRole("status")).toContainText(/Done: \d+ Rollouts marked gone/);
    await expect(operator.getByText(/Not in the cluster/).first()).toBeVisible();
    await dialog.getByRole("link", { name: "Audit log" }).click();
    await expect(admin.getByRole("main")).toContainText(
      /confirmed that \d+ held Rollouts of demo are gone · the namespace was cleared/,
    );
    await expect(admin.getByRole("main")).toContainText("played the fault empty on rollouts of the demo's cluster");

    await test.step("what the cluster shows again is recorded again", async () => {
      await endFaults();
      await expect(advance()).not.toHaveAttribute("aria-disabled", "true");
      await expect(banner(operator, /held/)).toHaveCount(0);
    });
  });

  test("a config file that removes the cluster is held: the page says so until the file is mended", async () => {
    const file = join(dataDirectory(), "gatehouse.yaml");
    const good = readFileSync(file, "utf8");
    try {
      writeFileSync(file, good.replace("name: demo", "name: other"));
      await expect(banner(admin, /Config change held/)).toBeVisible();
      await admin.getByRole("button", { name: "Confirm the removal" }).click();
      const dialog = admin.getByRole("dialog");
      await expect(dialog).toContainText("Clusters to be removed: demo");
      await expectNoFindings(admin, "sources");
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await expect(banner(operator, /Config change held/)).toBeVisible();
      await expect(operator.getByRole("button", { name: "Confirm the removal" })).toHaveCount(0);
    } finally {
      writeFileSync(file, good);
    }
    for (const page of [admin, operator]) await expect(banner(page, /[Cc]onfig/)).toHaveCount(0);
    await expect(advance()).not.toHaveAttribute("aria-disabled", "true");
  });
}
