import { expect } from "@playwright/test";
import { endpoints } from "#lib/contract/endpoint-table.ts";
import { expectNoFindings, expectReadableColours, showIn, test } from "./pages.ts";

test.use({ colorScheme: "light", permissions: ["clipboard-read", "clipboard-write"] });

test("the API reference is read without sign-in, loads nothing from elsewhere, and has no findings", async ({
  page,
}) => {
  const elsewhere: string[] = [];
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto("/docs/api");
  const origin = new URL(page.url()).origin;
  page.on("request", (request) => new URL(request.url()).origin !== origin && elsewhere.push(request.url()));
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "API of Gatehouse" })).toBeVisible();
  const links = page.getByRole("main").getByRole("listitem").getByRole("link");
  await expect(links).toHaveCount(Object.keys(endpoints).length);
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  for (const group of new Set(hrefs.map((href) => href.split("#")[0] ?? ""))) {
    const text = await (await page.request.get(group)).text();
    const ids = hrefs.filter((href) => href.startsWith(`${group}#`)).map((href) => href.split("#")[1]);
    expect([group, ids.filter((id) => !text.includes(`<p id="${id}">`))]).toEqual([group, []]);
  }
  await expectNoFindings(page, "contents of the API reference");

  await page.goto("/docs/api#actOnRollout");
  await page.getByRole("link", { name: "/api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}/actions" }).click();
  const example = page.getByRole("region", { name: "Example body of actOnRollout" });
  await expect(example).toBeVisible();
  await expect(example).toContainText("accept-step");
  await example.getByRole("button", { name: "Copy" }).click();
  await expect(example.getByRole("button", { name: "Copied" })).toBeVisible();
  await expect(page.getByText("stale_view:").filter({ visible: true })).toHaveCount(1);

  await expectNoFindings(page, "API reference");
  await showIn(page, "dark");
  await expectReadableColours(page, "API reference in dark");
  await page.setViewportSize({ width: 380, height: 700 });
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(await overflow()).toBeLessThanOrEqual(0);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("region", { name: "Example answer of listRollouts" })).toBeVisible();
  expect(elsewhere).toEqual([]);
  expect(complaints).toEqual([]);
});
