import { expect, type Page } from "@playwright/test";
import pg from "pg";
import { readDemo } from "#test/demo.ts";
import { inboxRow, signIn, signInAnew, test } from "./pages.ts";

const path = "/rollouts/demo/storefront/Rollout/recommendations";

/** Expects that an operator, who may not override the freeze, cannot go on and is told why. */
async function expectFrozen(page: Page): Promise<void> {
  await signIn(page, "operator", path);
  const go = page.getByRole("button", { name: /^Continue · frozen/ });
  await expect(go).toHaveAttribute("aria-disabled", "true");
  await go.focus();
  await expect(page.getByRole("tooltip")).toContainText(`Frozen by "season's end" until`);
  await expect(page.getByRole("button", { name: "Abort", exact: true })).not.toHaveAttribute("aria-disabled", "true");
  await page.goto("/inbox");
  const row = inboxRow(page, "storefront/recommendations");
  await expect(row).toContainText(`Frozen by "season's end" until`);
  await expect(row.getByRole("button", { name: "Abort storefront/recommendations", exact: true })).toBeVisible();
}

/** Makes the sign-in of this browser look old. */
async function ageSignIn(userAgent: string): Promise<number | null> {
  const client = new pg.Client({ connectionString: readDemo().databaseUrl });
  await client.connect();
  try {
    const sql =
      "UPDATE user_session SET authenticated_at = now() - interval '6 minutes' WHERE user_agent = $1 AND revoked_at IS NULL";
    return (await client.query(sql, [userAgent])).rowCount;
  } finally {
    await client.end();
  }
}

test("in a freeze an operator cannot go on; who may override it signs in again, gives a reason, and the audit log says so", async ({
  browser,
  page: operator,
}) => {
  await expectFrozen(operator);
  const reason = "The season's end is over early.";
  // Other specs are signed in with the same account; only this one uses this device.
  const userAgent = "gatehouse-e2e-glass";
  const context = await browser.newContext({ userAgent });
  const page = await context.newPage();
  await signInAnew(page, "admin", path);
  expect(await ageSignIn(userAgent)).toBe(1);
  const dialog = page.getByRole("dialog");
  const confirm = dialog.getByRole("button", { name: "Continue recommendations" });
  const open = async (): Promise<void> => {
    await page.getByRole("button", { name: /^Continue · frozen/ }).click();
    await expect(dialog).toContainText(`Frozen by "season's end" until`);
  };
  await open();
  await expect(confirm).toBeDisabled();
  await dialog.getByRole("checkbox", { name: "Override the freeze (break-glass)" }).check();
  await confirm.click();
  await expect(dialog).toContainText("Enter a reason.");
  await dialog.getByRole("textbox", { name: "Reason" }).fill(reason);
  await confirm.click();
  await expect(dialog.getByRole("alert").filter({ hasText: "was refused" })).toContainText("sign in again");

  await dialog.getByRole("button", { name: "Sign in again" }).click();
  await page.getByRole("button", { name: "Continue as admin" }).click();
  await expect(page).toHaveURL(new RegExp(`${path}$`));
  await open();
  await expect(dialog.getByRole("checkbox", { name: "Override the freeze (break-glass)" })).toBeChecked();
  await expect(dialog.getByRole("textbox", { name: "Reason" })).toHaveValue(reason);
  await confirm.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("In effect")).toBeVisible();

  await page.goto("/audit?namespace=storefront&name=recommendations&action=continue&outcome=applied");
  const entry = page.getByRole("list", { name: "Audit entries, newest first" }).getByRole("listitem").first();
  await expect(entry).toContainText("admin continued storefront/recommendations");
  await expect(entry).toContainText(`, overriding freeze "season's end"`);
  await expect(entry).toContainText(reason);
  await context.close();
});
