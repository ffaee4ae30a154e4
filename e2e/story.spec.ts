import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { type RunningDemo, startDemo } from "#test/start-demo.ts";
import { signInAnew, test } from "./pages.ts";

let folder: string;
let running: RunningDemo;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-story-"));
  running = await startDemo({ dataDirectory: join(folder, "data"), hasHistory: true });
});
test.afterAll(async () => {
  await running.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("a new demo shows five decisions beside its history, one after the other, and nothing else moves", async ({
  browser,
}) => {
  const { url, accounts, tokens } = running.demo;
  const page = await (await browser.newContext({ baseURL: url })).newPage();
  const hint = page.getByRole("region", { name: "Next in the demo" });
  const decide = page.getByRole("list", { name: /^Decide/ }).getByRole("listitem");

  await test.step("the inbox has five decisions, an abort and a finding", async () => {
    await signInAnew(page, "operator", "/inbox", accounts);
    await expect(decide).toHaveCount(5);
    const fix = page.getByRole("list", { name: /^Fix/ }).getByRole("listitem");
    await expect(fix).toHaveCount(2);
    // All live traffic is on a version whose measurements failed.
    await expect(fix.first()).toContainText("search/autocomplete");
    await expect(fix.first()).toContainText("Verdict mismatch");
    await expect(page.getByRole("region", { name: "Waiting" }).getByRole("heading").first()).toContainText("Fix");
    await expect(fix.first()).toContainText(/success-rate .* \(fail < 90 %\)/);
    await expect(fix.first().getByRole("button", { name: /^Roll back to / })).toBeVisible();
    await expect(hint).toContainText(/^Demo, 1 of 5: in storefront\/catalog, /);
    await expect(decide.first()).toContainText("storefront/catalog");
  });

  await test.step("the line leads to the first, and after it to the next", async () => {
    await hint.getByRole("link").click();
    await expect(page).toHaveURL(/\/storefront\/Rollout\/catalog$/);
    await page.getByRole("main").getByRole("button", { name: "Abort" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Reason" }).fill("Latency rises.");
    await dialog.getByRole("button", { name: "Abort catalog" }).click();
    // It names the next one now, and is only on that one's page.
    await expect(hint).toBeHidden();
    await page.goto("/inbox");
    await expect(hint).toContainText(/^Demo, 2 of 5: in shopfront\/basket, /);
    await expect(decide).toHaveCount(4);
    await expect(decide.first()).toContainText("shopfront/basket");
  });

  await test.step("today has one release of each, and the first ones of new rollouts", async () => {
    const answer = await page.request.get(`${url}/api/v1/releases?limit=50`, {
      headers: { authorization: `Bearer ${tokens.viewer}` },
    });
    const { items } = (await answer.json()) as { items: { rollout: { name: string }; startedAt: string }[] };
    const hourAgo = Date.now() - 3_600_000;
    const live = items.filter(({ startedAt }) => Date.parse(startedAt) > hourAgo).map(({ rollout }) => rollout.name);
    const once = ["autocomplete", "basket", "catalog", "checkout", "login", "query-api"];
    const zones = ["lab", "eu", "us", "ap"].map((zone) => `assets-${zone}`);
    expect(live.toSorted()).toEqual(["autocomplete", "basket", "assets-sa", ...once, ...zones, ...zones].toSorted());
  });

  await test.step("once closed, the line stays closed in this browser", async () => {
    await hint.getByRole("button", { name: "Close the demo's hints" }).click();
    await expect(hint).toBeHidden();
    await page.reload();
    await expect(decide).toHaveCount(4);
    await expect(hint).toBeHidden();
  });
  await page.context().close();
});
