import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readDemoAccounts } from "#demo/accounts.ts";
import { startWebRuntime } from "#lib/server/edge/web/start-web-runtime.ts";
import type { Environment } from "#lib/server/platform/config/environment.ts";
import { evaluationWorker, projectRoot } from "#lib/server/platform/config/program-files.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { waitFor } from "#test/recorder-world.ts";
import { createTestPool } from "#test/test-pool.ts";

let database: TestDatabase;
let folder: string;
let owner: ReturnType<typeof createTestPool>;
const replicas: WebRuntime[] = [];

const role = (groups: string[]) => [{ role: "viewer", groups }];

function write(content: Record<string, unknown> | string): void {
  const base = { publicUrl: "http://127.0.0.1:7460", demo: { accountsFile: "accounts.json" } };
  const text = typeof content === "string" ? content : JSON.stringify({ ...base, ...content });
  writeFileSync(join(folder, "gatehouse.yaml"), text);
}

const clustersOf = (...names: string[]) => names.map((name) => ({ name, server: "http://127.0.0.1:1" }));

async function start(): Promise<WebRuntime> {
  const environment: Environment = {
    configFile: join(folder, "gatehouse.yaml"),
    databaseUrl: database.webUrl,
    databaseDirectUrl: database.webUrl,
    secret: randomUUID() + randomUUID(),
    logLevel: "silent",
    exitOnStdinClose: false,
    recorderSharesRole: false,
    isProduction: false,
  };
  const program = { directory: projectRoot, evaluationWorker };
  const runtime = await startWebRuntime({ environment, ...program, now: () => new Date(), readDemoAccounts });
  replicas.push(runtime);
  return runtime;
}

beforeEach(async () => {
  database = await createTestDatabase();
  owner = createTestPool(database.ownerUrl);
  folder = mkdtempSync(join(tmpdir(), "gatehouse-web-runtime-"));
  const account = (username: string) => ({ username, password: "long enough" });
  writeFileSync(
    join(folder, "accounts.json"),
    JSON.stringify({ viewer: account("viewer"), operator: account("operator"), admin: account("admin") }),
  );
  write({ clusters: clustersOf("a", "b") });
});
afterEach(async () => {
  await Promise.all(replicas.splice(0).map((runtime) => runtime.close()));
  await owner.end();
  await database.drop();
  rmSync(folder, { recursive: true });
});

const codes = async (): Promise<string[]> =>
  (await owner.query<{ code: string }>("SELECT code FROM audit_entry ORDER BY seq")).rows.map(({ code }) => code);

describe("the config of the web process", () => {
  it("takes effect at the next request: clusters, roles; readers of before keep what they have", async () => {
    const runtime = await start();
    const seen = runtime.config();
    const client = runtime.cluster("a");
    write({ clusters: clustersOf("a", "b", "c"), auth: { roles: role(["x"]) } });
    await runtime.checkConfig();
    expect(runtime.config().config.auth.roles).toMatchObject(role(["x"]));
    expect(seen.config.auth.roles).toEqual([]);
    expect([runtime.cluster("a"), runtime.cluster("c")?.name]).toEqual([client, "c"]);
    const auth = { roles: role(["x", "y"]) };
    write({ clusters: [...clustersOf("a"), { name: "b", server: "http://127.0.0.1:2" }], auth });
    await runtime.checkConfig();
    expect([runtime.cluster("a"), runtime.cluster("b")?.server, runtime.cluster("c")]).toEqual([
      client,
      "http://127.0.0.1:2",
      undefined,
    ]);
  });

  it("refuses a reload whose cluster cannot be used, and keeps the clients that it has", async () => {
    const runtime = await start();
    const client = runtime.cluster("a");
    writeFileSync(join(folder, "kubeconfig"), "apiVersion: v1\nkind: Config\n");
    write({ clusters: [...clustersOf("a", "b"), { name: "c", kubeconfig: "kubeconfig", context: "none" }] });
    await runtime.checkConfig();
    expect(runtime.configStatus()).toMatchObject({
      state: "error",
      trouble: { error: expect.stringMatching(/cluster c: kubeconfig .* has no context "none"/) },
    });
    expect([runtime.cluster("a"), runtime.cluster("c")]).toEqual([client, undefined]);
  });

  it("is audited once between all replicas that see the same file", async () => {
    const [one, other] = [await start(), await start()];
    const both = () => Promise.all([one.checkConfig(), other.checkConfig()]);
    await waitFor("the load", async () => (await codes()).length === 1);
    write("clusters: [");
    await both();
    await waitFor("the refusal", async () => (await codes()).length === 2);
    write({ clusters: clustersOf("a", "b", "c") });
    await both();
    await waitFor("the second load", async () => (await codes()).length === 3);
    write({ clusters: clustersOf("d") });
    await both();
    await waitFor("the hold", async () => (await codes()).length === 4);
    await one.close();
    await other.close();
    replicas.length = 0;
    expect(await codes()).toEqual(["config.loaded", "config.refused", "config.loaded", "config.held"]);
    const { rows } = await owner.query<{ entry: string }>("SELECT entry FROM audit_entry");
    for (const { entry } of rows) expect(entry).not.toContain("127.0.0.1");
  });
});
