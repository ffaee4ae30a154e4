import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import AxeBuilder from "@axe-core/playwright";
import { type BrowserContext, expect, type Page, request, test } from "@playwright/test";
import pg from "pg";
import { startOidcProvider } from "#test/oidc-provider.ts";
import { findFreePort, type RunningLauncher, startLauncher } from "#test/start-demo.ts";
import { inboxRow } from "./pages.ts";

test.describe.configure({ mode: "serial" });
test.setTimeout(120_000);

const clientSecret = "client-secret-of-the-test";
let folder: string;
let url: string;
let provider: Awaited<ReturnType<typeof startOidcProvider>>;
let cluster: { child: ChildProcess; server: string; token: string };
let running: RunningLauncher | undefined;
let port: number;
/** Of the scenario `inconclusiveInline`. */
let target: { namespace: string; name: string };

test.beforeAll(async () => {
  test.setTimeout(300_000);
  folder = mkdtempSync(join(tmpdir(), "gatehouse-oidc-"));
  port = await findFreePort();
  url = `http://127.0.0.1:${port}`;
  provider = await startOidcProvider({
    clientId: "gatehouse",
    secret: clientSecret,
    redirectUri: `${url}/api/auth/callback/oidc`,
    users: {
      oncall: { name: "Operator One", groups: ["sre"] },
      stranger: { name: "A Stranger", groups: ["sales"] },
    },
  });
  cluster = await startCluster();
  running = await startUp();
});
test.afterAll(async () => {
  const status = await running?.stop();
  const exited = once(cluster.child, "exit");
  cluster.child.stdin?.end();
  await Promise.all([exited, provider.close()]);
  rmSync(folder, { recursive: true, force: true });
  expect(status).toBe(0);
});

/** The sandbox as somebody's own cluster: Gatehouse has its address and a token, and nothing else of it. */
async function startCluster(): Promise<typeof cluster> {
  const directory = join(folder, "cluster");
  const main = join(import.meta.dirname, "../sandbox/main.ts");
  const args = ["--port", "0", "--data-dir", directory, "--cluster", "prod", "--exit-on-stdin-close"];
  const child = spawn(process.execPath, [main, ...args], { stdio: ["pipe", "pipe", "ignore"] });
  const [line = ""] = (await once(createInterface({ input: child.stdout }), "line")) as string[];
  const server = line.replace("sandbox ready ", "");
  const token = readFileSync(join(directory, "token"), "utf8").trim();
  const headers = { authorization: `Bearer ${token}` };
  await fetch(`${server}/_sandbox/start`, { method: "POST", headers });
  const scenarios = (await (await fetch(`${server}/_sandbox/scenarios`, { headers })).json()) as Record<string, string>;
  const [, namespace = "", , name = ""] = (scenarios.inconclusiveInline ?? "").split("/");
  target = { namespace, name };
  return { child, server, token };
}

function startUp(moreClusters = ""): Promise<RunningLauncher> {
  return startLauncher({
    args: ["up", "--config", writeConfig(moreClusters), "--port", String(port), "--data-dir", join(folder, "data")],
    env: { GATEHOUSE_SECRET: "a-secret-of-more-than-thirty-two-characters", OIDC_CLIENT_SECRET: clientSecret },
  });
}

function writeConfig(moreClusters: string): string {
  const file = join(folder, "gatehouse.yaml");
  writeFileSync(
    file,
    `publicUrl: ${url}
auth:
  oidc: { issuer: "${provider.issuer}", clientId: gatehouse, clientSecretEnv: OIDC_CLIENT_SECRET, label: Company sign-in }
  roles:
    - { role: operator, groups: [sre] }
clusters:
  - { name: prod, server: "${cluster.server}", tokenFile: cluster/token }
${moreClusters}
recorder: { port: 0 }
`,
  );
  return file;
}

async function signInAs(context: BrowserContext, login: string, path = "/inbox"): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url + path);
  await page.getByRole("button", { name: "Company sign-in" }).click();
  await page.waitForURL((now) => now.origin === provider.issuer);
  await page.locator('input[name="login"]').fill(login);
  await page.locator('input[name="password"]').fill("any");
  await page.locator('button[type="submit"]').click();
  await page.waitForURL((now) => now.origin === url);
  return page;
}

async function sessionCookie(context: BrowserContext): Promise<string> {
  const cookie = (await context.cookies(url)).find(({ name }) => name === "gatehouse.session");
  return `${cookie?.name}=${cookie?.value}`;
}

async function statusWith(cookie: string): Promise<number> {
  return (await fetch(`${url}/api/v1/me`, { headers: { cookie } })).status;
}

/** As the owner of the embedded database; returns how many rows it changed. */
async function changeSessions(set: string): Promise<number | null> {
  const access = JSON.parse(readFileSync(join(folder, "data/database.json"), "utf8")) as {
    port: number;
    owner: string;
  };
  const connectionString = `postgresql://gatehouse:${encodeURIComponent(access.owner)}@127.0.0.1:${access.port}/gatehouse`;
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(`UPDATE user_session SET ${set} WHERE revoked_at IS NULL`)).rowCount;
  } finally {
    await client.end();
  }
}

test("signs in at the provider, back to the page that was asked for, and shows the cluster read-only", async ({
  context,
}) => {
  const page = await signInAs(context, "oncall", "/rollouts?phase=Healthy");
  await expect(page).toHaveURL(`${url}/rollouts?phase=Healthy`);
  await expect(page.getByText("acts on none of them")).toBeVisible();
  await expect(page.getByRole("button", { name: "Operator One, operator" })).toBeVisible();

  await page.goto(`${url}/inbox`);
  const row = inboxRow(page, `${target.namespace}/${target.name}`);
  await expect(row).toContainText("Inconclusive", { timeout: 90_000 });
  await expect(row.getByRole("button")).toHaveCount(0);

  await page.goto(`${url}/rollouts/prod/${target.namespace}/Rollout/${target.name}`);
  await expect(page.getByText("Read-only: Gatehouse watches cluster prod and does not act on it.")).toBeVisible();
  await expect(page.getByRole("group", { name: /^Actions on/ })).toHaveCount(0);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.filter(({ impact }) => impact === "serious" || impact === "critical")).toEqual([]);
});

test("the API refuses every action on it, the protective one too", async ({ context }) => {
  await signInAs(context, "oncall");
  const path = `${url}/api/v1/rollouts/prod/${target.namespace}/Rollout/${target.name}`;
  const { viewDigest, uid, revisionKey } = await (await context.request.get(path)).json();
  for (const action of ["accept-step", "abort"]) {
    const response = await context.request.post(`${path}/actions`, {
      headers: { origin: url },
      data: { action, reason: "trying", expect: { viewDigest, uid, revisionKey } },
    });
    expect({ action, status: response.status(), ...(await response.json()) }).toMatchObject({
      action,
      status: 409,
      code: "read_only",
    });
  }
});

test("knows nothing of the demo's accounts", async ({ page }) => {
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
});

test("signing out ends the session, also for a copy of its cookie", async ({ context }) => {
  const page = await signInAs(context, "oncall");
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  const cookie = await sessionCookie(context);
  expect(await statusWith(cookie)).toBe(200);
  await page.getByRole("button", { name: "Operator One, operator" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("button", { name: "Company sign-in" })).toBeVisible();
  expect(await statusWith(cookie)).toBe(401);
});

test("refuses, in words, a person whom no role binding names", async ({ context }) => {
  const page = await signInAs(context, "stranger");
  await expect(page.getByRole("alert").filter({ hasText: "no role in Gatehouse fits" })).toBeVisible();
  await page.goto(`${url}/inbox`);
  await expect(page).toHaveURL(/\/signin/);
});

for (const [name, set] of [
  ["revoked", "revoked_at = now()"],
  ["idle too long", "idle_expires_at = now()"],
  ["too old", "absolute_expires_at = now()"],
] as const) {
  test(`a session that is ${name} leads an open page to the sign-in page, and back after it`, async ({ context }) => {
    const page = await signInAs(context, "oncall", "/audit");
    await expect(page.getByRole("heading", { name: "Audit", level: 1 })).toBeVisible();
    expect(await changeSessions(set)).toBeGreaterThan(0);
    await expect(page).toHaveURL(/\/signin\?callbackUrl=%2Faudit/, { timeout: 45_000 });
    await expect(page.getByRole("alert").filter({ hasText: "session has ended" })).toBeVisible();
    // The provider still knows the person, and asks for nothing.
    await page.getByRole("button", { name: "Company sign-in" }).click();
    await expect(page).toHaveURL(`${url}/audit`);
  });
}

test("with a cluster that nobody answers for, up gets ready, says so, and shows the other as before", async ({
  context,
}) => {
  expect(await running?.stop()).toBe(0);
  running = await startUp('  - { name: gone, server: "http://127.0.0.1:1", tokenFile: cluster/token }');
  const launched = running;
  await expect.poll(() => launched.readErrors()).toMatch(/^gatehouse: cluster gone: .*ECONNREFUSED.*$/m);
  const page = await signInAs(context, "oncall", "/sources");
  const gone = page.getByRole("table", { name: "gone" }).getByRole("row", { name: /^Rollout / });
  await expect(gone).toContainText("ECONNREFUSED");
  await expect(gone).toContainText("Error");
  await expect(page.getByRole("status").filter({ hasText: "Cluster gone cannot be read" })).toBeVisible();
  const other = page.getByRole("table", { name: "prod" }).getByRole("row", { name: /^Rollout / });
  await expect(other).toContainText("Live", { timeout: 30_000 });
  await page.goto(`${url}/rollouts/prod/${target.namespace}/Rollout/${target.name}`);
  await expect(page.getByRole("heading", { name: target.name, level: 1 })).toBeVisible();
});
