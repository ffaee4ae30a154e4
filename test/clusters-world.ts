import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { createClusterClient } from "#lib/server/clusters/kubernetes/create-cluster-client.ts";
import type { RouteHandler } from "#lib/server/edge/http/endpoint.ts";
import { startSession } from "#lib/server/people/auth/start-session.ts";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { createLoopMonitor } from "#lib/server/platform/telemetry/loop-monitor.ts";
import { recordClusters } from "#lib/server/recording/session/record-clusters.ts";
import { createRecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";
import { createRecorderPool } from "#lib/server/recording/store/recorder-pool.ts";
import { gatehouseAccount } from "#sandbox/apiserver/auth.ts";
import { authorizeByRbac, bindRole, type RbacObject, readManifest } from "./rbac.ts";
import { rolloutStatus, sampleRollout } from "./recorder-samples.ts";
import { waitFor } from "./recorder-world.ts";
import { type SandboxServer, startSandboxServer } from "./sandbox-server.ts";
import { encodeSessionCookie } from "./session-cookie.ts";
import { sharedEvaluations } from "./shared-evaluations.ts";
import { startTestWeb, type TestWeb, type TestWebOptions, testOrigin } from "./web-runtime.ts";
import { startWireTap, type WireTap } from "./wire-tap.ts";

type Json = Record<string, unknown>;
const issuer = "https://login.example.com";

export type TestCluster = { sandbox: SandboxServer; tap: WireTap; rbac: RbacObject[]; config: ClusterConfig };
export type Person = { cookie: string };

/** Clusters with rights as in Kubernetes' RBAC, recorded, and a web process with a non-demo config. */
export type ClustersWorld = {
  web: TestWeb;
  of(cluster: string): TestCluster;
  /** Adds and records a rollout in namespace payments that waits at a pause step. */
  addRollout(cluster: string, name: string): Promise<void>;
  setStatus(cluster: string, name: string, status: Json): Promise<void>;
  signIn(claims: { sub: string; groups: string[] } & Json): Promise<Person>;
  call(
    handler: RouteHandler,
    options: {
      as: Person | { token: string };
      params?: Record<string, string>;
      body?: unknown;
      path?: string;
      headers?: Record<string, string>;
    },
  ): Promise<{ status: number; body: Json }>;
  close(): Promise<void>;
};

/** A cluster in which Gatehouse acts with its own account, in namespace payments. */
export function actingCluster(): { config: Json; rbac: RbacObject[] } {
  const account = { kind: "ServiceAccount", name: "gatehouse", namespace: "gatehouse" };
  return {
    config: { access: "act", actAs: "serviceAccount" },
    rbac: [
      ...readManifest("rbac-read.yaml"),
      ...readManifest("rbac-act.yaml"),
      bindRole("rollout-operator", account, "payments"),
    ],
  };
}

/** Creates the world. `clusters`: each one's config apart from its address, and the rights that are bound in it. */
export async function createClustersWorld({
  clusters,
  auth,
  policies = {},
  database,
  databaseUrl,
  directUrl,
}: {
  clusters: Record<string, { config: Json; rbac: RbacObject[] }>;
  auth: Json;
  policies?: Json;
} & Pick<TestWebOptions, "database" | "databaseUrl" | "directUrl">): Promise<ClustersWorld> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-clusters-"));
  const started = await Promise.all(
    Object.entries(clusters).map(async ([name, { config, rbac }]) => {
      return [name, await startCluster({ name, config, rbac: [...rbac], folder })] as const;
    }),
  );
  const known = new Map(started);
  const clients = Object.fromEntries(started.map(([name, { config }]) => [name, createClusterClient(config)]));
  const web = await startTestWeb({
    clusters: clients,
    oidcClientSecret: "secret",
    ...(database === undefined ? {} : { database }),
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    ...(directUrl === undefined ? {} : { directUrl }),
    config: {
      demo: undefined,
      auth: { oidc: { issuer, clientId: "gatehouse", clientSecret: "env:UNUSED" }, ...auth },
      policies,
      clusters: started.map(([, { config }]) => config),
    },
  });
  const recorder = startRecorder({ web, clusters: started.map(([, { config }]) => config), clients });
  const of: ClustersWorld["of"] = (cluster) => {
    const found = known.get(cluster);
    if (found === undefined) throw new Error(`there is no cluster ${cluster}`);
    return found;
  };

  const setStatus: ClustersWorld["setStatus"] = async (cluster, name, status) => {
    const { store } = of(cluster).sandbox;
    const object = store.get("rollouts", "payments", name);
    if (object === undefined) throw new Error(`there is no rollout ${name}`);
    const written = store.update(
      "rollouts",
      { ...object, status: rolloutStatus(status) },
      { manager: "rollouts-controller", subresource: "status" },
    );
    await waitFor(`${cluster}/${name} recorded`, async () => {
      const { rows } = await web.runtime.pool.query(
        "SELECT FROM rollout WHERE cluster = $1 AND name = $2 AND resource_version = $3",
        [cluster, name, written.metadata.resourceVersion],
      );
      return rows.length === 1;
    });
  };

  return {
    web,
    of,
    setStatus,
    async addRollout(cluster, name) {
      of(cluster).sandbox.store.create("rollouts", sampleRollout({ name, namespace: "payments" }), { manager: "test" });
      await setStatus(cluster, name, waiting);
    },
    async signIn({ sub, groups, ...claims }) {
      const sessionId = await startSession({
        runtime: web.runtime,
        signIn: {
          identity: { issuer, subject: sub, username: sub, groups },
          name: sub,
          claims: { sub, preferred_username: sub, groups, ...claims },
          method: "oidc",
          authenticatedAt: new Date(),
        },
        requestId: "test",
      });
      return { cookie: await encodeSessionCookie({ sessionId, secret: web.runtime.secret }) };
    },
    async call(handler, { as, params = {}, body, path = "/api/v1/x", headers: added = {} }) {
      const headers = new Headers({ "sec-fetch-site": "same-origin", ...added });
      if ("token" in as) headers.set("authorization", `Bearer ${as.token}`);
      else headers.set("cookie", as.cookie);
      if (body !== undefined) headers.set("content-type", "application/json");
      const init = body === undefined ? { headers } : { method: "POST", body: JSON.stringify(body), headers };
      const response = await handler(new Request(`${testOrigin}${path}`, init), { params: Promise.resolve(params) });
      return { status: response.status, body: await response.json() };
    },
    async close() {
      await recorder.stop();
      await web.close();
      await Promise.all(Object.values(clients).map((client) => client.close()));
      await Promise.all(started.flatMap(([, { tap, sandbox }]) => [tap.close(), sandbox.close()]));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What is done in a cluster, and the audit entries about it. The world may begin later. */
export function actsAt(cluster: string, world: () => ClustersWorld) {
  return {
    isAborted(name: string): boolean {
      const object = world().of(cluster).sandbox.store.get("rollouts", "payments", name);
      return (object?.status as { abort?: boolean } | undefined)?.abort === true;
    },
    patches: () =>
      world()
        .of(cluster)
        .tap.requests.filter(({ method }) => method === "PATCH").length,
    /** Returns the entries about a rollout, oldest first. */
    async entriesOf(name: string) {
      const { rows } = await world().web.runtime.pool.query<{ entry: string }>(
        "SELECT entry FROM audit_entry WHERE cluster = $1 AND name = $2 ORDER BY seq",
        [cluster, name],
      );
      return rows.map(({ entry }) => JSON.parse(entry));
    },
  };
}

/** At an indefinite pause step. */
export const waiting: Json = {
  phase: "Paused",
  message: "CanaryPauseStep",
  currentPodHash: "new",
  stableRS: "old",
  currentStepIndex: 1,
  controllerPause: true,
  pauseConditions: [{ reason: "CanaryPauseStep", startTime: "2026-11-20T10:00:00Z" }],
};

async function startCluster({
  name,
  config,
  rbac,
  folder,
}: {
  name: string;
  config: Json;
  rbac: RbacObject[];
  folder: string;
}): Promise<TestCluster> {
  const users = new Map([["token-of-gatehouse", gatehouseAccount]]);
  const sandbox = await startSandboxServer({ bookmarksMs: 300, users, authorize: authorizeByRbac(rbac) });
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "payments" } };
  sandbox.store.create("namespaces", namespace, { manager: "test" });
  const tap = await startWireTap(sandbox.url);
  const tokenFile = join(folder, `${name}-token`);
  writeFileSync(tokenFile, "token-of-gatehouse\n");
  return { sandbox, tap, rbac, config: ClusterConfig.parse({ name, server: tap.url, tokenFile, ...config }) };
}

function startRecorder({
  web,
  clusters,
  clients,
}: {
  web: TestWeb;
  clusters: ClusterConfig[];
  clients: Record<string, ReturnType<typeof createClusterClient>>;
}): { stop(): Promise<void> } {
  const stop = new AbortController();
  const pool = createRecorderPool({ url: web.database.recorderUrl, onError: () => {} });
  const done = recordClusters(
    {
      clusters,
      clientOf: (name) => {
        const client = clients[name];
        if (client === undefined) throw new Error(`there is no cluster ${name}`);
        return client;
      },
      pool,
      log: pino({ level: "silent" }),
      metrics: createRecorderMetrics(),
      monitor: createLoopMonitor({ now: () => performance.now(), onTurn: () => {} }),
      evaluations: sharedEvaluations(),
      acquireEveryMs: 100,
      renewEveryMs: 500,
      holder: "test",
    },
    stop.signal,
  );
  return {
    async stop() {
      stop.abort();
      await done;
      await pool.end();
    },
  };
}
