import { expect } from "@playwright/test";
import { signIn, test } from "./pages.ts";
import { createRollout, releaseVersion } from "./sandbox.ts";

// Ten pages are loaded in this test, each from nothing.

test("eight tabs share one stream, stay live, and outlive the one that leads", async ({ page, context }) => {
  await createRollout("tabs", [{ setWeight: 50 }, { pause: {} }]);
  let openStreams = 0;
  context.on("request", (request) => {
    if (request.url().endsWith("/api/v1/stream")) openStreams++;
  });
  await signIn(page, "viewer", "/rollouts?namespace=e2e&q=tabs");
  const tabs = [page];
  for (let index = 1; index < 8; index++) {
    const tab = await context.newPage();
    await tab.goto("/rollouts?namespace=e2e&q=tabs");
    tabs.push(tab);
  }
  for (const tab of tabs) await expect(tab.getByRole("row").filter({ hasText: "tabs" })).toContainText("v1");
  expect(openStreams).toBe(1);

  await releaseVersion("tabs", "v2");
  for (const tab of tabs) await expect(tab.getByRole("row").filter({ hasText: "tabs" })).toContainText("v2");

  await page.close();
  await expect.poll(() => openStreams).toBe(2);
  await releaseVersion("tabs", "v3");
  for (const tab of tabs.slice(1)) await expect(tab.getByRole("row").filter({ hasText: "tabs" })).toContainText("v3");
});
