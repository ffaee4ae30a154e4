import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { BrowserContext, Page } from "@playwright/test";
import pg from "pg";
import { startOidcProvider } from "#test/oidc-provider.ts";
import { findFreePort, type RunningLauncher, startLauncher } from "#test/start-demo.ts";
import { startWireTap, type WireTap } from "#test/wire-tap.ts";
import type { ClusterPlace } from "./sandbox.ts";

type Json = Record<string, unknown>;

type OwnConfig = {
  roles: Json[];
  clusters: Json[];
  policies?: Json;
  sets?: Json[];
  teams?: Json[];
  notifications?: Json;
  basePath?: string;
};

/** `gatehouse up` as a company runs it: an identity provider, its own cluster, and a config that names both. */
export type OwnUp = {
  url: string;
  issuer: string;
  dataDirectory: string;
  /** The sandbox as a company's own cluster; Gatehouse reaches it through the tap, and has its token. */
  cluster: ClusterPlace;
  tap: WireTap;
  /** The cluster's entry in the config, to watch it; and to act on it, each person under their own name. */
  watched: Json;
  actedOn: Json;
  scenarios: Record<string, string>;
  /**
   * Stops the running launcher, and starts one with this config, unless it is the same; `auth.oidc` is given.
   * `basePath`: the path of publicUrl, empty or `subPath`.
   */
  start(config: OwnConfig): Promise<RunningLauncher>;
  /** Writes a secret, and returns its place as the config names it. */
  keepSecret(name: string, secret: string): string;
  signInAs(context: BrowserContext, login: string, path?: string): Promise<Page>;
  /** Fills in the provider's form. */
  logIn(page: Page, login: string): Promise<void>;
  /** Queries the embedded database as its owner. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<pg.QueryResult<Row>>;
  /** Stops everything, and returns the exit status of the launcher. */
  close(): Promise<number | null | undefined>;
};

const clientSecret = "client-secret-of-the-test";

export const subPath = "/tools/gatehouse";

/** `users`: claims by login name, as the provider gives them; any password is right. */
export async function prepareUp(users: Record<string, Json>): Promise<OwnUp> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-up-"));
  const dataDirectory = join(folder, "data");
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const redirectUris = ["", subPath].map((path) => `${url}${path}/api/auth/callback/oidc`);
  const provider = await startOidcProvider({ clientId: "gatehouse", secret: clientSecret, redirectUris, users });
  const { issuer } = provider;
  const started = await startCluster(join(folder, "cluster"));
  const tap = await startWireTap(started.cluster.server);
  const watched = { name: "prod", server: tap.url, tokenFile: "cluster/token" };
  let running: { launcher: RunningLauncher; config: string } | undefined;

  async function logIn(page: Page, login: string): Promise<void> {
    await page.waitForURL((now) => now.origin === issuer);
    await page.locator('input[name="login"]').fill(login);
    await page.locator('input[name="password"]').fill("any");
    await page.locator('button[type="submit"]').click();
    await page.waitForURL((now) => now.origin === url);
  }

  return {
    url,
    issuer,
    dataDirectory,
    cluster: started.cluster,
    tap,
    watched,
    actedOn: { ...watched, access: "act", impersonation: { usernamePrefix: "oidc:", groupsPrefix: "gatehouse:" } },
    scenarios: started.scenarios,
    async start({ roles, basePath = "", ...config }) {
      const file = join(folder, "gatehouse.yaml");
      const oidc = { issuer, clientId: "gatehouse", clientSecret: "env:OIDC_CLIENT_SECRET", label: "Company sign-in" };
      const whole = JSON.stringify({
        publicUrl: url + basePath,
        auth: { oidc, roles },
        recorder: { port: 0 },
        ...config,
      });
      if (running?.config === whole) return running.launcher;
      await running?.launcher.stop();
      writeFileSync(file, whole);
      const launcher = await startLauncher({
        args: ["up", "--config", file, "--port", String(port), "--data-dir", dataDirectory],
        env: { GATEHOUSE_SECRET: "a-secret-of-more-than-thirty-two-characters", OIDC_CLIENT_SECRET: clientSecret },
      });
      running = { launcher, config: whole };
      return launcher;
    },
    keepSecret(name, secret) {
      writeFileSync(join(folder, name), secret);
      return `file:${join(folder, name)}`;
    },
    logIn,
    async signInAs(context, login, path = "/inbox") {
      const page = await context.newPage();
      await page.goto(url + path);
      await page.getByRole("button", { name: "Company sign-in" }).click();
      await logIn(page, login);
      return page;
    },
    query: (sql, values) => queryAsOwner({ dataDirectory, sql, values }),
    async close() {
      const status = await running?.launcher.stop();
      await Promise.all([started.stop(), provider.close(), tap.close()]);
      rmSync(folder, { recursive: true, force: true });
      return status;
    },
  };
}

/** Starts it with a cluster that is acted on, by operators and admins. Rollouts `frozen-*` are frozen. */
export function startActing(up: OwnUp): Promise<RunningLauncher> {
  return up.start({
    roles: [
      { role: "operator", groups: ["operators", "guests"], breakGlass: true },
      { role: "admin", groups: ["admins"] },
    ],
    clusters: [up.actedOn],
    policies: { freezes: [{ name: "inventory", rollouts: ["frozen-*"], start: "0 0 * * *", duration: "24h" }] },
  });
}

async function startCluster(
  directory: string,
): Promise<{ cluster: ClusterPlace; scenarios: Record<string, string>; stop(): Promise<unknown> }> {
  const main = join(import.meta.dirname, "../sandbox/main.ts");
  const args = ["--port", "0", "--data-dir", directory, "--cluster", "prod", "--exit-on-stdin-close"];
  const child = spawn(process.execPath, [main, ...args], { stdio: ["pipe", "pipe", "ignore"] });
  const [line = ""] = (await once(createInterface({ input: child.stdout }), "line")) as string[];
  const server = line.replace("sandbox ready ", "");
  const token = readFileSync(join(directory, "token"), "utf8").trim();
  const headers = { authorization: `Bearer ${token}` };
  await fetch(`${server}/_sandbox/start`, { method: "POST", headers });
  const scenarios = (await (await fetch(`${server}/_sandbox/scenarios`, { headers })).json()) as Record<string, string>;
  const stop = (): Promise<unknown> => {
    const exited = once(child, "exit");
    child.stdin?.end();
    return exited;
  };
  return { cluster: { server, token }, scenarios, stop };
}

async function queryAsOwner<Row extends pg.QueryResultRow>({
  dataDirectory,
  sql,
  values,
}: {
  dataDirectory: string;
  sql: string;
  values: unknown[] | undefined;
}): Promise<pg.QueryResult<Row>> {
  const access: { port: number; owner: string } = JSON.parse(
    readFileSync(join(dataDirectory, "database.json"), "utf8"),
  );
  const connectionString = `postgresql://gatehouse:${encodeURIComponent(access.owner)}@127.0.0.1:${access.port}/gatehouse`;
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await client.query<Row>(sql, values);
  } finally {
    await client.end();
  }
}
