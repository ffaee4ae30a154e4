import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "pg";
import { pino } from "pino";
import type { z } from "zod";
import type { ActionAccepted, ActionParams, ActionRequest } from "#lib/contract/action.ts";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import { parseRollout, type RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import { computeDecisionView, computeViewDigest } from "#lib/domain/argo/view/decision-view.ts";
import { type ChainVerdict, verifyChain } from "#lib/domain/audit/audit-chain.ts";
import { type AuditEntry, parseEntryText } from "#lib/domain/audit/audit-entry.ts";
import { rolloutIdOf } from "#lib/domain/delivery/rollout-id.ts";
import { everywhere } from "#lib/domain/policy/rights.ts";
import { actOnRollout } from "#lib/server/acting/act/act-on-rollout.ts";
import type {
  ClusterClient,
  ClusterRequest,
  ClusterResponse,
} from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { createClusterClient } from "#lib/server/clusters/kubernetes/create-cluster-client.ts";
import { askTicket } from "#lib/server/notify/channels/ask-ticket.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { LinkConfig } from "#lib/server/platform/config/config-schema.ts";
import { PolicyConfig, RoleBinding } from "#lib/server/platform/config/policy-schema.ts";
import { SetConfig } from "#lib/server/platform/config/set-schema.ts";
import { createWebPool } from "#lib/server/platform/db/pools.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { type SandboxServer, startSandboxServer } from "#test/sandbox-server.ts";
import { sharedEvaluations } from "#test/shared-evaluations.ts";
import { createTestPool } from "#test/test-pool.ts";

type Json = Record<string, unknown>;
/** May answer instead of the cluster, before the request is sent or after. */
export type Intercept = (request: ClusterRequest, send: () => Promise<ClusterResponse>) => Promise<ClusterResponse>;

/** A database, the sandbox's API server without controllers, and the context in which the acting services run. */
export type ActingWorld = {
  owner: Pool;
  web: Pool;
  recorder: Pool;
  sandbox: SandboxServer;
  runtime: Runtime;
  client: ClusterClient;
  requests: ClusterRequest[];
  setAccess(access: "read" | "act"): void;
  setIntercept(intercept: Intercept | undefined): void;
  /** Sets the status of the config from now on. */
  setConfigStatus(status: unknown): void;
  /** Sets the config's `policies` from now on. */
  setPolicies(policies: z.input<typeof PolicyConfig>): void;
  /** Sets the config's `sets` from now on. */
  setSets(sets: z.input<typeof SetConfig>[]): void;
  /** Sets the config's `auth.roles` from now on; initially they give each person of `actorOf` their role. */
  setRoles(roles: z.input<typeof RoleBinding>[]): void;
  /** Sets the config's `links` from now on. */
  setLinks(links: z.input<typeof LinkConfig>[]): void;
  contextOf(actor: Actor): ServiceContext;
  addRollout(options?: { spec?: Json; status?: Json }): Promise<TestRollout>;
  /** Records a Rollout that already exists in the sandbox. */
  adoptRollout(place: { namespace: string; name: string }): Promise<TestRollout>;
  act(options: ActOptions): Promise<ActionAccepted>;
  entriesOf(rollout: Pick<TestRollout, "path">): Promise<AuditEntry[]>;
  /** Returns code and outcome of each entry, such as `action.abort intent`. */
  outcomesOf(rollout: Pick<TestRollout, "path">): Promise<string[]>;
  /** Returns the action's row. */
  rowOf(id: string | undefined): Promise<Json>;
  verify(): Promise<ChainVerdict>;
  close(): Promise<void>;
};

export type TestRollout = {
  id: string;
  path: RolloutPath;
  /** Returns the `expect` that a person would send after looking now. */
  look(): Promise<{ viewDigest: string; uid: string; revisionKey: string }>;
  read(): RolloutObject;
  /** Writes the status as a controller would. */
  setStatus(change: (status: Json) => Json): void;
  /** Stores the object as the recorder would. */
  record(): Promise<void>;
};

export type ActOptions = {
  rollout: Pick<TestRollout, "path" | "look">;
  action: ActionRequest["action"];
  expect?: ActionRequest["expect"];
  reason?: string | undefined;
  actor?: Actor;
  idempotencyKey?: string;
  runtime?: Runtime;
  breakGlass?: boolean;
  approval?: string;
  params?: ActionParams;
};

export const clusterName = "prod-eu";
const issuer = "https://issuer.example";
const rolesByGroup = (["viewer", "operator", "admin"] as const).map((role) => ({
  role,
  groups: [`gatehouse:${role}s`],
}));

/** Returns the error with which the call fails. */
export async function failureOf(promise: Promise<unknown>): Promise<{ code: string; extra: Record<string, unknown> }> {
  return promise.then(
    () => Promise.reject(new Error("it was not refused")),
    (error) => error,
  );
}

export function actorOf(role: Actor["role"], claims: Json = {}): Actor {
  const name = `${role}-person`;
  return {
    type: "user",
    userId: randomUUID(),
    issuer,
    subject: name,
    name,
    role,
    groups: [`gatehouse:${role}s`],
    rights: { grants: [{ role, scope: everywhere, actions: ["*"], breakGlass: false }], cap: "admin" },
    username: name,
    claims: { preferred_username: name, groups: [`gatehouse:${role}s`], ...claims },
  };
}

const waiting = {
  controllerPause: true,
  pauseConditions: [{ reason: "CanaryPauseStep", startTime: "2026-11-20T10:00:00Z" }],
  currentStepIndex: 1,
};

/** Creates the world. `database`: an existing one, for code outside the tests; by default a separate one. */
export async function createActingWorld(options: { database?: TestDatabase } = {}): Promise<ActingWorld> {
  const [database, sandbox] = await Promise.all([options.database ?? createTestDatabase(), startSandboxServer()]);
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-acting-"));
  const tokenFile = join(directory, "token");
  writeFileSync(tokenFile, sandbox.token);
  let cluster = ClusterConfig.parse({ name: clusterName, server: sandbox.url, tokenFile, access: "act" });
  const real = createClusterClient(cluster);
  const pools = poolsOf(database);
  const web = createWebPool({ url: database.webUrl, maxConnections: 2, onError: () => {} });
  const requests: ClusterRequest[] = [];
  let intercept: Intercept | undefined;
  let policies = PolicyConfig.parse({});
  let sets: SetConfig[] = [];
  let roles = rolesByGroup.map((binding) => RoleBinding.parse(binding));
  let configStatus: unknown = { state: "ok" };
  let links: LinkConfig[] = [];
  const client: ClusterClient = {
    ...real,
    request: (request) => {
      requests.push(request);
      const send = () => real.request(request);
      return intercept === undefined ? send() : intercept(request, send);
    },
  };
  const runtime = {
    config: () => ({
      config: {
        publicUrl: "https://gatehouse.example",
        clusters: [cluster],
        policies,
        sets,
        links,
        units: {},
        teams: [],
        recording: { labels: ["wave"], waveLabel: "wave" },
        auth: { oidc: { issuer }, roles },
      },
    }),
    configStatus: () => configStatus,
    freezes: () => [],
    askTicket,
    pool: pools.web,
    cluster: (name: string) => (name === clusterName ? client : undefined),
    log: pino({ level: "silent" }),
    now: () => new Date(),
    evaluations: sharedEvaluations(),
  } as unknown as Runtime;
  await addSource(pools.owner);
  const entriesOf: ActingWorld["entriesOf"] = async (rollout) => {
    const { rows } = await pools.owner.query(
      "SELECT entry FROM audit_entry WHERE name = $1 AND namespace = $2 ORDER BY seq",
      [rollout.path.name, rollout.path.namespace],
    );
    return rows.map(({ entry }) => parseEntryText(entry)).filter((entry) => entry !== undefined);
  };
  return {
    ...pools,
    sandbox,
    runtime,
    client,
    requests,
    setAccess: (access) => {
      cluster = { ...cluster, access };
    },
    setIntercept: (next) => {
      intercept = next;
    },
    setConfigStatus: (status) => {
      configStatus = status;
    },
    setPolicies: (next) => {
      policies = PolicyConfig.parse(next);
    },
    setSets: (next) => {
      sets = next.map((set) => SetConfig.parse(set));
    },
    setRoles: (next) => {
      roles = next.map((binding) => RoleBinding.parse(binding));
    },
    setLinks: (next) => {
      links = next.map((link) => LinkConfig.parse(link));
    },
    contextOf: (actor) => ({ runtime, actor, requestId: randomUUID() }),
    addRollout: (options) => addRollout({ owner: pools.owner, sandbox, ...options }),
    adoptRollout: (place) => adoptRollout({ owner: pools.owner, sandbox, ...place }),
    act: ({ rollout, action, expect, reason = "because", actor = actorOf("operator"), idempotencyKey, ...other }) =>
      (async () => {
        const ctx: ServiceContext = { runtime: other.runtime ?? runtime, actor, requestId: randomUUID() };
        const { breakGlass, approval, params } = other;
        const input = {
          ...rollout.path,
          ...params,
          action,
          reason,
          breakGlass,
          approval,
          expect: expect ?? (await rollout.look()),
        };
        return actOnRollout({ ctx, input, idempotencyKey });
      })(),
    entriesOf,
    outcomesOf: async (rollout) => (await entriesOf(rollout)).map(({ code, outcome }) => `${code} ${outcome}`),
    rowOf: async (id) => {
      const { rows } = await pools.owner.query<Json>("SELECT * FROM action WHERE id = $1", [id]);
      const [row] = rows;
      if (row === undefined) throw new Error(`there is no action ${id}`);
      return row;
    },
    verify: async () => {
      const { rows } = await pools.owner.query(
        `SELECT seq::int, previous_hash AS "previousHash", hash, entry_hash AS "entryHash", entry
         FROM audit_entry ORDER BY audit_entry.seq`,
      );
      return verifyChain(rows);
    },
    close: async () => {
      await Promise.all([real.close(), sandbox.close(), web.end(), ...Object.values(pools).map((pool) => pool.end())]);
      await database.drop();
      rmSync(directory, { recursive: true });
    },
  };
}

function poolsOf(database: TestDatabase): Pick<ActingWorld, "owner" | "web" | "recorder"> {
  return {
    owner: createTestPool(database.ownerUrl),
    web: createTestPool(database.webUrl, 10),
    recorder: createTestPool(database.recorderUrl, 4),
  };
}

async function addSource(owner: Pool): Promise<void> {
  await owner.query(
    `WITH known AS (INSERT INTO cluster (name) VALUES ($2) ON CONFLICT DO NOTHING)
     INSERT INTO source (id, cluster, resource, kind, namespace, state, watch_contact_at, read_contact_at, stale_after_ms)
     VALUES ($1, $2, 'rollouts', 'Rollout', '', 'live', now(), now(), 3600000)`,
    [`${clusterName}/rollouts`, clusterName],
  );
}

async function addRollout({
  owner,
  sandbox,
  spec = {},
  status = {},
}: {
  owner: Pool;
  sandbox: SandboxServer;
  spec?: Json;
  status?: Json;
}): Promise<TestRollout> {
  const { store } = sandbox;
  const namespace = `ns-${randomUUID().slice(0, 8)}`;
  const name = "checkout";
  const manager = { manager: "test" };
  store.create("namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }, manager);
  const strategy = { canary: { steps: [{ setWeight: 20 }, { pause: {} }, { analysis: {} }, { setWeight: 60 }] } };
  store.create(
    "rollouts",
    {
      apiVersion: "argoproj.io/v1alpha1",
      kind: "Rollout",
      metadata: { name, namespace },
      spec: {
        replicas: 5,
        template: { spec: { containers: [{ name: "app", image: "shop/app:1" }] } },
        strategy,
        ...spec,
      },
    },
    manager,
  );
  const object = store.get("rollouts", namespace, name);
  if (object === undefined) throw new Error(`no rollout ${namespace}/${name}`);
  const first = { currentPodHash: "new", stableRS: "old", phase: "Paused", ...waiting, ...status };
  store.update("rollouts", { ...object, status: first }, { ...manager, subresource: "status" });
  return adoptRollout({ owner, sandbox, namespace, name });
}

async function adoptRollout({
  owner,
  sandbox: { store },
  namespace,
  name,
}: {
  owner: Pool;
  sandbox: SandboxServer;
  namespace: string;
  name: string;
}): Promise<TestRollout> {
  const stored = () => {
    const object = store.get("rollouts", namespace, name);
    if (object === undefined) throw new Error(`no rollout ${namespace}/${name}`);
    return object;
  };
  const setStatus: TestRollout["setStatus"] = (change) => {
    const object = stored();
    const next = change(structuredClone((object.status ?? {}) as Json));
    store.update("rollouts", { ...object, status: next }, { manager: "test", subresource: "status" });
  };
  const path: RolloutPath = { cluster: clusterName, namespace, kind: "Rollout", name };
  const read = () => {
    const parsed = parseRollout(stored());
    if (!parsed.ok) throw new Error(parsed.reason);
    return parsed.value;
  };
  const id = rolloutIdOf({ ...path, uid: read().metadata.uid });
  const record = () => recordRollout({ owner, id, path, rollout: read(), object: stored() });
  await record();
  const look = async () => {
    const rollout = read();
    return {
      viewDigest: computeViewDigest(rollout),
      uid: rollout.metadata.uid,
      revisionKey: rollout.status.currentPodHash,
    };
  };
  return { id, path, read, setStatus, record, look };
}

async function recordRollout({
  owner,
  id,
  path,
  rollout,
  object,
}: {
  owner: Pool;
  id: string;
  path: RolloutPath;
  rollout: RolloutObject;
  object: unknown;
}): Promise<void> {
  const digest = computeViewDigest(rollout);
  await owner.query(
    `WITH known AS (INSERT INTO cluster (name) VALUES ($2) ON CONFLICT DO NOTHING)
     INSERT INTO rollout (id, cluster, namespace, kind, name, uid, phase, message, step_count, view_digest, revision_key,
       resource_version, object, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, 'Paused', '', 4, $7, $8, $9, $10, now())
     ON CONFLICT (id) DO UPDATE SET view_digest = $7, revision_key = $8, resource_version = $9, object = $10`,
    [
      ...[id, path.cluster, path.namespace, path.kind, path.name, rollout.metadata.uid, digest],
      ...[rollout.status.currentPodHash, rollout.metadata.resourceVersion, JSON.stringify(object)],
    ],
  );
  await owner.query(
    `INSERT INTO observation (rollout_id, observed_at, resource_version, view_digest, projection)
     VALUES ($1, now(), $2, $3, $4) ON CONFLICT DO NOTHING`,
    [id, rollout.metadata.resourceVersion, digest, JSON.stringify(computeDecisionView(rollout))],
  );
}
