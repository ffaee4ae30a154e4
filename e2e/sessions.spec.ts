import { expect } from "@playwright/test";
import { signIn, signInAnew, test } from "./pages.ts";

test("a session that is revoked elsewhere is over at once", async ({ page, browser }) => {
  // Other specs are signed in with the same account; only this one uses this device.
  const device = "gatehouse-e2e-phone";
  const other = await (await browser.newContext({ userAgent: device })).newPage();
  await signInAnew(other, "operator");

  await signIn(page, "operator", "/settings");
  const sessions = page.getByRole("table", { name: "My sessions" });
  await expect(sessions.getByText("this one")).toHaveCount(1);
  const row = sessions.getByRole("row").filter({ hasText: device });
  await row.getByRole("button", { name: /^Revoke/ }).click();
  await row.getByRole("button", { name: /^Really revoke/ }).click();
  await expect(row).toHaveCount(0);

  await expect(other.getByRole("dialog", { name: "Your session has ended" })).toBeVisible();
  await other.goto("/inbox");
  await expect(other).toHaveURL(/\/signin/);
  await other.context().close();
  await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
});

test("a token is made, used and revoked, and a restricted one says which id to name", async ({ page, request }) => {
  await test.step("a token's secret is shown once, works, and not after it is revoked", async () => {
    const name = "e2e deploy script";
    await signIn(page, "operator", "/settings");
    await expect(page.getByRole("region", { name: "What I may do" })).toContainText("Operator everywhere");
    await page.getByRole("button", { name: "Create a token" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Create the token" }).click();
    await expect(dialog).toContainText("Enter a name.");
    await dialog.getByRole("textbox", { name: "Name" }).fill(name);
    await expect(dialog.getByRole("combobox", { name: "Role" }).getByRole("option")).toHaveText(["viewer", "operator"]);
    await dialog.getByRole("button", { name: "Create the token" }).click();
    const secret = (await dialog.getByLabel("The token's secret").textContent()) ?? "";
    expect(secret).toMatch(/^ght_/);
    await dialog.getByRole("button", { name: "Done" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText(secret)).toHaveCount(0);

    const headers = { authorization: `Bearer ${secret}` };
    expect((await request.get("/api/v1/me", { headers })).status()).toBe(200);
    const row = page.getByRole("table", { name: "My API tokens" }).getByRole("row").filter({ hasText: name });
    await row.getByRole("button", { name: /^Revoke/ }).click();
    await row.getByRole("button", { name: /^Really revoke/ }).click();
    await expect(row).toContainText("Revoked");
    expect((await request.get("/api/v1/me", { headers })).status()).toBe(401);
  });

  await test.step("a restricted token is good for nothing until a role binding names it, and says which id to name", async () => {
    const name = "e2e restricted";
    await page.goto("/settings");
    await page.getByRole("button", { name: "Create a token" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Name" }).fill(name);
    await dialog.getByRole("checkbox", { name: /Restricted/ }).check();
    await dialog.getByRole("button", { name: "Create the token" }).click();
    const secret = (await dialog.getByLabel("The token's secret").textContent()) ?? "";
    await dialog.getByRole("button", { name: "Done" }).click();
    const row = page.getByRole("table", { name: "My API tokens" }).getByRole("row").filter({ hasText: name });
    await expect(row).toContainText(/only by bindings of [0-9a-f-]{36}/);
    const answer = await request.get("/api/v1/rollouts", { headers: { authorization: `Bearer ${secret}` } });
    expect(answer.status()).toBe(401);
  });
});
