import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, expect, request } from "@playwright/test";
import type { RunningLauncher } from "#test/start-demo.ts";
import type { OwnUp } from "../own-up.ts";
import { expectNoFindings, inboxRow, test } from "../pages.ts";

/** Needs two people: `oncall` in the group `operators`, and `stranger`, whose groups no role binding names. */
export function testSigningIn(given: () => OwnUp): void {
  let up: OwnUp;
  let url: string;
  /** Of the scenario `inconclusiveInline`. */
  let target: { namespace: string; name: string };

  /** The cluster is watched, and not acted on. */
  const startUp = (...moreClusters: Record<string, unknown>[]): Promise<RunningLauncher> =>
    up.start({
      roles: [{ role: "operator", groups: ["operators"] }],
      clusters: [up.watched, ...moreClusters],
    });

  test.beforeAll(async () => {
    up = given();
    ({ url } = up);
    const [, namespace = "", , name = ""] = (up.scenarios.inconclusiveInline ?? "").split("/");
    target = { namespace, name };
    await startUp();
  });

  async function sessionCookie(context: BrowserContext): Promise<string> {
    const cookie = (await context.cookies(url)).find(({ name }) => name === "gatehouse.session");
    return `${cookie?.name}=${cookie?.value}`;
  }

  async function statusWith(cookie: string): Promise<number> {
    return (await fetch(`${url}/api/v1/me`, { headers: { cookie } })).status;
  }

  test("knows nothing of the demo's accounts, and refuses in words a person whom no role binding names", async ({
    page,
    context,
  }) => {
    await page.goto(`${url}/signin`);
    await expect(page.getByRole("button", { name: "Company sign-in" })).toBeVisible();
    await expect(page.getByText(/demo/i)).toHaveCount(0);
    const api = await request.newContext({ baseURL: url });
    expect(Object.keys(await (await api.get("/api/auth/providers")).json())).toEqual(["oidc"]);
    const { csrfToken } = await (await api.get("/api/auth/csrf")).json();
    const attempt = await api.post("/api/auth/callback/demo", {
      form: { csrfToken, username: "operator", password: "operator", json: "true" },
      headers: { origin: url },
      maxRedirects: 0,
    });
    expect(attempt.status()).toBeGreaterThanOrEqual(400);
    await api.dispose();

    await test.step("a person whom no role binding names", async () => {
      const refused = await up.signInAs(context, "stranger");
      await expect(refused.getByRole("alert").filter({ hasText: "you have no role in Gatehouse" })).toBeVisible();
      await refused.goto(`${url}/inbox`);
      await expect(refused).toHaveURL(/\/signin/);
    });
  });

  /** Runs `gatehouse` with a home of its own; `output` is what it has printed so far. */
  function startCommand(home: string, ...args: string[]) {
    const entry = join(import.meta.dirname, "../../bin/gatehouse.mjs");
    const env = { ...process.env, XDG_CONFIG_HOME: home, GATEHOUSE_URL: "", GATEHOUSE_TOKEN: "" };
    let output = "";
    const ended = new Promise<number>((resolve) => {
      const child = execFile(process.execPath, [entry, ...args], { env, timeout: 240_000 }, (error) =>
        resolve(Number(error?.code ?? 0)),
      );
      for (const stream of [child.stdout, child.stderr])
        stream?.on("data", (chunk) => {
          output += String(chunk);
        });
      child.stdin?.end();
    });
    return { ended, output: () => output };
  }

  test("a terminal is signed in by whoever approves its code in a browser, and refused by whoever does not", async ({
    context,
  }) => {
    const home = mkdtempSync(join(tmpdir(), "gatehouse-login-"));
    const login = startCommand(home, "login", url, "--device");
    await expect.poll(login.output).toMatch(/check that it shows the code/);
    const [, address = "", code = ""] = /^Open (\S+)\n.* code ([B-Z]{4}-[B-Z]{4})\./m.exec(login.output()) ?? [];
    expect(address).toBe(`${url}/device?user_code=${code}`);

    // Nobody is signed in: the way leads through the provider, and back to the code.
    const page = await up.signInAs(context, "oncall", address.slice(url.length));
    await expect(page).toHaveURL(address);
    await expect(page.getByRole("heading", { name: "Sign in from a terminal", level: 1 })).toBeVisible();
    await expect(page.getByText(/@\S+ asks to be signed in as oncall/)).toBeVisible();
    await expect(page.getByText(`Does your own terminal show ${code}?`)).toBeVisible();
    await expectNoFindings(page, "a terminal's request");
    await page.getByLabel("Role of its token").selectOption("operator");
    await page.getByLabel("Signed in for").selectOption("30 days");
    await page.getByRole("button", { name: "Approve" }).click();
    await expect(page.getByRole("status").filter({ hasText: "The terminal is signed in" })).toBeVisible();

    expect(await login.ended, login.output()).toBe(0);
    const file = join(home, "gatehouse/login.json");
    expect(login.output()).toContain(`signed in to ${url} as oncall, role operator; stored in ${file}\n`);
    const { token } = JSON.parse(readFileSync(file, "utf8"));
    expect((await fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
    await page.goto(address);
    await expect(page.getByText("it is wrong, used or expired")).toBeVisible();

    const other = startCommand(home, "login", url, "--device");
    await expect.poll(other.output).toMatch(/code [B-Z]{4}-[B-Z]{4}\./);
    const [, typed = ""] = /code ([B-Z]{4}-[B-Z]{4})\./.exec(other.output()) ?? [];
    await page.goto(`${url}/device`);
    await page.getByLabel("Code").fill(typed.toLowerCase());
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Refuse" }).click();
    await expect(page.getByRole("status").filter({ hasText: "The terminal was refused" })).toBeVisible();
    expect(await other.ended).toBe(1);
    expect(other.output()).toContain("gatehouse: not signed in: The request was refused.\n");
    rmSync(home, { recursive: true, force: true });
  });

  test("a session: signing in leads back to the page that was asked for, its end leads out and back, signing out ends it", async ({
    context,
  }) => {
    const page = await up.signInAs(context, "oncall", "/rollouts?phase=Healthy");
    await expect(page).toHaveURL(`${url}/rollouts?phase=Healthy`);
    await expect(page.getByText("only watches these clusters")).toBeVisible();
    await expect(page.getByRole("button", { name: "Operator One, operator" })).toBeVisible();

    await page.goto(`${url}/inbox`);
    const row = inboxRow(page, `${target.namespace}/${target.name}`);
    await expect(row).toContainText("Inconclusive");
    // Acknowledging sends nothing to the cluster.
    await expect(row.getByRole("group", { name: /^Actions on/ }).getByRole("button")).toHaveCount(0);

    await page.goto(`${url}/rollouts/prod/${target.namespace}/Rollout/${target.name}`);
    await expect(page.getByText("Read-only: Gatehouse watches cluster prod and does not act on it.")).toBeVisible();
    await expect(page.getByRole("group", { name: /^Actions on/ })).toHaveCount(0);
    await expectNoFindings(page, "a read-only rollout");

    await test.step("a page whose session has ended asks to sign in again, and continues as it was", async () => {
      await page.goto(`${url}/audit`);
      // A page that does not know yet who is signed in is loaded again after the sign-in.
      await expect(page.getByRole("button", { name: "Operator One, operator" })).toBeVisible();
      await page.getByRole("textbox", { name: "Person" }).fill("operator");
      await page.evaluate(() => Object.assign(window, { stayed: true }));
      const { rowCount } = await up.query(
        "UPDATE user_session SET absolute_expires_at = now() WHERE revoked_at IS NULL",
      );
      expect(rowCount).toBeGreaterThan(0);
      const dialog = page.getByRole("dialog", { name: "Your session has ended" });
      const opening = page.waitForEvent("popup");
      await dialog.getByRole("button", { name: "Sign in" }).click();
      const tab = await opening;
      // The provider still knows the person, and asks for nothing.
      await tab.getByRole("button", { name: "Company sign-in" }).click();
      await expect(dialog).toBeHidden();
      expect(await page.evaluate(() => Object.hasOwn(window, "stayed"))).toBe(true);
      await expect(page.getByRole("textbox", { name: "Person" })).toHaveValue("operator");
      await tab.close();
    });

    await test.step("signing out ends the session, also for a copy of its cookie", async () => {
      await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
      const cookie = await sessionCookie(context);
      expect(await statusWith(cookie)).toBe(200);
      await page.getByRole("button", { name: "Operator One, operator" }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await expect(page.getByRole("button", { name: "Company sign-in" })).toBeVisible();
      expect(await statusWith(cookie)).toBe(401);
    });
  });

  test("with a cluster that nobody answers for, up gets ready, says so, and shows the other as before", async ({
    context,
  }) => {
    const launched = await startUp({ name: "gone", server: "http://127.0.0.1:1", tokenFile: "cluster/token" });
    await expect.poll(() => launched.readErrors()).toMatch(/^gatehouse: cluster gone: .*ECONNREFUSED.*$/m);
    const page = await up.signInAs(context, "oncall", "/sources");
    const gone = page.getByRole("table", { name: "gone" }).getByRole("row", { name: /^Rollout / });
    await expect(gone).toContainText("ECONNREFUSED");
    await expect(gone).toContainText("Error");
    await expect(page.getByRole("status").filter({ hasText: "Cluster gone cannot be read" })).toBeVisible();
    const other = page.getByRole("table", { name: "prod" }).getByRole("row", { name: /^Rollout / });
    await expect(other).toContainText("Live");
    await page.goto(`${url}/rollouts/prod/${target.namespace}/Rollout/${target.name}`);
    await expect(page.getByRole("heading", { name: target.name, level: 1 })).toBeVisible();
  });
}
