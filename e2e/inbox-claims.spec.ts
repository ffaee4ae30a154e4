import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { readDemo } from "#test/demo.ts";
import { expectNoFindings, inboxRow, ownPath, signIn, test } from "./pages.ts";
import { clearPause, createPausedRollout } from "./sandbox.ts";

async function openInbox(page: Page, role: "operator" | "admin", rollout: string): Promise<void> {
  await signIn(page, role);
  await expect(inboxRow(page, rollout)).toBeVisible();
}

/** Snoozes by request: the dialog offers no time this short. A later snooze replaces an earlier one. */
async function snoozeForSeconds(request: APIRequestContext, name: string, seconds: number): Promise<void> {
  const path = `/api/v1/rollouts/demo/e2e/Rollout/${name}`;
  const headers = { authorization: `Bearer ${readDemo().tokens.operator}` };
  const { viewDigest } = await (await request.get(path, { headers })).json();
  // A slow machine may have used up the time before the answer.
  await expect(async () => {
    const data = { reason: "soon", viewDigest, until: new Date(Date.now() + seconds * 1000).toISOString() };
    expect((await request.post(`${path}/snooze`, { headers, data })).status()).toBe(201);
  }).toPass();
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

test("rollouts are snoozed: for seconds, or until they change, and come back by themselves", async ({
  page,
  request,
}) => {
  const rollout = "e2e/snoozed";
  await Promise.all(["snoozed", "napping"].map((name) => createPausedRollout(name)));
  await openInbox(page, "operator", rollout);
  const napping = inboxRow(page, "e2e/napping");
  await expect(napping).toBeVisible();
  await snoozeForSeconds(request, "napping", 3600);
  await expect(napping).toBeHidden();

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

  await snoozeForSeconds(request, "napping", 3);
  await expect(napping, "nobody reloads the page").toBeVisible();

  await clearPause("snoozed");
  await expect(page.getByRole("region", { name: "Waiting" }).filter({ has: row })).toBeVisible();
});
