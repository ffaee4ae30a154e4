import { expect } from "@playwright/test";
import { test } from "./pages.ts";

test("an account is chosen, leads to the page that was asked for and nowhere else, and signs out", async ({ page }) => {
  await test.step("says what each account may do, and what went wrong", async () => {
    await page.goto("/signin?error=SessionRequired");
    await expect(page.getByRole("alert").filter({ hasText: "session has ended" })).toBeVisible();
    await expect(page.getByRole("button", { name: /Continue as viewer.*Read-only access/ })).toBeVisible();
    await expect(page.getByRole("button", { name: /Continue as operator.*with a reason/ })).toBeVisible();
  });

  await test.step("sends nobody to another origin", async () => {
    await page.goto("/signin?callbackUrl=https%3A%2F%2Fevil.example%2F");
    await page.getByRole("button", { name: "Continue as operator" }).click();
    await expect(page).toHaveURL(/127\.0\.0\.1.*\/inbox$/);
  });

  await test.step("ends the session on signing out", async () => {
    await page.getByRole("button", { name: /operator/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await expect(page.getByRole("button", { name: "Continue as operator" })).toBeVisible();
    await page.goto("/audit");
    await expect(page).toHaveURL(/\/signin/);
  });

  await test.step("leads back to the page that was asked for", async () => {
    await page.goto("/rollouts?phase=Healthy");
    await expect(page).toHaveURL(/\/signin\?callbackUrl=/);
    await page.getByRole("button", { name: "Continue as viewer" }).click();
    await expect(page).toHaveURL(/\/rollouts\?phase=Healthy$/);
    await expect(page.getByRole("heading", { name: "Rollouts", level: 1 })).toBeVisible();
  });

  await test.step("no click is lost on a slow line: a button is off until it can be pressed", async () => {
    await page.context().clearCookies();
    const { promise: isThere, resolve: arrive } = Promise.withResolvers<void>();
    await page.route(/\/_next\/static\/.*\.js/, async (route) => {
      await isThere;
      await route.continue();
    });
    await page.goto("/signin", { waitUntil: "commit" });
    const button = page.getByRole("button", { name: "Continue as viewer" });
    await expect(button).toBeDisabled();
    arrive();
    await expect(button).toBeEnabled();
    await button.click();
    await expect(page).toHaveURL(/\/inbox$/);
    await page.unrouteAll();
  });
});
