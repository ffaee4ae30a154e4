import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { OversightScope } from "#lib/domain/oversight/scope.ts";
import { readOwnAccounts, reportOwnAccounts } from "#lib/server/acting/permission/own-accounts.ts";
import { createClusterClient } from "#lib/server/clusters/kubernetes/create-cluster-client.ts";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import type { LoadedConfig } from "#lib/server/platform/config/load-config.ts";
import { gatehouseAccount } from "#sandbox/apiserver/auth.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { authorizeByRbac, type RbacObject, readManifest } from "#test/rbac.ts";
import { type SandboxServer, startSandboxServer } from "#test/sandbox-server.ts";
import { createTestPool } from "#test/test-pool.ts";
import { reviewClusters } from "./review-clusters.ts";

const rbac: RbacObject[] = [];
let sandbox: SandboxServer;
let database: TestDatabase;
let web: ReturnType<typeof createTestPool>;
let recorder: ReturnType<typeof createTestPool>;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-accounts-"));
  writeFileSync(join(folder, "token"), "t");
  sandbox = await startSandboxServer({ users: new Map([["t", gatehouseAccount]]), authorize: authorizeByRbac(rbac) });
  database = await createTestDatabase();
  web = createTestPool(database.webUrl, 2);
  recorder = createTestPool(database.recorderUrl, 1);
});
beforeEach(() => {
  rbac.splice(0, rbac.length, ...readManifest("rbac-act.yaml"));
});
afterAll(async () => {
  await Promise.all([web.end(), recorder.end()]);
  await database.drop();
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

const configOf = (changes: object = {}) =>
  ClusterConfig.parse({ name: "prod", server: sandbox.url, tokenFile: join(folder, "token"), ...changes });

/** Reports as a web process does at a load of its config. */
async function report(changes: object = {}): Promise<void> {
  const cluster = configOf(changes);
  const client = createClusterClient(cluster);
  const current = () => ({ config: { clusters: [cluster] } }) as unknown as LoadedConfig;
  const subscribe = (listener: () => void) => {
    listener();
    return () => {};
  };
  const log = pino({ level: "silent" });
  const stop = reportOwnAccounts({ store: { current, subscribe }, clusterFor: () => client, pool: web, log });
  await stop();
  await client.close();
}

async function find(clusters: object[] = [{}], scopes: OversightScope[] = []): Promise<string[]> {
  await reviewClusters({ pool: recorder, clusters: clusters.map(configOf), scopes });
  const { rows } = await recorder.query<{ text: string }>(
    `SELECT concat(severity, CASE WHEN closed_at IS NULL THEN ' ' ELSE ' closed ' END, cluster, ' ', kind, ': ', title, ' ',
       evidence->0->>'value') AS text FROM finding WHERE about = 'cluster' ORDER BY 1`,
  );
  return rows.map(({ text }) => text);
}

/** Widens the rule, as it was before the manifest named the user. */
function widen(): void {
  for (const { metadata, rules = [] } of rbac)
    for (const rule of rules)
      if (metadata.name === "gatehouse-impersonate" && rule.resources.includes("users")) delete rule.resourceNames;
}

const title = `prod Cluster: Gatehouse's token can be anybody ${gatehouseAccount.name}`;

it("finds nothing with the manifests of deploy/, and knows the account", async () => {
  await report();
  expect(await readOwnAccounts(recorder, ["prod"])).toEqual([
    { cluster: "prod", username: gatehouseAccount.name, unlimited: null, unlimited_since: null },
  ]);
  expect(await readOwnAccounts(recorder, ["other"])).toEqual([]);
  expect(await find()).toEqual([]);
});

it("finds a token that can be anybody, since the first report, and closes the finding when the rule has names", async () => {
  widen();
  await report();
  expect(await find()).toEqual([`critical ${title}`]);
  const before = await readOwnAccounts(recorder, ["prod"]);
  await report();
  expect(await readOwnAccounts(recorder, ["prod"])).toEqual(before);
  expect(await find([{ impersonation: { allowAnyUser: true } }])).toEqual([`warning ${title}`]);
  // A cluster that does not answer says nothing new.
  await report({ server: "http://127.0.0.1:1" });
  expect(await find()).toEqual([`critical ${title}`]);
  rbac.splice(0, rbac.length, ...readManifest("rbac-act.yaml"));
  await report();
  expect(await find()).toEqual([`critical closed ${title}`]);
});

it("says nothing of an account that has not been seen for a day, of a cluster without config, or with the rule off", async () => {
  widen();
  await report();
  expect(await find()).toEqual([`critical ${title}`]);
  const scope = { clusters: ["*"], namespaces: ["*"], rollouts: ["*"] };
  expect(await find([{}], [{ scope, off: ["token-unlimited"], limits: {} }])).toEqual([`critical closed ${title}`]);
  expect(await find()).toEqual([`critical ${title}`]);
  expect(await find([])).toEqual([`critical closed ${title}`]);
  expect(await find()).toEqual([`critical ${title}`]);
  await web.query("UPDATE cluster_account SET checked_at = now() - interval '25 hours'");
  expect(await find()).toEqual([`critical closed ${title}`]);
});
