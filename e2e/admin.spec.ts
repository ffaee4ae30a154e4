import { expect, type Page } from "@playwright/test";
import { expectNoFindings, signIn, test } from "./pages.ts";

const parts = [
  { path: "/admin", heading: "Access", ready: /What may they do here/ },
  { path: "/admin/freezes", heading: "Freeze calendar", ready: /season's end/ },
  { path: "/admin/policies", heading: "Policies", ready: /four eyes/ },
  { path: "/admin/config", heading: "Effective config", ready: /policies\.secondPerson\[0\]\.name/ },
  { path: "/admin/storage", heading: "Storage and retention", ready: /observation/ },
];

async function open(page: Page, path: string, heading: string, ready: RegExp): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
  await expect(page.getByRole("main").getByText(ready).filter({ visible: true }).first()).toBeVisible();
}

test("an admin reaches every part from the rail, without findings", async ({ page }) => {
  await signIn(page, "admin");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Admin" }).click();
  for (const { path, heading, ready } of parts) {
    await open(page, path, heading, ready);
    await expect(page.getByRole("navigation", { name: "Admin" }).locator("[aria-current=page]")).toHaveCount(1);
    await expectNoFindings(page, heading);
  }
  await page.goto("/settings");
  await expect(page.getByRole("main").getByText("Hook credentials").first()).toBeVisible();
  await expectNoFindings(page, "settings of an admin");
});

test("an operator has no such page, and is told so in words", async ({ page }) => {
  await signIn(page, "operator");
  await expect(page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Admin" })).toBeHidden();
  for (const { path } of parts) expect((await page.request.get(path)).status(), path).toBe(403);
  await page.goto("/admin");
  await expect(page.getByRole("heading", { level: 1, name: "Admins only" })).toBeVisible();
  await expectNoFindings(page, "a forbidden page");
});

test("says why somebody may not, with the place in the config, and what the cluster says", async ({ page }) => {
  await signIn(page, "admin", "/admin");
  await page.getByLabel("Name", { exact: true }).fill("operator");
  // A person sees each answer before the next question; the router may undo a change that comes sooner.
  await expect(page).toHaveURL(/username=operator/);
  await page.getByRole("combobox", { name: "Cluster", exact: true }).selectOption("demo");
  await expect(page).toHaveURL(/cluster=demo/);
  await page.getByRole("textbox", { name: "Namespace", exact: true }).fill("accounts");
  const answers = page.getByRole("table", { name: "Allowed actions" });
  await expect(answers.getByRole("row", { name: /Promote fully/ })).toContainText("With approval");
  await expect(answers.getByRole("row", { name: /Promote fully/ })).toContainText('Rule "four eyes"');
  await expect(answers.getByRole("row", { name: /Abort/ })).toContainText("Yes");

  await page.getByRole("button", { name: "Ask cluster demo" }).click();
  const cluster = page.getByRole("table", { name: "The cluster's answers" });
  await expect(cluster.getByRole("row", { name: /patch rollouts\/status/ })).toContainText(/Allowed|Denied/);

  // The rule leads to its place in the config.
  await answers.getByRole("link", { name: "policies.secondPerson[0]" }).click();
  await expect(page).toHaveURL(/\/admin\/config\?q=/);
  const named = page.getByRole("table", { name: "Values" }).getByRole("row", { name: /secondPerson\[0\]\.name / });
  await expect(named).toContainText("four eyes");

  // Who has no role at all may do nothing.
  await page.goto("/admin?username=nobody&cluster=demo&namespace=accounts");
  await expect(page.getByText("no binding matches, so they may not sign in")).toBeVisible();
  await expect(page.getByRole("table", { name: "Allowed actions" }).getByRole("row", { name: /Abort/ })).toContainText(
    "No",
  );

  await test.step("the calendar turns its weeks, and the list says the same in words", async () => {
    await page.goto("/admin/freezes?week=2026-03-23&zone=UTC");
    await expect(page.getByRole("heading", { name: /^23.+29 Mar 2026$/ })).toBeVisible();
    await page.getByRole("button", { name: "Week after" }).click();
    await expect(page).toHaveURL(/week=2026-03-30/);
    const list = page.getByRole("list", { name: "Freezes" });
    await expect(list.getByRole("listitem").filter({ hasText: "season's end" }).first()).toContainText("Always active");
    await page.setViewportSize({ width: 390, height: 800 });
    await expect(list).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});

test("replays a new rule over the past, and leads to the actions that it would have refused", async ({ page }) => {
  await signIn(page, "admin", "/admin/policies");
  await page.getByRole("combobox", { name: "Rule", exact: true }).selectOption({ label: "A new rule…" });
  await page
    .getByRole("textbox", { name: /YAML/ })
    .fill('freezes:\n  - name: always\n    start: "0 0 * * *"\n    duration: 24h\n');
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  const answer = page.getByRole("region", { name: "Try a rule on past actions" });
  await expect(answer).toContainText(/Would have (refused|changed nothing)/);
  await expectNoFindings(page, "a replayed rule");
});
