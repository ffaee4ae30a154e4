import { readFile } from "node:fs/promises";
import { type BrowserContext, expect } from "@playwright/test";
import { type OwnUp, subPath } from "../own-up.ts";
import { inboxRow, test } from "../pages.ts";
import { createPausedRollout, ownNamespace, releaseVersion } from "../sandbox.ts";

// The same build as in every other story, served below a path of its host: docs/adr/0017.

const rolloutPath = `/rollouts/prod/${ownNamespace}/Rollout/below-a-path`;

export function testBelowAPath(given: () => OwnUp): void {
  let up: OwnUp;
  let url: string;
  test.beforeAll(async () => {
    up = given();
    url = up.url + subPath;
    await up.start({
      basePath: subPath,
      roles: [{ role: "operator", groups: ["operators"] }],
      clusters: [up.actedOn],
    });
    await createPausedRollout("below-a-path", up.cluster);
  });

  /** What the browser got from the host that is not below the path, and what failed. */
  function watchRequests(context: BrowserContext): { astray: string[]; failed: string[] } {
    const seen = { astray: [] as string[], failed: [] as string[] };
    context.on("response", (response) => {
      const address = response.url();
      if (!address.startsWith(up.url)) return;
      if (!address.startsWith(`${url}/`)) seen.astray.push(address);
      if (response.status() >= 400) seen.failed.push(`${response.status()} ${address}`);
    });
    return seen;
  }

  test("is served below a path: signing in, acting, live changes, moving about, downloads, signing out; answers machines at the root too", async ({
    context,
  }) => {
    const seen = watchRequests(context);
    const page = await up.signInAs(context, "oncall", `${subPath}${rolloutPath}?tab=releases`);
    await expect(page).toHaveURL(`${url}${rolloutPath}?tab=releases`);
    const cookies = await context.cookies(url);
    expect(cookies.map(({ name }) => name)).toContain("gatehouse~tools~gatehouse.session");

    const inbox = await context.newPage();
    await inbox.goto(`${url}/`);
    await expect(inbox).toHaveURL(`${url}/inbox`);
    await expect(inboxRow(inbox, `${ownNamespace}/below-a-path`)).toBeVisible();

    await page.getByRole("button", { name: "Continue", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Reason" }).fill("Runs clean below the path.");
    await dialog.getByRole("button", { name: "Continue below-a-path" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText("In effect")).toBeVisible();

    // What a tab shows changes by the stream alone.
    await inbox.goto(`${url}/rollouts?q=below-a-path`);
    const row = inbox.getByRole("row").filter({ hasText: "below-a-path" });
    await expect(row).toContainText("v2");
    await releaseVersion("below-a-path", "v3", up.cluster);
    await expect(row).toContainText("v3");

    // A click loads data, not a document; a reload of what it led to is the same page.
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Audit" }).click();
    await expect(page).toHaveURL(`${url}/audit`);
    const entry = page
      .getByRole("list", { name: /^Audit entries/ })
      .getByRole("listitem")
      .first();
    await expect(entry).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(`${url}${rolloutPath}?tab=releases`);
    await page.goForward();
    expect(await page.evaluate(() => "isSameDocument" in window)).toBe(true);
    await page.reload();
    await expect(entry).toBeVisible();
    await page.getByRole("button", { name: "Export" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: /^CSV/ }).click(),
    ]);
    expect(await readFile(await download.path(), "utf8")).toContain("Runs clean below the path.");

    await page.goto(`${url}/docs/api`);
    await page.getByRole("link", { name: "OpenAPI 3.1" }).click();
    await expect(page).toHaveURL(`${url}/api/v1/openapi.json`);
    const document = await (await context.request.get(page.url())).json();
    expect(document.servers).toEqual([{ url: subPath }]);

    expect(seen).toEqual({ astray: [], failed: [] });
    await inbox.getByRole("button", { name: "Operator One, operator" }).click();
    await inbox.getByRole("menuitem", { name: "Sign out" }).click();
    await expect(inbox).toHaveURL(`${url}/signin`);
    expect(seen.astray).toEqual([]);

    await test.step("answers machines at the root too, and nobody else", async () => {
      const statusOf = async (path: string) =>
        (await context.request.get(`${up.url}${path}`, { maxRedirects: 0 })).status();
      for (const path of ["/livez", "/readyz", "/tools/gatehouse/livez", "/tools/gatehouse/signin"])
        expect(await statusOf(path), path).toBe(200);
      for (const path of ["/", "/inbox", "/signin", "/favicon.svg", "/api/v1/me", "/tools", "/tools/gatehouses/inbox"])
        expect(await statusOf(path), path).toBe(404);
      const hook = await context.request.post(`${up.url}/hooks/flagger/prod/rollout`, { data: {} });
      expect(await hook.json()).toMatchObject({ decision: "deny" });
      const astray = await context.request.get(`${up.url}/inbox`);
      expect(await astray.json()).toMatchObject({
        code: "not_found",
        detail: expect.stringContaining("/tools/gatehouse/"),
      });
    });
  });
}
