import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Config } from "#lib/server/platform/config/config-schema.ts";
import type { LoadedConfig } from "#lib/server/platform/config/load-config.ts";
import { listRightTroubles, readClockLead } from "#lib/server/platform/db/examine-database.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { type MailServer, startMailServer } from "#test/mail-server.ts";
import { type NotificationReceiver, startNotificationReceiver } from "#test/notification-receiver.ts";
import { startOidcProvider } from "#test/oidc-provider.ts";
import { judgeClock } from "./check-clock.ts";
import { listClockChecks, listDatabaseChecks, listOutsideChecks } from "./list-outside-checks.ts";

// Each part of the doctor against the real thing, whole and broken.

let provider: Awaited<ReturnType<typeof startOidcProvider>>;
let mail: MailServer;
let receiver: NotificationReceiver;
let database: TestDatabase;
let pool: pg.Pool;
let server: Server;
let port: number;
/** The server's answers, by path. `date` stands for the clock of a cluster. */
const answers = new Map<string, { status?: number; body: unknown; date?: Date }>();

beforeAll(async () => {
  const client = { clientId: "gatehouse", secret: "s", redirectUris: ["http://127.0.0.1:7460/api/auth/callback/oidc"] };
  provider = await startOidcProvider({ ...client, users: {} });
  mail = await startMailServer();
  receiver = await startNotificationReceiver();
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.ownerUrl, max: 2 });
  server = createServer(({ url = "" }, response) => {
    const { status = 200, body, date } = answers.get(url) ?? { status: 404, body: {} };
    if (date !== undefined) response.setHeader("date", date.toUTCString());
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  vi.unstubAllEnvs();
  server.close();
  await Promise.all([provider.close(), mail.close(), receiver.close(), pool.end()]);
  await database.drop();
});

const configOf = (rest: Record<string, unknown>) =>
  Config.parse({
    publicUrl: "http://127.0.0.1:7460",
    clusters: [{ name: "prod", server: "http://127.0.0.1:1" }],
    ...(rest.auth === undefined ? { demo: { accountsFile: "unused" } } : {}),
    ...rest,
  });

const loadedOf = (config: Config): LoadedConfig => ({
  ...{ config, file: "/etc/gatehouse/gatehouse.yaml", loadedAt: new Date(), digest: "", oidcClientSecret: undefined },
});
const outsideOf = (config: Config, channels: Record<string, unknown>[] = []) => {
  const stored = { value: { channels, routes: [] }, changedAt: new Date(), changedBy: "admin" };
  return listOutsideChecks(loadedOf(config), { notifications: stored });
};
const withProvider = (issuer: string) =>
  configOf({ auth: { oidc: { issuer, clientId: "gatehouse", clientSecret: "env:CLIENT_SECRET" } } });
const withChannel = (channel: Record<string, unknown>) =>
  configOf({ notifications: { channels: [{ name: "team", ...channel }] } });
const withSlackApp = (app: Record<string, unknown>) =>
  configOf({ notifications: { slack: { team: "T0123", apiUrl: own(), ...app } } });
const mailChannel = { type: "email", security: "none", host: "127.0.0.1", from: "a@x.org", to: ["b@x.org"] };
const own = () => `http://127.0.0.1:${port}`;
const webhook = (url: string) => withChannel({ type: "webhook", url, signingSecret: "env:PATH" });
const discovery = "/.well-known/openid-configuration";
const complete = () => ({ issuer: own(), authorization_endpoint: "x", token_endpoint: "x", jwks_uri: `${own()}/keys` });

type Case = { name: string; config(): Config; says: RegExp; plant?: () => void };
const cases: Case[] = [
  {
    name: "a provider that is well",
    config: () => withProvider(provider.issuer),
    says: /^ok identity provider: .* 1 key\(s\); its client gatehouse must allow the redirect URI http:\/\/127\.0\.0\.1:7460\/api\/auth\/callback\/oidc$/,
  },
  {
    name: "no provider",
    config: () => withProvider("http://127.0.0.1:2"),
    says: /^fail .*ECONNREFUSED\): check auth\.oidc\.issuer/,
  },
  {
    name: "a provider under another name",
    config: () => withProvider(provider.issuer.replace("127.0.0.1", "localhost")),
    says: /^fail .* names the issuer http:\/\/.*: set auth\.oidc\.issuer to exactly that/,
  },
  {
    name: "an address without a provider",
    config: () => withProvider(own()),
    says: /^fail .* answers 404: check auth/,
  },
  {
    name: "a provider without keys",
    config: () => withProvider(own()),
    plant: () => answers.set(discovery, { body: complete() }).set("/keys", { body: { keys: [] } }),
    says: /^fail .* has no keys: the provider must publish/,
  },
  {
    name: "a provider without an endpoint",
    config: () => withProvider(own()),
    plant: () => answers.set(discovery, { body: { ...complete(), token_endpoint: undefined } }),
    says: /^fail .* has no token_endpoint/,
  },
  {
    name: "a mail server",
    config: () => withChannel({ ...mailChannel, port: mail.port }),
    says: /^ok .* greets; nothing was sent/,
  },
  {
    name: "no mail server",
    config: () => withChannel({ ...mailChannel, port: 1 }),
    says: /^fail .*ECONNREFUSED\): check its address/,
  },
  {
    name: "a password that is not there",
    config: () => withChannel({ ...mailChannel, port: mail.port, user: "u", password: "env:NOT_THERE" }),
    says: /^fail .*the password was not found in environment variable NOT_THERE/,
  },
  { name: "a webhook", config: () => webhook(receiver.url), says: /^ok .* can be reached; nothing was sent/ },
  {
    name: "no webhook",
    config: () => webhook("http://127.0.0.1:1/"),
    says: /^fail .*127\.0\.0\.1:1 cannot be reached/,
  },
  {
    name: "a webhook whose key would be empty",
    config: () => withChannel({ type: "webhook", url: receiver.url, signingSecret: "env:GATEHOUSE_TEST_WEAK_SECRET" }),
    plant: () => vi.stubEnv("GATEHOUSE_TEST_WEAK_SECRET", "whsec_"),
    says: /^fail .*the signing secret in environment variable GATEHOUSE_TEST_WEAK_SECRET cannot be used: after whsec_ /,
  },
  {
    name: "a receiver of the audit log",
    config: () => configOf({ auditStreams: [{ name: "siem", type: "otlp", url: receiver.url }] }),
    says: /^ok audit streams: siem: .* can be reached; nothing was sent/,
  },
  {
    name: "no receiver of the audit log",
    config: () => configOf({ auditStreams: [{ name: "siem", type: "syslog", host: "127.0.0.1", port: 1 }] }),
    says: /^fail audit streams: siem: 127\.0\.0\.1:1 cannot be reached \(.*ECONNREFUSED/,
  },
  {
    name: "a receiver whose token is not there",
    config: () =>
      configOf({ auditStreams: [{ name: "siem", type: "splunk", url: receiver.url, token: "env:NOT_THERE" }] }),
    says: /^fail audit streams: the token was not found in environment variable NOT_THERE/,
  },
  {
    name: "a webhook without TLS",
    config: () => webhook(`https://127.0.0.1:${port}/`),
    says: /^fail .* cannot be reached \(/,
  },
  {
    name: "a Slack token that is not there",
    config: () => withChannel({ type: "slack", token: "env:NOT_THERE", channel: "C1", apiUrl: own() }),
    says: /^fail .*the token was not found/,
  },
  {
    name: "a PagerDuty whose key has another form",
    config: () => withChannel({ type: "pagerduty", routingKey: "env:PATH", apiUrl: own() }),
    says: /^fail .*the routing key is not the 32 characters/,
  },
  {
    name: "a PagerDuty that answers",
    config: () => withChannel({ type: "pagerduty", routingKey: "env:GATEHOUSE_TEST_ROUTING_KEY", apiUrl: own() }),
    plant: () => vi.stubEnv("GATEHOUSE_TEST_ROUTING_KEY", "0123456789abcdef0123456789abcdef"),
    says: /^ok .* can be reached/,
  },
  {
    name: "an Alertmanager without its token",
    config: () => withChannel({ type: "alertmanager", url: receiver.url, token: "env:NOT_THERE" }),
    says: /^fail .*the token was not found/,
  },
  {
    name: "an Alertmanager that answers",
    config: () => withChannel({ type: "alertmanager", url: receiver.url }),
    says: /^ok .* can be reached; nothing was sent/,
  },
  {
    name: "a Teams webhook that is not there",
    config: () => withChannel({ type: "teams", webhookUrl: "env:NOT_THERE" }),
    says: /^fail .*the URL of the webhook was not found/,
  },
  {
    name: "a code host without its token",
    config: () =>
      withChannel({
        type: "deployments",
        provider: "gitlab",
        token: "env:NOT_THERE",
        repositories: ["a/b"],
        apiUrl: own(),
      }),
    says: /^fail .*the token was not found/,
  },
  {
    name: "a code host that answers",
    config: () =>
      withChannel({ type: "deployments", provider: "github", token: "env:PATH", repositories: ["a/b"], apiUrl: own() }),
    says: /^ok .* can be reached; nothing was sent/,
  },
  {
    name: "a Slack app with another secret",
    config: () => withSlackApp({ signingSecret: "env:PATH" }),
    says: /^fail buttons in Slack: the signing secret is not the 32 characters of Basic Information/,
  },
  {
    name: "a Slack app",
    config: () => withSlackApp({ signingSecret: "env:GATEHOUSE_TEST_SIGNING", users: { U0123: "ann" } }),
    plant: () => vi.stubEnv("GATEHOUSE_TEST_SIGNING", "8f742231b10e8888abcd990123456789"),
    says: /^ok buttons in Slack: .* 1 user\(s\) named, no one else; set the Request URL .* to http:\/\/127\.0\.0\.1:7460\/hooks\/slack$/,
  },
  {
    name: "a Slack that answers",
    config: () => withChannel({ type: "slack", token: "env:PATH", channel: "C1", apiUrl: own() }),
    says: /^ok .* can be reached/,
  },
];

async function say({ name, run }: { name: string; run(): string | Promise<string> }): Promise<string> {
  try {
    return `ok ${name}: ${await run()}`;
  } catch (error) {
    return `fail ${name}: ${error instanceof Error ? error.message : error}`;
  }
}

describe("what the config names outside", () => {
  it.each(cases)("$name", async ({ config, says, plant }) => {
    plant?.();
    const lines = await Promise.all(outsideOf(config()).map(say));
    expect(lines.filter((line) => !line.includes("none set"))).toEqual([expect.stringMatching(says)]);
    answers.clear();
    expect([...mail.received, ...receiver.received]).toEqual([]);
  });

  it("includes channels made in the interface, and names those that are not allowed", async () => {
    const hook = { name: "made", type: "webhook", url: receiver.url, signingSecret: "env:PATH" };
    const linesOf = async (allow: string[]) => {
      const lines = await Promise.all(outsideOf(configOf({ notifications: { allow } }), [hook]).map(say));
      return lines.filter((line) => line.includes("notifications"));
    };
    const origin = new URL(receiver.url).origin;
    expect(await linesOf([origin, "env:PATH"])).toEqual([
      expect.stringMatching(/^ok notifications: made: .* can be reached; nothing was sent$/),
    ]);
    expect(await linesOf([origin])).toEqual([
      "fail notifications: made: not in use: the config file does not list env:PATH in notifications.allow; add it there, or change its signingSecret",
    ]);
    const inFile = { type: "webhook", url: receiver.url, signingSecret: "env:PATH" };
    const lines = await Promise.all(outsideOf(withChannel(inFile), [hook]).map(say));
    expect(lines.filter((line) => line.includes("made"))).toEqual([]);
  });
});

describe("proxies", () => {
  it.each([
    { publicUrl: "http://127.0.0.1:7460", trustedProxies: [], says: "none set (trustedProxies)" },
    { publicUrl: "https://g.example", trustedProxies: [], says: "none set (trustedProxies): all clients have" },
    { publicUrl: "https://g.example", trustedProxies: ["10.0.0.0/8"], says: "X-Forwarded-For counts from 10.0.0.0/8" },
  ])("of $publicUrl: $says", async ({ says, ...changes }) => {
    const found = outsideOf(configOf(changes)).find(({ name }) => name === "proxies");
    expect(await found?.run()).toContain(says);
  });
});

describe("clocks", () => {
  const cluster = () => configOf({ clusters: [{ name: "prod", server: own() }] }).clusters.slice(0, 1);
  it.each([
    { name: "right", date: () => new Date(), says: /^ok clock: cluster prod is within 5 s/ },
    {
      name: "ahead",
      date: () => new Date(Date.now() + 60_000),
      says: /^fail clock: cluster prod is (59|60|61)\.\d s ahead of .*: let NTP/,
    },
    {
      name: "behind",
      date: () => new Date(Date.now() - 60_000),
      says: /^fail clock: cluster prod is (59|60|61)\.\d s behind/,
    },
  ])("of a cluster: $name", async ({ date, says }) => {
    answers.set("/version", { body: {}, date: date() });
    const [config] = cluster();
    if (config === undefined) throw new Error("no cluster");
    const lines = await Promise.all((await listClockChecks(config)).map(say));
    expect(lines).toEqual([expect.stringMatching(says)]);
  });

  it("of the database is compared with this machine's", async () => {
    expect(Math.abs(await readClockLead(pool))).toBeLessThan(1000);
    expect(() => judgeClock({ name: "the database", leadMs: -7000 })).toThrow(/7\.0 s behind this machine/);
  });
});

describe("the database", () => {
  it("has the rights of the migrations, and each difference is named with its mending", async () => {
    expect(await listRightTroubles(pool)).toEqual([]);
    await pool.query("REVOKE INSERT ON audit_entry FROM gatehouse_web");
    await pool.query("GRANT UPDATE ON rollout TO gatehouse_web");
    expect(await listRightTroubles(pool)).toEqual([
      "gatehouse_web may UPDATE on rollout: run REVOKE UPDATE ON rollout FROM gatehouse_web as the owner",
      "gatehouse_web may not INSERT on audit_entry: run GRANT INSERT ON audit_entry TO gatehouse_web as the owner",
    ]);
  });

  it("says whether hooks can reach Gatehouse, once there are any", async () => {
    const check = async () => {
      const checks = listDatabaseChecks((use) => use(pool, configOf({ publicUrl: own() })));
      const hooks = checks.find(({ name }) => name === "hooks");
      return hooks === undefined ? "" : say(hooks);
    };
    expect(await check()).toMatch(/^ok hooks: no valid credential/);
    await pool.query(
      `INSERT INTO hook_credential (id, name, cluster, namespaces, secret_hash, created_by)
       VALUES (gen_random_uuid(), 'n', 'prod', '{a}', 'h', 'somebody')`,
    );
    expect(await check()).toMatch(/^fail hooks: .*\/livez answers 404: start the web process/);
    answers.set("/livez", { body: {} });
    expect(await check()).toMatch(/^ok hooks: 1 valid credential\(s\), and http/);
  });
});
