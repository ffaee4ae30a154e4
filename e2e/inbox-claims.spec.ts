import { expect, type Page } from "@playwright/test";
import { readDemo } from "#test/demo.ts";
import { expectNoFindings, inboxRow, ownPath, scenarioPath, signIn, test } from "./pages.ts";
import { clearPause, createPausedRollout } from "./sandbox.ts";

async function openInbox(page: Page, role: "operator" | "admin", rollout: string): Promise<void> {
  await signIn(page, role);
  await expect(inboxRow(page, rollout)).toBeVisible({ timeout: 60_000 });
}

test("one person is on it; another sees that at once, takes over and gives it up", async ({ page, browser }) => {
  const rollout = "e2e/claimed";
  await createPausedRollout("claimed");
  const other = await (await browser.newContext()).newPage();
  await openInbox(page, "operator", rollout);
  await openInbox(other, "admin", rollout);
  const [mine, theirs] = [inboxRow(page, rollout), inboxRow(other, rollout)];

  // The key claims the row that has the focus, and no other.
  await mine.getByRole("link", { name: rollout, exact: true }).focus();
  await page.keyboard.press("c");
  await expect(mine).toContainText("Yours");
  await expect(theirs).toContainText("operator is on it");

  await theirs.getByRole("button", { name: `Take over ${rollout} from operator` }).click();
  await expect(theirs).toContainText("Yours");
  await expect(mine).toContainText("admin is on it");

  await other.goto(ownPath("claimed"));
  await other.getByRole("button", { name: `Hand back ${rollout}` }).click();
  await expect(other.getByRole("button", { name: `I'm on it: ${rollout}` })).toBeVisible();
  await expect(mine).not.toContainText("is on it");
  // A claim does not keep other people from acting.
  await expect(mine.getByRole("button", { name: `Continue ${rollout}`, exact: true })).toBeEnabled();

  await page.goto("/audit?namespace=e2e&name=claimed");
  const entries = page.getByRole("list", { name: /^Audit entries/ }).getByRole("listitem");
  await expect(entries.filter({ hasText: `admin took over the claim on ${rollout}` })).toBeVisible();
  await expect(entries.filter({ hasText: `admin released the claim on ${rollout}` })).toBeVisible();
  await other.context().close();
});

test("a rollout is snoozed until it changes, with a reason, and comes back when it does", async ({ page }) => {
  const rollout = "e2e/snoozed";
  await createPausedRollout("snoozed");
  await openInbox(page, "operator", rollout);
  const row = inboxRow(page, rollout);
  await row.getByRole("button", { name: `Snooze ${rollout}` }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "Until it changes" }).check();
  const confirm = dialog.getByRole("button", { name: "Snooze snoozed" });
  await confirm.click();
  await expect(dialog).toContainText("Enter a reason.");
  await expectNoFindings(page, "the snooze dialog");
  await dialog.getByRole("textbox", { name: "Reason" }).fill("The load test goes on.");
  await confirm.click();
  await expect(dialog).toBeHidden();

  const fold = page.getByRole("button", { name: /\d+ snoozed/ });
  await page.getByRole("heading", { level: 1 }).click();
  // It folds up first.
  await expect(row).toHaveCount(0);
  await fold.click();
  await expect(row).toContainText("Snoozed by operator until it changes: The load test goes on.");
  await expect(row.getByRole("button", { name: `Wake ${rollout} now` })).toBeVisible();
  await fold.click();
  await expect(row).toBeHidden();

  await clearPause("snoozed");
  await expect(page.getByRole("region", { name: "Waiting" }).filter({ has: row })).toBeVisible({ timeout: 30_000 });
});

test("a row that is snoozed for seconds comes back by itself", async ({ page, request }) => {
  const rollout = "e2e/napping";
  await createPausedRollout("napping");
  await openInbox(page, "operator", rollout);
  const path = "/api/v1/rollouts/demo/e2e/Rollout/napping";
  const headers = { authorization: `Bearer ${readDemo().tokens.operator}` };
  const { viewDigest } = await (await request.get(path, { headers })).json();
  const until = new Date(Date.now() + 10_000).toISOString();
  const put = await request.post(`${path}/snooze`, { headers, data: { reason: "soon", viewDigest, until } });
  expect(put.status()).toBe(201);
  const row = inboxRow(page, rollout);
  await expect(row).toBeHidden({ timeout: 8_000 });
  await expect(row, "nobody reloads the page").toBeVisible({ timeout: 30_000 });
});

test("the links of a run and of its metrics carry the time of the run and the query", async ({ page }) => {
  await signIn(page, "viewer", scenarioPath("failed"));
  const main = page.getByRole("main");
  await expect(main.getByRole("link", { name: /^Runbook: .* \(opens in a new tab\)$/ })).toHaveAttribute(
    "href",
    /^https:\/\/runbooks\.example\.com\/[\w-]+\/[\w-]+$/,
  );
  await page.getByRole("tab", { name: "Analysis" }).click();
  await page.getByRole("table", { name: "Analysis runs" }).getByRole("link").first().click();
  await expect(page).toHaveURL(/\/analysis-runs\//);
  const link = main.getByRole("link", { name: /^Query in Grafana: / }).first();
  await expect(link).toHaveAttribute("target", "_blank");
  await expect(link).toHaveAttribute("rel", /noopener noreferrer/);
  const address = new URL((await link.getAttribute("href")) ?? "");
  const [pane] = Object.values(JSON.parse(address.searchParams.get("panes") ?? "{}")) as {
    queries: { expr: string }[];
    range: { from: string; to: string };
  }[];
  expect(pane?.queries[0]?.expr).toMatch(/\w+\{.*\}/s);
  const [from, to] = [Number(pane?.range.from), Number(pane?.range.to)];
  expect(from).toBeGreaterThan(Date.parse("2026-01-01"));
  expect(to).toBeGreaterThan(from);
});
