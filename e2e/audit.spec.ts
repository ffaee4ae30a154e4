import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { signIn, test } from "./pages.ts";

test("every reader exports the log and prints it: filters, rows, time zone and the chain", async ({ page }) => {
  await test.step("every reader exports the log, as a chain and as a table", async () => {
    await signIn(page, "viewer", "/audit");
    for (const { item, first } of [
      { item: /^JSON lines/, first: /^\{"seq":1,"previousHash":/ },
      { item: /^CSV/, first: /^seq,time,source,/ },
    ]) {
      await page.getByRole("button", { name: "Export" }).click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("menuitem", { name: item }).click(),
      ]);
      expect(await readFile(await download.path(), "utf8")).toMatch(first);
    }
  });

  await test.step("paper of a filtered list states filters, rows, time zone and the chain", async () => {
    await page.goto("/audit?source=cluster");
    const list = page.getByRole("list", { name: /^Audit entries/ });
    await expect(list.getByRole("listitem").first()).toBeVisible();
    const href = await page.getByRole("link", { name: "CSV" }).getAttribute("href");
    expect(href).toContain("format=csv");
    expect(href).toContain("source=cluster");
    const head = page.locator("dl").filter({ hasText: "Filters" });
    await expect(head).toBeHidden();
    await page.emulateMedia({ media: "print" });
    await expect(head).toContainText("source cluster");
    await expect(head).toContainText(/all of them|more are not printed/);
    await expect(page.getByText(/^Gatehouse, .*, printed .* by viewer, times in /)).toBeVisible();
    const time = list.locator("time").first();
    const printed = await time.evaluate((element) => getComputedStyle(element, "::after").content);
    expect(printed).toMatch(/^"\d\d:\d\d:\d\d"$/);
    await expect(list.getByRole("heading").first()).toHaveText(/ \d{4} · /);
    await expect(list.getByText(/ ago/).first()).toBeHidden();
    await expect(page.getByRole("search")).toBeHidden();
  });
});
