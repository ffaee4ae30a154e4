import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { demoGroupsOf } from "#demo/accounts.ts";
import type { Action, ActionAccepted, ActionRequest } from "#lib/contract/action.ts";
import type { CreatedHookCredential } from "#lib/contract/hook.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";
import { createClusterClient } from "#lib/server/clusters/kubernetes/create-cluster-client.ts";
import type { RouteHandler } from "#lib/server/edge/http/endpoint.ts";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { createTestDatabase } from "#test/database.ts";
import { listenForHooks } from "#test/hook-listener.ts";
import { startRecorderProcess } from "#test/recorder-process.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb, testAccounts } from "#test/web-runtime.ts";
import { GET as getAction } from "../../app/api/v1/actions/[id]/route.ts";
import { POST as postCredential } from "../../app/api/v1/hook-credentials/route.ts";
import { POST as postAction } from "../../app/api/v1/rollouts/[cluster]/[namespace]/[kind]/[name]/actions/route.ts";
import { GET as getRollout } from "../../app/api/v1/rollouts/[cluster]/[namespace]/[kind]/[name]/route.ts";
import { type ChartRoles, installChart } from "./chart-roles.ts";
import { type IndependentWatch, watchMeasurements } from "./independent-watch.ts";
import { connectCluster, type Json, type RealCluster } from "./real-cluster.ts";
import { connectMetrics, type RealMetrics } from "./real-metrics.ts";
import { parseListen, type RealTarget, readTarget } from "./real-target.ts";

/** The config of the stories' recorder holds rollouts of these names. */
const heldNames = "held-*";

const clusterName = "real";

/** Gatehouse on a real cluster: recorder, web and database of this run, in a namespace of this run. */
export type RealWorld = {
  target: RealTarget;
  cluster: RealCluster;
  metrics: RealMetrics;
  namespace: string;
  web: TestWeb;
  watch: IndependentWatch;
  /** Absent if Gatehouse has the roles of the kubeconfig instead of the chart's. */
  chart: ChartRoles | undefined;
  /** When the API server was away, and until everything was settled again. */
  outages: { fromMs: number; toMs: number }[];
  restartRecorder(): Promise<void>;
  /** Returns the API's detail of a rollout, by default of kind Rollout; fails if it is not found. */
  look(name: string, kind?: string): Promise<RolloutDetail>;
  paramsOf(name: string, kind?: string): Record<string, string>;
  /** The URL at which Flagger calls Gatehouse, with credentials. */
  gateUrl(type: string): string;
  /** Queries the database as its owner. */
  query: ReturnType<typeof createTestPool>["query"];
  call(
    handler: RouteHandler,
    options: { params?: Record<string, string>; path?: string; body?: unknown },
  ): Promise<Json>;
  act(
    name: string,
    request: Pick<ActionRequest, "action"> & Partial<ActionRequest>,
    kind?: string,
  ): Promise<ActionAccepted>;
  /** Waits until the action has one of these states, and returns it. */
  actionIn(id: string, states: readonly string[], withinMs?: number): Promise<Action>;
  close(): Promise<void>;
};

export async function startRealWorld(): Promise<RealWorld> {
  const target = readTarget();
  const cluster = connectCluster(target.kubeconfig);
  const metrics = await connectMetrics(target);
  const namespace = `gatehouse-real-${randomBytes(4).toString("hex")}`;
  await cluster.create("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const watch = watchMeasurements(cluster, namespace);
  const database = await createTestDatabase();
  const chart =
    target.helm === undefined
      ? undefined
      : await installChart({
          ...{ ...target, helm: target.helm, cluster, namespace, mode: target.impersonation },
          ...{ group: demoGroupsOf("admin")[0] ?? "", user: testAccounts.admin.username },
        });
  const byChart = { server: chart?.server, caFile: chart?.caFile, impersonation: chart?.impersonation };
  const reached = {
    ...(chart === undefined ? { kubeconfig: target.kubeconfig, actAs: "serviceAccount" } : byChart),
    ...{ access: "act", namespaces: [namespace], events: true },
    ...(target.prometheusUrl === undefined ? {} : { controllers: { prometheus: { url: target.prometheusUrl } } }),
  };
  // The lab's API server sends its events within a second.
  const kubernetesAudit = {
    settleSeconds: 3,
    ...(target.audit.file === undefined ? {} : { file: target.audit.file }),
  };
  const ownAccount = { server: undefined, tokenFile: undefined };
  const settings = { ...reached, kubernetesAudit, ...(chart === undefined ? ownAccount : {}) };
  const start = () =>
    startRecorderProcess({
      cluster: clusterName,
      clusterUrl: cluster.server,
      clusterToken: chart?.recorderToken ?? "unused",
      databaseUrl: database.recorderUrl,
      settings,
      config: { oversight: [{ rollouts: [heldNames], hold: true }] },
    });
  const asWeb = { name: clusterName, ...reached, tokenFile: chart?.webTokenFile };
  const config = ClusterConfig.parse(asWeb);
  const client = createClusterClient(config);
  const web = await startTestWeb({
    database,
    clusters: { [clusterName]: client },
    config: { clusters: [asWeb] },
  });
  let recorder = await start();
  const paramsOf = (name: string, kind = "Rollout") => ({ cluster: clusterName, namespace, kind, name });
  const owner = createTestPool(database.ownerUrl);
  const listener = await listenForHooks(web, parseListen(target.gatesListen));

  const call: RealWorld["call"] = async (handler, { params = {}, path = "/api/v1/x", body }) => {
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const request = web.request(path, { as: "admin", ...init });
    const response = await handler(request, { params: Promise.resolve(params) });
    const answer = (await response.json()) as Json;
    if (response.status >= 300) throw new Error(`${response.status} ${JSON.stringify(answer)}`);
    return answer;
  };
  const look: RealWorld["look"] = async (name, kind) =>
    (await call(getRollout, { params: paramsOf(name, kind) })) as unknown as RolloutDetail;
  const named = { name: "stories", cluster: clusterName, namespaces: [namespace] };
  const credential = (await call(postCredential, { body: named })) as unknown as CreatedHookCredential;

  return {
    target,
    cluster,
    metrics,
    namespace,
    web,
    watch,
    chart,
    outages: [],
    look,
    paramsOf,
    call,
    query: owner.query.bind(owner) as RealWorld["query"],
    gateUrl: (type) =>
      `${target.gatesReachedAt.replace("//", `//${credential.id}:${credential.secret}@`)}/hooks/flagger/${clusterName}/${type}`,
    async restartRecorder() {
      await recorder.kill();
      recorder = await start();
    },
    async act(name, request, kind) {
      // If a controller writes between the read and the request, the view is stale: a person would look again.
      for (let attempt = 1; ; attempt++) {
        const { viewDigest, uid, revisionKey } = await look(name, kind);
        const body = { reason: "a story", ...request, expect: { viewDigest, uid, revisionKey } };
        try {
          return (await call(postAction, { params: paramsOf(name, kind), body })) as unknown as ActionAccepted;
        } catch (error) {
          if (attempt === 10 || !String(error).includes("stale_view")) throw error;
          await sleep(200);
        }
      }
    },
    async actionIn(id, states, withinMs = 90_000) {
      let last: Action | undefined;
      const until = performance.now() + withinMs;
      while (performance.now() < until) {
        last = (await call(getAction, { params: { id } })) as unknown as Action;
        if (states.includes(last.state)) return last;
        await sleep(100);
      }
      throw new Error(
        `the action stayed ${last?.state} (${last?.message}) for ${withinMs} ms, not ${states.join("/")}`,
      );
    },
    async close() {
      await watch.stop();
      await recorder.kill();
      await listener.close();
      await owner.end();
      await web.close();
      await client.close();
      await database.drop();
      chart?.uninstall();
      await cluster.request("DELETE", `/api/v1/namespaces/${namespace}`);
      await metrics.close();
      cluster.close();
    },
  };
}
