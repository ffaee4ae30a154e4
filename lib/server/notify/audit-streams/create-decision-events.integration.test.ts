import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { createClusterClient } from "#lib/server/clusters/kubernetes/create-cluster-client.ts";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { createRecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";
import { gatehouseAccount } from "#sandbox/apiserver/auth.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { authorizeByRbac, type RbacObject, readManifest } from "#test/rbac.ts";
import { type SandboxServer, startSandboxServer } from "#test/sandbox-server.ts";
import { createTestPool } from "#test/test-pool.ts";
import { createDecisionEvents, type DecisionEventOptions } from "./create-decision-events.ts";

const rbac: RbacObject[] = [];
const rolloutId = randomUUID();
let database: TestDatabase;
let pool: Pool;
let owner: Pool;
let sandbox: SandboxServer;
let folder: string;
let cluster: ClusterConfig;
let client: ClusterClient;
let warnings: unknown[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-events-"));
  writeFileSync(join(folder, "token"), "t");
  database = await createTestDatabase();
  pool = createTestPool(database.recorderUrl);
  owner = createTestPool(database.ownerUrl, 1);
  sandbox = await startSandboxServer({ users: new Map([["t", gatehouseAccount]]), authorize: authorizeByRbac(rbac) });
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } };
  sandbox.store.create("namespaces", namespace, { manager: "test" });
  const fields = { name: "prod", server: sandbox.url, tokenFile: join(folder, "token"), access: "act", events: true };
  cluster = ClusterConfig.parse(fields);
  client = createClusterClient(cluster);
  await owner.query(
    `WITH known AS (INSERT INTO cluster (name) VALUES ('prod'))
     INSERT INTO rollout (id, cluster, namespace, kind, name, uid, phase, message, step_count, view_digest, revision_key,
       resource_version, object, updated_at)
     VALUES ($1, 'prod', 'shop', 'Rollout', 'checkout', 'uid-1', 'Paused', '', 5, '', '', '1', '{}', now())`,
    [rolloutId],
  );
});
beforeEach(() => {
  rbac.splice(0, rbac.length, ...readManifest("rbac-read.yaml"), ...readManifest("rbac-events.yaml"));
  warnings = [];
});
afterAll(async () => {
  await client.close();
  await sandbox.close();
  await pool.end();
  await owner.end();
  await database.drop();
  rmSync(folder, { recursive: true });
});

/** Stores an action with its intent and outcome; returns its id. */
async function act({
  reason = "metrics look fine",
  outcome = "applied" as "applied" | "refused",
} = {}): Promise<string> {
  const id = randomUUID();
  await owner.query(
    `INSERT INTO action (id, rollout_id, cluster, namespace, kind, name, action, state, reason, actor_key, actor_name,
       view_digest, request_hash, request_id)
     VALUES ($1, $2, 'prod', 'shop', 'Rollout', 'checkout', 'continue', 'applied', $3, 'k', 'Oncall', '', '', 'r')`,
    [id, rolloutId, reason],
  );
  for (const each of ["intent", outcome] as const)
    await appendAudit({
      pool,
      entry: {
        actor: { type: "user", name: "Oncall" },
        source: "gatehouse",
        code: "action.continue",
        action: "continue",
        actionId: id,
        outcome: each,
        requestId: "r",
      },
    });
  return id;
}

function start(clusters: ClusterConfig[] = [cluster], of: ClusterClient = client) {
  const metrics = createRecorderMetrics();
  const options: DecisionEventOptions = {
    pool,
    metrics,
    config: () => ({ clusters, publicUrl: "https://gatehouse.example.com" }),
    clusterFor: () => of,
    log: { warn: (fields: unknown) => void warnings.push(fields) } as DecisionEventOptions["log"],
  };
  const counted = async (outcome: string) =>
    Number(new RegExp(`outcome="${outcome}"} (\\d+)`).exec(await metrics.registry.metrics())?.[1] ?? 0);
  return { pass: createDecisionEvents(options), counted };
}

/** As `kubectl describe rollout` asks for them. */
async function listEvents(): Promise<Record<string, unknown>[]> {
  const fieldSelector = "involvedObject.uid=uid-1,involvedObject.name=checkout";
  const answer = await client.request({
    method: "GET",
    path: "/api/v1/namespaces/shop/events",
    query: { fieldSelector },
  });
  return (answer.json as { items: Record<string, unknown>[] }).items;
}

it("leaves an Event on the rollout that says who, why and where to read more, once for each action", async () => {
  const { pass, counted } = start();
  await pass();
  const id = await act();
  await pass();
  const events = await listEvents();
  expect(events).toHaveLength(1);
  const seq = Number((await owner.query("SELECT max(seq) AS seq FROM audit_entry")).rows[0].seq);
  expect(events[0]).toMatchObject({
    metadata: {
      ...{ name: `gatehouse.${id}`, namespace: "shop" },
      annotations: { "gatehouse.dev/link": "https://gatehouse.example.com/rollouts/prod/shop/Rollout/checkout" },
    },
    involvedObject: { apiVersion: "argoproj.io/v1alpha1", kind: "Rollout", name: "checkout", uid: "uid-1" },
    ...{ type: "Normal", reason: "GatehouseContinue", action: "continue" },
    message: `Oncall continued checkout: metrics look fine https://gatehouse.example.com/audit/${seq}`,
    ...{ source: { component: "gatehouse" }, reportingComponent: "gatehouse.dev/gatehouse" },
    firstTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  });
  await pass();
  expect(await counted("created")).toBe(1);
  // After a restart it is tried again, and exists already.
  const again = start();
  await again.pass();
  expect(await listEvents()).toHaveLength(1);
  expect(await again.counted("failed")).toBe(0);
});

it("leaves none for a refused action, for one of long ago, or where the config does not ask for it", async () => {
  const before = (await listEvents()).length;
  const off = start([{ ...cluster, events: false }]);
  const on = start();
  await on.pass();
  await act({ outcome: "refused" });
  await on.pass();
  await act();
  await off.pass();
  expect(await listEvents()).toHaveLength(before);
  expect(await off.counted("created")).toBe(0);
  await owner.query(
    "ALTER TABLE audit_entry DISABLE TRIGGER USER; UPDATE audit_entry SET time = time - interval '11 minutes'; ALTER TABLE audit_entry ENABLE TRIGGER USER",
  );
  await start().pass();
  expect(await listEvents()).toHaveLength(before);
});

it("counts an Event that the cluster refuses, says so once, and does not try again", async () => {
  const { pass, counted } = start();
  await pass();
  const before = (await listEvents()).length;
  rbac.splice(0, rbac.length, ...readManifest("rbac-read.yaml"));
  await act();
  await act();
  await pass();
  rbac.push(...readManifest("rbac-events.yaml"));
  await pass();
  expect(await counted("failed")).toBe(2);
  expect(warnings).toEqual([{ cluster: "prod", failure: "the cluster answered 403" }]);
  expect(await listEvents()).toHaveLength(before);
});

it("asks a cluster that gives no answer once in a pass", async () => {
  let asked = 0;
  const silent = {
    ...client,
    request: async () => {
      asked += 1;
      throw new Error("timeout");
    },
  };
  const { pass, counted } = start([cluster], silent);
  await pass();
  await act();
  await act();
  asked = 0;
  await pass();
  expect(asked).toBe(1);
  expect(await counted("failed")).toBeGreaterThanOrEqual(2);
});
