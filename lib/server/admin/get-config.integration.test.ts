import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "@prometheus-io/client";
import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { stringify } from "yaml";
import { getAdminConfig } from "#lib/server/admin/get-config.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { type ConfigStore, openConfigStore } from "#lib/server/platform/config/config-store.ts";
import { readEnvironment } from "#lib/server/platform/config/environment.ts";
import type { LoadedConfig } from "#lib/server/platform/config/load-config.ts";
import { createConfigMetrics } from "#lib/server/platform/telemetry/config-metrics.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { completeLoaded, readSettings } from "#lib/server/records/stored-settings.ts";
import { actorOf } from "#test/acting-world.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createTestPool } from "#test/test-pool.ts";

let folder: string;
let store: ConfigStore;
let file: string;
let database: TestDatabase;
let pool: Pool;

/** Every value that must stay hidden, by its place. */
const secrets = {
  oidc: "s3cret-oidc-value",
  token: "s3cret-cluster-token",
  slack: "s3cret-slack-hook",
  signing: "s3cret-signing-key",
  bearer: "s3cret-bearer",
  mail: "s3cret-mail-password",
  inUserInfo: "s3cret-in-user-info",
  inQuery: "s3cret-in-query",
  inDatabaseUrl: "s3cret-in-database-url",
  cookies: "s3cret-of-cookies-0123456789abcdef",
};

const inFile = (name: keyof typeof secrets) => {
  writeFileSync(join(folder, name), secrets[name]);
  return name;
};

function configOf(clusters: string[]) {
  return {
    publicUrl: "https://gatehouse.example",
    auth: {
      oidc: { issuer: "https://login.example", clientId: "gatehouse", clientSecret: `file:${inFile("oidc")}` },
      roles: [{ role: "admin", groups: ["owners"] }],
    },
    clusters: clusters.map((name) => ({
      ...{ name, server: "https://cluster.example:6443", tokenFile: inFile("token") },
      controllers: {
        prometheus: { url: `https://user:${secrets.inUserInfo}@prom.example`, tokenFile: inFile("bearer") },
      },
    })),
    checkpoints: { webhook: { url: `https://log.example/x?token=${secrets.inQuery}`, token: "env:CHECKPOINT_TOKEN" } },
    notifications: {
      channels: [
        { name: "slack", type: "slack", webhookUrl: "env:SLACK_HOOK" },
        {
          name: "hook",
          type: "webhook",
          url: `file:${inFile("slack")}`,
          signingSecret: `file:${inFile("signing")}`,
          token: "env:BEARER",
        },
        {
          name: "mail",
          type: "email",
          host: "smtp.example",
          from: "a@example.org",
          to: ["b@example.org"],
          user: "u",
          password: "env:MAIL",
        },
      ],
    },
    retention: { events: "30d" },
  };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-admin-config-"));
  vi.stubEnv("SLACK_HOOK", secrets.slack);
  vi.stubEnv("MAIL", secrets.mail);
  file = join(folder, "gatehouse.yaml");
  writeFileSync(file, stringify(configOf(["one", "two", "three"])));
  const timing = { checkEveryMs: 60_000, settleMs: 1 };
  database = await createTestDatabase();
  pool = createTestPool(database.ownerUrl, 2);
  store = await openConfigStore({ file, now: () => new Date(), metrics: createConfigMetrics(new Registry()), timing });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await store.close();
  await pool.end();
  await database.drop();
  rmSync(folder, { recursive: true });
});

async function read(actor: Actor = actorOf("admin"), loaded?: LoadedConfig) {
  const environment = readEnvironment({
    GATEHOUSE_CONFIG: file,
    DATABASE_URL: `postgresql://gatehouse:${secrets.inDatabaseUrl}@db.example/gatehouse`,
    GATEHOUSE_SECRET: secrets.cookies,
  });
  const runtime = { config: () => loaded ?? store.current(), configStatus: () => store.status(), pool };
  const ctx = { runtime, actor, requestId: "r" } as unknown as ServiceContext;
  return getAdminConfig({ ctx, runtime: { environment } });
}

describe("the effective config", () => {
  it("contains no secret, neither of the file nor of what it names", async () => {
    const text = JSON.stringify(await read());
    for (const [where, secret] of Object.entries(secrets)) expect(text, where).not.toContain(secret);
    expect(text).toContain("https://[redacted]@prom.example");
    expect(text).toContain("[redacted]@db.example");
  });

  it("says of each value whether the file has it, on which line, or whether it is a default", async () => {
    const { entries } = await read();
    const entryOf = (path: string) => entries.find((entry) => entry.path === path);
    const lines = stringify(configOf(["one", "two", "three"])).split("\n");
    expect(entryOf("retention.events")).toMatchObject({ value: "30d", origin: "file" });
    expect(lines[(entryOf("retention.events")?.line ?? 0) - 1]).toContain("events: 30d");
    expect(entryOf("retention.kubernetesAudit")).toEqual({
      path: "retention.kubernetesAudit",
      value: "90d",
      origin: "default",
      line: null,
      note: null,
    });
    expect(entryOf("clusters[1].name")).toMatchObject({ value: "two", origin: "file" });
    expect(entryOf("clusters[1].staleAfterSeconds")).toMatchObject({ value: "60", origin: "default" });
    expect(entryOf("notifications.channels[0].webhookUrl")).toMatchObject({
      value: "env:SLACK_HOOK",
      note: expect.stringMatching(/^Set in/),
    });
    expect(entryOf("notifications.channels[1].token")).toMatchObject({ note: expect.stringMatching(/^Not set/) });
  });

  it("shows what a held file would change, and that it is not in force", async () => {
    expect((await read()).pending).toBeNull();
    writeFileSync(file, stringify({ ...configOf(["one"]), retention: { events: "40d" } }));
    await store.check();
    const { pending, entries } = await read();
    expect(pending).toMatchObject({ state: "held" });
    expect(pending?.changes).toContainEqual({ path: "retention.events", before: "30d", after: "40d" });
    expect(pending?.changes).toContainEqual({ path: "clusters[1].name", before: "two", after: null });
    expect(entries.find(({ path }) => path === "retention.events")?.value).toBe("30d");
    for (const secret of Object.values(secrets)) expect(JSON.stringify(pending)).not.toContain(secret);
  });

  it("keeps what is stored in the changes of a held file, unless the file sets it", async () => {
    const link = { name: "Logs", url: "https://logs.example/{name}", on: ["rollout"] };
    await pool.query("INSERT INTO setting (kind, value, changed_at, changed_by) VALUES ('links', $1, now(), 'admin')", [
      JSON.stringify([link]),
    ]);
    const completed = completeLoaded(store.current(), await readSettings(pool));
    const pathsOf = async () => (await read(actorOf("admin"), completed)).pending?.changes?.map(({ path }) => path);
    expect(await pathsOf()).not.toContainEqual(expect.stringMatching(/^links/));
    writeFileSync(file, stringify({ ...configOf(["one"]), links: [] }));
    await store.check();
    expect(await pathsOf()).toContain("links[0].name");
  });

  it("says what is wrong in a file that cannot be used", async () => {
    writeFileSync(file, "clusters: 5\n");
    await store.check();
    expect((await read()).pending).toMatchObject({
      state: "error",
      changes: null,
      error: expect.stringContaining("publicUrl"),
    });
  });

  it("is for nobody but an admin", async () => {
    await expect(read(actorOf("operator"))).rejects.toMatchObject({ code: "forbidden" });
    await expect(read(actorOf("viewer"))).rejects.toMatchObject({ code: "forbidden" });
  });
});
