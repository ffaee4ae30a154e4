import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { startNotificationReceiver } from "#test/notification-receiver.ts";
import { expectAudited, expectNoFindings, signIn, test } from "./pages.ts";
import { createRollout, releaseVersion } from "./sandbox.ts";

/** Records the notifications of the page: a headless browser has nowhere to show them. */
async function recordNotifications(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shown: string[] = [];
    Object.assign(window, { shown });
    window.Notification = class extends EventTarget {
      static permission = "granted";
      static requestPermission = async () => "granted";
      onclick = null;
      constructor(title: string, options: NotificationOptions) {
        super();
        shown.push(`${title}\n${options.body}`);
      }
      close() {}
    } as unknown as typeof Notification;
  });
}

const shownIn = (page: Page) => page.evaluate(() => (window as unknown as { shown: string[] }).shown);

test("a rollout that waits is shown once per browser, and counted in the title", async ({ page, context }) => {
  const other = await context.newPage();
  for (const each of [page, other]) await recordNotifications(each);
  await signIn(page, "viewer", "/settings");
  await other.goto("/rollouts");
  const wanted = page.getByRole("switch", { name: "Show notifications in this browser" });
  await expect(wanted).not.toBeChecked();
  // The first answer has only the events that are there already.
  const first = context.waitForEvent("response", (response) => response.url().includes("/api/v1/notifiable-events"));
  // Mantine's drawing of the switch covers the input itself.
  await wanted.press("Space");
  await expect(wanted).toBeChecked();
  await first;

  await createRollout("notified", [{ pause: {} }]);
  await releaseVersion("notified", "v2");
  const waits = "e2e/notified: Waits for a person at step 1 of 1";
  // The demo has news of its own, and several at once are one notification.
  const shown = async () =>
    (await Promise.all([page, other].map(shownIn))).flat().filter((text) => text.includes(waits));
  await expect.poll(shown).toHaveLength(1);
  for (const each of [page, other]) await expect(each).toHaveTitle(/^\(\d+\+?\) /);
  expect(await shown()).toHaveLength(1);
});

test("an admin adds a channel, sends a test message and sees that it arrived", async ({ page }) => {
  const directory = process.env.GATEHOUSE_E2E_DATA_DIR ?? "";
  const file = join(directory, "gatehouse.yaml");
  const before = readFileSync(file, "utf8");
  const receiver = await startNotificationReceiver();
  try {
    await signIn(page, "admin", "/settings");
    await page.getByRole("link", { name: "Channels and messages" }).click();
    await expect(page.getByText("No channels: Gatehouse notifies no one")).toBeVisible();
    await expectNoFindings(page, "notifications without channels");
    const secret = `file:${join(directory, "secret")}`;
    const allow = [secret, new URL(receiver.url).origin];
    writeFileSync(file, `${before}\nnotifications: ${JSON.stringify({ allow })}\n`);
    const add = page.getByRole("button", { name: "Add a channel" });
    // The page asks for the file's list every half minute.
    await expect(async () => {
      await page.reload();
      await expect(add).toBeVisible({ timeout: 15_000 });
    }).toPass();
    await add.click();
    const dialog = page.getByRole("dialog", { name: "Add a channel" });
    await dialog.getByLabel("Type").selectOption({ label: "Webhook" });
    await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("e2e-hook");
    await dialog.getByLabel("Address").fill("http://169.254.169.254/latest");
    await dialog.getByLabel("Signing secret").selectOption(secret);
    await expectNoFindings(page, "the dialog of a channel");
    await dialog.getByRole("button", { name: "Save the channel" }).click();
    await expect(dialog.getByLabel("Address")).toHaveAccessibleDescription(/does not list http:\/\/169\.254/);
    await dialog.getByLabel("Address").fill(receiver.url);
    await dialog.getByRole("button", { name: "Save the channel" }).click();
    await expect(dialog).toBeHidden();

    const test = page.getByRole("button", { name: "Send a test message to e2e-hook" });
    await expect(test).toBeVisible();
    await expect(page.getByText("no route leads here")).toBeVisible();
    await page.getByRole("button", { name: "Add a route" }).click();
    const route = page.getByRole("dialog", { name: "Add a route" });
    await route.getByRole("textbox", { name: "Name", exact: true }).fill("everything");
    await route.getByLabel("Namespaces").fill("elsewhere");
    await route.getByRole("button", { name: "Save the route" }).click();
    await expect(page.getByRole("row", { name: /everything/ })).toContainText("in elsewhere/* of every cluster");
    await expect(page.getByText("routes: everything")).toBeVisible();
    receiver.answer((response) => response.writeHead(500).end());
    await test.click();
    const row = page.getByRole("row").filter({ hasText: "Test message from Gatehouse" });
    await expect(row).toContainText("Retrying");
    await expect(row).toContainText("answered 500");
    await expect(page.getByText("Failing")).toBeVisible();
    receiver.answer((response) => response.writeHead(204).end());
    await expect(row).toContainText("Sent");
    await expect(page.getByText("Works")).toBeVisible();
    await expectNoFindings(page, "notifications");
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids).size).toBe(1);
    await expectAudited(page, /sent a test message/);
    await page.goto("/settings/notifications");
    await page.getByRole("button", { name: "Remove e2e-hook" }).click();
    const removal = page.getByRole("dialog", { name: "Remove e2e-hook?" });
    await expect(removal).toContainText("everything");
    await removal.getByRole("button", { name: "Remove", exact: true }).click();
    await expect(page.getByText("No channels: Gatehouse notifies no one")).toBeVisible();
  } finally {
    writeFileSync(file, before);
    await receiver.close();
  }
});
