import { join } from "node:path";
import type { Role } from "#lib/contract/common.ts";
import { endpoints } from "#lib/contract/endpoint-table.ts";
import type { Source, SourceState } from "#lib/contract/system.ts";
import { watchedResources } from "#lib/server/clusters/sources/watched-resources.ts";
import type { RouteHandler } from "#lib/server/edge/http/endpoint.ts";
import { createRecorderHealth, describeRecorder } from "#lib/server/edge/recorder-process/recorder-health.ts";
import { serveProbes } from "#lib/server/edge/recorder-process/run-recorder.ts";
import type { RecordOptions } from "#lib/server/recording/session/record-clusters.ts";
import type { SessionTiming } from "#lib/server/recording/session/session-types.ts";
import type { FaultRequest } from "#sandbox/apiserver/faults.ts";
import { storedGaps, storedMeasurements } from "#test/measurement-rows.ts";
import { measurements, rolloutStatus, sampleRollout, sampleRun } from "#test/recorder-samples.ts";
import { createRecorderWorld, type RecorderWorld, type RunningRecorder, waitFor } from "#test/recorder-world.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";

/** Scales rules of a minute to about a second. */
export const fastTiming = {
  staleAfterMs: 3000,
  readEveryMs: 300,
  watchSeconds: 1,
  watchGraceMs: 300,
  deniedRetryMs: 250,
  listOnlyMs: 200,
  absentRetryMs: 250,
  identityRetryMs: 250,
  backoffMs: 50,
  maxBackoffMs: 300,
  troubleMs: 1000,
  confirmAfterMs: [400, 600],
} as const satisfies Partial<SessionTiming>;

type Json = Record<string, unknown>;
export type Answer = { status: number; body: Json };
/** By table: `count` rows and their digest, without `updated_at`. */
export type StoredRows = Record<string, { count: number; digest: string }>;
export type Probes = { livez: number; readyz: number; status: Json };
export type ProbedRecorder = RunningRecorder & { probeUrl: string };

type ShortRun = { phase: string; presence: string; measurements: number; gaps: number };

type ActOptions = {
  name: string;
  namespace?: string;
  action: string;
  as?: Role;
  reason?: string;
  expect?: Json;
};

export type FailClosedWorld = Omit<RecorderWorld, "start"> & {
  web: TestWeb;
  /**
   * Starts a recorder with a probe server and `fastTiming`. Resolves once all sources are live, unless told otherwise.
   */
  start(options?: Partial<RecordOptions> & { waitUntilLive?: boolean }): Promise<ProbedRecorder>;
  /** Switches on a fault of the API server; `none` without a scope switches all off. */
  fault(fault: FaultRequest["fault"], resource?: string, more?: Omit<FaultRequest, "fault" | "resource">): void;
  /** Makes the source relist, whether or not a watch was open when a fault began or ended. */
  relist(resource: string): Promise<void>;
  /**
   * Adds a canary that waits at a pause step: `continue` (advances) and `abort` (protects) are allowed. Returns a uid.
   */
  addRollout(name: string, status?: Json, namespace?: string): string;
  /** Adds a run of three measurements that ends and is deleted at once: no list ever shows it. */
  addShortRun(name: string): void;
  /** Returns the recorded summary of that run; undefined if it is not recorded. */
  shortRun(name: string): Promise<ShortRun | undefined>;
  /** Deletes it in the cluster. */
  deleteRollout(name: string): void;
  /** Returns the presence of each stored rollout, by name. */
  presences(): Promise<Record<string, string>>;
  /** Returns what GET /sources reports for a kind. */
  source(kind: string, namespace?: string): Promise<Source>;
  /** Waits until the API reports that the source is in this state. */
  becomes(kind: string, state: SourceState, namespace?: string): Promise<Source>;
  /** Returns the stored rows about the clusters, for a comparison of before and after. */
  rows(): Promise<StoredRows>;
  /** Calls the real route handler; without `as`, no user is signed in. */
  call(method: string, path: string, options?: { as?: Role; body?: unknown; headers?: HeadersInit }): Promise<Answer>;
  /** Reads the rollout and requests the action, through the API. */
  act(options: ActOptions): Promise<Answer>;
  /** Probes the web process and the most recently started recorder. */
  probes(): Promise<{ web: Probes; recorder: Probes }>;
  /** Sums a metric's samples with these labels, over the last started recorder and the web process; 0 if none exist. */
  metric(name: string, labels?: Record<string, string>): Promise<number>;
  /** Returns a function that returns by how much the metric has grown since now. */
  metricDelta(name: string, labels?: Record<string, string>): Promise<() => Promise<number>>;
};

/**
 * Creates one of everything that a fail-closed rule involves, in this process: the sandbox's API server, a database,
 * recorders with their metrics and probes, and the web process's route handlers.
 */
export async function createFailClosedWorld(
  options: Parameters<typeof createRecorderWorld>[0] & { config?: Json } = {},
): Promise<FailClosedWorld> {
  const { config = {}, ...worldOptions } = options;
  const world = await createRecorderWorld({ bookmarksMs: 300, ...worldOptions });
  const { sandbox, query } = world;
  const cluster = world.client();
  const web = await startTestWeb({
    database: world.database,
    config: { clusters: [{ ...world.config, access: "act" }], probes: { public: true }, ...config },
    clusters: { [world.cluster]: cluster },
  });
  let current: ProbedRecorder | undefined;

  const call: FailClosedWorld["call"] = async (method, path, { as, body, headers } = {}) => {
    const { handler, params } = await findHandler(method, path);
    const request = web.request(path, {
      method,
      ...(as === undefined ? {} : { as }),
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return answerOf(await handler(request, { params: Promise.resolve(params) }));
  };

  const source: FailClosedWorld["source"] = async (kind, namespace) => {
    const { body } = await call("GET", "/api/v1/sources", { as: "viewer" });
    const found = (body.items as Source[]).find((each) => each.kind === kind && each.namespace === (namespace ?? null));
    if (found === undefined) throw new Error(`there is no source of ${kind}`);
    return found;
  };

  const metric: FailClosedWorld["metric"] = async (name, labels = {}) => {
    const registries = [web.runtime.metrics.registry, ...(current === undefined ? [] : [current.metrics.registry])];
    const found = await Promise.all(registries.map((registry) => registry.getSingleMetric(name)?.get()));
    return found
      .flatMap((each) => each?.values ?? [])
      .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
      .reduce((sum, sample) => sum + sample.value, 0);
  };

  const metricDelta: FailClosedWorld["metricDelta"] = async (name, labels) => {
    const before = await metric(name, labels);
    return async () => (await metric(name, labels)) - before;
  };

  return {
    ...world,
    web,
    async start({ timing, ...overrides } = {}) {
      const recorder = await world.start({ ...overrides, timing: { ...fastTiming, ...timing } });
      const probed = await serveRecorderProbes(recorder, web);
      current = probed;
      return probed;
    },
    fault: (fault, resource, more) =>
      sandbox.fault({ fault, ...(resource === undefined ? {} : { resource }), ...more }),
    addRollout: (name, status, namespace = "shop") => addRollout({ world, name, status, namespace }),
    addShortRun(name) {
      const metrics = [{ name: "success-rate", measurements: measurements(1, 3), count: 3 }];
      sandbox.store.create("analysisruns", sampleRun({ name, phase: "Successful", metrics }), {
        manager: "rollouts-controller",
      });
      sandbox.store.delete("analysisruns", "shop", name);
    },
    async shortRun(name) {
      const [found] = await query<ShortRun>(
        `SELECT phase, presence, (SELECT count(*)::int FROM ${storedMeasurements()} WHERE run_uid = uid) AS measurements,
           (SELECT count(*)::int FROM ${storedGaps()} WHERE run_uid = uid) AS gaps FROM analysis_run WHERE name = $1`,
        [name],
      );
      return found;
    },
    deleteRollout: (name) => {
      sandbox.store.delete("rollouts", "shop", name);
    },
    async presences() {
      const found = await query<{ name: string; presence: string }>("SELECT name, presence FROM rollout ORDER BY name");
      return Object.fromEntries(found.map((row) => [row.name, row.presence]));
    },
    source,
    becomes: (kind, state, namespace) =>
      waitFor(`${kind} ${state}`, async () => {
        const found = await source(kind, namespace);
        return found.state === state && found;
      }),
    rows: () => readRows(query),
    call,
    async act({ name, namespace = "shop", action, as = "operator", reason = "because", expect }) {
      const path = `/api/v1/rollouts/${world.cluster}/${namespace}/Rollout/${name}`;
      const seen = expect ?? expectationOf(await call("GET", path, { as: "viewer" }));
      return call("POST", `${path}/actions`, { as, body: { action, reason, expect: seen } });
    },
    async probes() {
      if (current === undefined) throw new Error("no recorder was started");
      const probe = (path: string): Promise<Answer> => fetch(`${current?.probeUrl}${path}`).then(answerOf);
      return { web: await probesOf((path) => call("GET", path)), recorder: await probesOf(probe) };
    },
    metric,
    metricDelta,
    async relist(resource) {
      const kind = watchedResources.find((each) => each.resource === resource)?.kind ?? "";
      const gone = await metricDelta("gatehouse_watch_restarts_total", { kind, reason: "gone" });
      sandbox.fault({ fault: "410", resource, verb: "watch" });
      await waitFor(`a relist of ${resource}`, async () => (await gone()) >= 1);
      sandbox.fault({ fault: "none", resource, verb: "watch" });
    },
    async close() {
      await world.stopAll();
      await web.close();
      await cluster.close();
      await world.close();
    },
  };
}

async function serveRecorderProbes(recorder: RunningRecorder, web: TestWeb): Promise<ProbedRecorder> {
  const { metrics, monitor, pool } = recorder;
  const known = web.runtime.knownMigrations;
  const health = createRecorderHealth({ pool, known, metrics, everyMs: 200 });
  const store = { current: web.runtime.config, status: web.runtime.configStatus };
  const stop = new AbortController();
  const server = await serveProbes({
    host: "127.0.0.1",
    port: 0,
    monitor,
    metrics,
    notReady: health.notReady,
    status: () => describeRecorder({ store, health, grantsEnforced: true }),
    isPublic: true,
  });
  const watching = health.watch(stop.signal);
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const stopRecorder = recorder.stop;
  // The world below stops its recorders through this same object.
  return Object.assign(recorder, {
    probeUrl: `http://127.0.0.1:${port}`,
    async stop() {
      stop.abort();
      server.close();
      server.closeAllConnections();
      await watching;
      await stopRecorder();
    },
  });
}

function addRollout({
  world,
  name,
  status,
  namespace,
}: {
  world: RecorderWorld;
  name: string;
  status: Json | undefined;
  namespace: string;
}): string {
  const waiting = {
    phase: "Paused",
    currentPodHash: "new",
    stableRS: "old",
    currentStepIndex: 1,
    controllerPause: true,
    pauseConditions: [{ reason: "CanaryPauseStep", startTime: "2026-11-20T10:00:00Z" }],
  };
  const { store } = world.sandbox;
  const manager = { manager: "rollouts-controller" };
  const created = store.create("rollouts", sampleRollout({ name, namespace }), manager);
  const object = { ...created, status: rolloutStatus({ ...waiting, ...status }) };
  store.update("rollouts", object, { ...manager, subresource: "status" });
  return created.metadata.uid;
}

/** Tables not about the clusters' objects: sources, leases, the change log, people, actions and their audit. */
const otherTables = [
  ...[
    "_prisma_migrations",
    "source",
    "source_lease",
    "source_hold",
    "source_release",
    "change_log",
    "quarantine",
    "retention_run",
    "config_event",
  ],
  ...["action", "audit_entry", "evidence", "user_account", "user_session", "api_token"],
];

async function readRows(query: RecorderWorld["query"]): Promise<StoredRows> {
  const tables = await query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND NOT relispartition AND relname <> ALL ($1) ORDER BY 1`,
    [otherTables],
  );
  const rows: StoredRows = {};
  for (const { name } of tables) {
    const [found] = await query<{ count: number; digest: string }>(
      `SELECT count(*)::int AS count, md5(coalesce(string_agg(row, ',' ORDER BY row), '')) AS digest
         FROM (SELECT (to_jsonb(t) - 'updated_at')::text AS row FROM "${name}" t) AS rows`,
    );
    if (found !== undefined) rows[name] = found;
  }
  return rows;
}

const root = join(import.meta.dirname, "../..");

async function findHandler(
  method: string,
  path: string,
): Promise<{ handler: RouteHandler; params: Record<string, string> }> {
  const segments = path.split("?")[0]?.split("/") ?? [];
  const known = [...new Set(Object.values(endpoints).map((entry) => entry.path)), "/livez", "/readyz", "/status"];
  const matches = known.filter((candidate) => {
    const parts = candidate.split("/");
    return parts.length === segments.length && parts.every((part, at) => part.startsWith("{") || part === segments[at]);
  });
  // A literal path matches before one with a parameter.
  const match = matches.sort((one, other) => one.split("{").length - other.split("{").length)[0];
  if (match === undefined) throw new Error(`no route is known for ${path}`);
  const parts = match.split("/");
  const params = Object.fromEntries(
    parts.flatMap((part, at) =>
      part.startsWith("{") ? [[part.slice(1, -1), decodeURIComponent(segments[at] ?? "")]] : [],
    ),
  );
  const file = join(root, "app", match.replaceAll("{", "[").replaceAll("}", "]"), "route.ts");
  const module: Record<string, unknown> = await import(file);
  const handler = module[method];
  if (typeof handler !== "function") throw new Error(`${match} has no handler for ${method}`);
  return { handler: handler as RouteHandler, params };
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  try {
    return { status: response.status, body: JSON.parse(text) };
  } catch {
    return { status: response.status, body: { text } };
  }
}

function expectationOf({ status, body }: Answer): Json {
  if (status !== 200) throw new Error(`the rollout could not be looked at: ${status} ${JSON.stringify(body)}`);
  const { viewDigest, uid, revisionKey } = body;
  return { viewDigest, uid, revisionKey };
}

async function probesOf(probe: (path: string) => Promise<Answer>): Promise<Probes> {
  const livez = await probe("/livez");
  const readyz = await probe("/readyz");
  const status = await probe("/status");
  return { livez: livez.status, readyz: readyz.status, status: status.status === 200 ? status.body : {} };
}
