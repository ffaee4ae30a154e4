import { randomUUID } from "node:crypto";
import type { GateBinding, GateName, GateVerdict } from "#lib/domain/delivery/gate-decision.ts";
import { rolloutIdOf } from "#lib/domain/delivery/rollout-id.ts";
import { computeChecksum, hashPodTemplate } from "#lib/domain/flagger/gates/checksum.ts";
import { redactObject } from "#lib/domain/storable/redact-object.ts";
import type {
  ClusterClient,
  ClusterRequest,
  ClusterResponse,
} from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { insertGateDecision } from "#lib/server/records/gate-decisions.ts";
import { hookServerOf } from "#lib/server/webhooks/create-hook-server.ts";
import { createHookSecret, hashHookSecret } from "#lib/server/webhooks/hook-secret.ts";
import { callAsFlagger, type HookOutcome } from "./flagger-client.ts";
import { listenForHooks } from "./hook-listener.ts";
import { createTestPool } from "./test-pool.ts";
import { startTestWeb, type TestWeb } from "./web-runtime.ts";

/** A Canary with its target, as the cluster has them; changing the fields changes the cluster. */
export type LiveCanary = {
  namespace: string;
  name: string;
  uid: string;
  rolloutId: string;
  object: CanaryObject;
  /** The pod template of its Deployment. */
  template: Record<string, unknown>;
  /** Computed on each read from the object's status; `templateHash` from the template. */
  readonly checksum: string;
  readonly templateHash: string;
};
type CanaryObject = {
  apiVersion: string;
  kind: string;
  metadata: Record<string, unknown>;
  spec: Record<string, unknown>;
  status: Record<string, unknown> & { trackedConfigs?: Record<string, string>; lastAppliedSpec?: string };
};

export type HookWorld = {
  web: TestWeb;
  /** The URL of the server. */
  url: string;
  /** Queries as the owner. */
  query: ReturnType<typeof createTestPool>["query"];
  /** `answer` replaces the cluster's responses; undefined: its objects. `asked`: the paths of the requests. */
  cluster: { answer: ((request: ClusterRequest) => Promise<ClusterResponse>) | undefined; asked: string[] };
  addCanary(status?: Record<string, unknown>): Promise<LiveCanary>;
  /** Records the canary as it is now. */
  record(canary: LiveCanary, changes?: { presence?: string }): Promise<void>;
  decide(canary: LiveCanary, decision: Partial<Decision> & { gate: GateName }): Promise<string>;
  addCredential(changes?: { cluster?: string; namespaces?: string[] }): Promise<Credential>;
  /** Calls a gate as Flagger does for the canary, with the world's own credential unless another is given. */
  call(canary: LiveCanary, call: Call): Promise<HookOutcome>;
  /** Makes the source of canaries live, or as told. */
  setSource(source: { state?: string; contactSecondsAgo?: number; errorCode?: string }): Promise<void>;
  /** Writes the log of calls. */
  flush(): Promise<void>;
  close(): Promise<void>;
};
type Decision = {
  overrode: readonly string[];
  verdict: GateVerdict;
  bound: GateBinding;
  uid: string;
  expiresInSeconds: number | undefined;
};
export type Credential = { id: string; secret: string };
type Call = {
  type: string;
  credential?: Credential | undefined;
  payload?: Record<string, unknown>;
  cluster?: string;
  label?: string;
};

export const hookCluster = "demo";
const sourceId = randomUUID();

/** Starts a web process's hooks behind a real HTTP server, on a separate database, in front of pages that answer 200. */
export async function startHookWorld(options: Parameters<typeof startTestWeb>[0] = {}): Promise<HookWorld> {
  const live = new Map<string, LiveCanary>();
  const cluster: HookWorld["cluster"] = { answer: undefined, asked: [] };
  const client = {
    name: hookCluster,
    server: "http://127.0.0.1:1",
    request: async (request: ClusterRequest) => {
      cluster.asked.push(request.path);
      if (request.as !== undefined) throw new Error("a hook reads as Gatehouse itself");
      return cluster.answer === undefined ? readObject(live, request) : cluster.answer(request);
    },
  } as unknown as ClusterClient;
  const web = await startTestWeb({ clusters: { [hookCluster]: client }, ...options });
  const owner = createTestPool(web.database.ownerUrl);
  owner.on("error", () => {});
  const listener = await listenForHooks(web);
  const url = `http://127.0.0.1:${listener.port}`;
  let own: Credential | undefined;

  const world: HookWorld = {
    web,
    url,
    query: owner.query.bind(owner) as HookWorld["query"],
    cluster,
    async addCanary(status = {}) {
      const [namespace, name, uid] = [`ns-${randomUUID().slice(0, 8)}`, "podinfo", randomUUID()];
      const canary = makeCanary({ namespace, name, uid, status });
      live.set(`${namespace}/${name}`, canary);
      await world.record(canary);
      return canary;
    },
    async record({ rolloutId, namespace, name, uid, object }, { presence = "live" } = {}) {
      await owner.query(
        `WITH known AS (INSERT INTO cluster (name) VALUES ($2) ON CONFLICT DO NOTHING)
         INSERT INTO rollout (id, cluster, namespace, kind, name, uid, presence, phase, message, step_count, view_digest,
           revision_key, resource_version, object, updated_at)
         VALUES ($1, $2, $3, 'Canary', $4, $5, $6, 'Progressing', '', 0, $7, '', '7', $8, now())
         ON CONFLICT (id) DO UPDATE SET object = excluded.object, presence = excluded.presence`,
        [rolloutId, hookCluster, namespace, name, uid, presence, "d".repeat(64), JSON.stringify(redactObject(object))],
      );
    },
    async decide(canary, { gate, ...changes }) {
      const id = randomUUID();
      const { rolloutId, namespace, name, uid, checksum, templateHash } = canary;
      await owner.query(
        `INSERT INTO action (id, rollout_id, cluster, namespace, kind, name, action, state, actor_key, actor_name,
           view_digest, request_hash, request_id)
         VALUES ($1, $2, $3, $4, 'Canary', $5, 'x', 'effective', 'x', 'x', '', '', '')`,
        [id, rolloutId, hookCluster, namespace, name],
      );
      await inTransaction(web.runtime.pool, (tx) =>
        insertGateDecision(tx, {
          id,
          rolloutId,
          cluster: hookCluster,
          namespace,
          kind: "Canary",
          name,
          uid,
          gate,
          verdict: gate === "rollback" ? "rollback" : "approve",
          bound: gate === "confirm-rollout" ? { templateHash } : { checksum, upToWeight: 100 },
          actorName: "Oncall",
          reason: "looks good",
          expiresInSeconds: 3600,
          overrode: [],
          ...changes,
        }),
      );
      return id;
    },
    async addCredential({ cluster: name = hookCluster, namespaces = ["*"] } = {}) {
      const credential = { id: randomUUID(), secret: createHookSecret() };
      await owner.query(
        `INSERT INTO hook_credential (id, name, cluster, namespaces, secret_hash, created_by)
         VALUES ($1, 'flagger', $2, $3, $4, 'test')`,
        [credential.id, name, namespaces, hashHookSecret(credential.secret)],
      );
      return credential;
    },
    async call({ namespace, name, checksum, object }, { type, payload = {}, ...call }) {
      own ??= await world.addCredential();
      const { id, secret } = call.credential ?? own;
      const path = ["hooks/flagger", call.cluster ?? hookCluster, type, call.label].filter(
        (part) => part !== undefined,
      );
      const body = { name, namespace, phase: object.status.phase, checksum, ...payload };
      return callAsFlagger({ url: `${url.replace("//", `//${id}:${secret}@`)}/${path.join("/")}` }, body);
    },
    async setSource({ state = "live", contactSecondsAgo = 1, errorCode }) {
      await owner.query(
        `WITH known AS (INSERT INTO cluster (name) VALUES ($2) ON CONFLICT DO NOTHING)
         INSERT INTO source (id, cluster, resource, kind, state, error_code, watch_contact_at, read_contact_at)
         VALUES ($1, $2, 'canaries', 'Canary', $3, $4, now() - make_interval(secs => $5), now())
         ON CONFLICT (id) DO UPDATE SET state = excluded.state, error_code = excluded.error_code,
           watch_contact_at = excluded.watch_contact_at, read_contact_at = now()`,
        [sourceId, hookCluster, state, errorCode ?? null, contactSecondsAgo],
      );
    },
    flush: async () => hookServerOf(web.runtime)?.flush(),
    async close() {
      await listener.close();
      await owner.end();
      await web.close();
    },
  };
  await world.setSource({});
  return world;
}

/** The id of the source that `setSource` writes. */
export const hookSourceId = sourceId;

function makeCanary({
  namespace,
  name,
  uid,
  status,
}: {
  namespace: string;
  name: string;
  uid: string;
  status: Record<string, unknown>;
}): LiveCanary {
  const object: CanaryObject = {
    apiVersion: "flagger.app/v1beta1",
    kind: "Canary",
    metadata: { namespace, name, uid, resourceVersion: "7" },
    spec: {
      targetRef: { apiVersion: "apps/v1", kind: "Deployment", name },
      analysis: { interval: "10s", threshold: 5, stepWeight: 20, maxWeight: 60 },
    },
    status: {
      phase: "Progressing",
      canaryWeight: 20,
      lastAppliedSpec: "7d9c8f6b5",
      trackedConfigs: { "configmap/podinfo": "0123456789abcdef" },
      ...status,
    },
  };
  return {
    namespace,
    name,
    uid,
    rolloutId: rolloutIdOf({ cluster: hookCluster, namespace, kind: "Canary", name, uid }),
    object,
    template: { spec: { containers: [{ name: "app", image: "podinfo:2" }] } },
    get checksum() {
      return computeChecksum(this.object.status);
    },
    get templateHash() {
      return hashPodTemplate({ spec: { template: this.template } }) ?? "";
    },
  };
}

function readObject(live: ReadonlyMap<string, LiveCanary>, { path }: ClusterRequest): ClusterResponse {
  const [, namespace, plural, name] = /\/namespaces\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  const canary = live.get(`${namespace}/${name}`);
  const json =
    canary === undefined || (plural !== "canaries" && plural !== "deployments")
      ? undefined
      : plural === "canaries"
        ? canary.object
        : { kind: "Deployment", metadata: { namespace, name, uid: "t" }, spec: { template: canary.template } };
  const answer = { date: undefined, text: JSON.stringify(json ?? {}) };
  return json === undefined ? { ...answer, status: 404, json: {} } : { ...answer, status: 200, json };
}
