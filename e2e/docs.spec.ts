import { expect } from "@playwright/test";
import { expectNoFindingsInBoth, signIn, test } from "./pages.ts";

test.use({ colorScheme: "light", permissions: ["clipboard-read", "clipboard-write"] });

test("the documentation is read without sign-in, loads nothing from elsewhere, has no findings, and says what it does not have", async ({
  page,
}) => {
  await test.step("the documentation is read without sign-in, loads nothing from elsewhere, and has no findings", async () => {
    const elsewhere: string[] = [];
    const complaints: string[] = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    await page.goto("/docs");
    const origin = new URL(page.url()).origin;
    page.on("request", (request) => new URL(request.url()).origin !== origin && elsewhere.push(request.url()));
    await expect(page).toHaveTitle("Documentation · Gatehouse");
    await page.getByRole("main").getByRole("link", { name: "Troubleshooting" }).click();
    await expect(page).toHaveURL("/docs/troubleshooting");
    await expect(page).toHaveTitle("Troubleshooting · Gatehouse");
    const contents = page.getByRole("navigation", { name: "Documentation" });
    await expect(contents.locator("[aria-current=page]")).toHaveText("Troubleshooting");

    await contents.getByRole("link", { name: "Sign-in fails" }).click();
    await expect(page).toHaveURL("/docs/troubleshooting#sign-in-fails");
    await expect(page.getByRole("heading", { name: "Sign-in fails" })).toBeInViewport();
    await page.getByRole("main").getByRole("link", { name: "all lines" }).click();
    await expect(page).toHaveURL("/docs/operations#when-something-is-wrong");
    await expect(page.getByRole("heading", { name: "When something is wrong" })).toBeInViewport();

    const commands = page.getByRole("region", { name: "Commands 1" });
    await commands.getByRole("button", { name: "Copy" }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await commands.locator("pre").textContent());

    for (const path of ["/docs", "/docs/inbox", "/docs/configuration", "/docs/adr"]) {
      await page.goto(path);
      for (const picture of await page.getByRole("main").getByRole("img").all()) {
        await picture.scrollIntoViewIfNeeded();
        await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
      }
      await expectNoFindingsInBoth(page, path);
      await page.setViewportSize({ width: 380, height: 700 });
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(await overflow(), path).toBeLessThanOrEqual(0);
      await page.getByRole("link", { name: "Contents", exact: true }).click();
      await expect(contents.getByRole("link", { name: "Getting started" })).toBeInViewport();
      await page.setViewportSize({ width: 1280, height: 720 });
    }

    await page.goto("/docs/inbox");
    await page.emulateMedia({ media: "print" });
    await expect(contents).toBeHidden();
    await expect(page.getByRole("banner")).toBeHidden();
    await expect(page.getByRole("heading", { level: 1, name: "Inbox" })).toBeVisible();
    await page.emulateMedia({ media: null });
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
  });

  await test.step("a page that the documentation does not have is missing in words, with the contents", async () => {
    for (const path of ["/docs/nowhere", "/docs/adr/nowhere", "/docs/README", "/docs/images", "/docs/a/b/c"]) {
      const answer = await page.goto(path);
      expect(answer?.status(), path).toBe(404);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
      await expect(page.getByRole("link", { name: "See all pages" })).toBeVisible();
      await expect(page.getByRole("navigation", { name: "Documentation" })).toBeVisible();
    }
    expect((await page.request.get("/docs/images/nowhere.png")).status()).toBe(404);
  });
});

test("the console leads to the documentation: its head, the person's menu, the palette, a finding, the sign-in", async ({
  page,
}) => {
  await page.goto("/signin");
  await page.getByRole("link", { name: "Documentation" }).click();
  await expect(page).toHaveURL("/docs");
  await signIn(page, "viewer", "/inbox");
  await page.getByRole("link", { name: "Documentation of this page" }).click();
  await expect(page).toHaveURL("/docs/inbox");
  await page.getByRole("link", { name: "Open Gatehouse" }).click();
  await page.getByRole("button", { name: /viewer$/ }).click();
  await page.getByRole("menuitem", { name: "Documentation" }).click();
  await expect(page).toHaveURL("/docs");

  await page.goto("/inbox");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find" }).fill("troubleshoot");
  await page.getByRole("group", { name: "Documentation" }).getByRole("option", { name: "Troubleshooting" }).click();
  await expect(page).toHaveURL("/docs/troubleshooting");

  await page.goto("/findings?state=all");
  await page.getByRole("table", { name: "Findings" }).getByRole("link").first().click();
  await page.getByRole("link", { name: "in the documentation" }).click();
  await expect(page).toHaveURL(/\/docs\/findings#.+/);
  const anchor = new URL(page.url()).hash.slice(1);
  await expect(page.locator(`h3[id="${anchor}"]`)).toBeInViewport();
});
