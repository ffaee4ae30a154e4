import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "#lib/contract/endpoint-table.ts";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { watchedResources } from "#lib/server/clusters/sources/watched-resources.ts";
import { answerMetrics } from "#lib/server/edge/http/probes.ts";
import { reviewControllers } from "#lib/server/oversight/review-controllers.ts";
import { createLog } from "#lib/server/platform/telemetry/create-log.ts";
import { createFailClosedWorld, type FailClosedWorld, type ProbedRecorder } from "./fail-closed/world.ts";
import { storedMeasurements } from "./measurement-rows.ts";
import { tableOf } from "./recorded-tables.ts";
import { waitFor } from "./recorder-world.ts";
import { createPlanter, plantedMessage, plantedObjects } from "./redaction-samples.ts";

const plant = createPlanter();
const lines: string[] = [];
/** Everything that Gatehouse stores or outputs, with its location. */
const said: { where: string; text: string }[] = [];

let world: FailClosedWorld;
let recorder: ProbedRecorder;
let refused = 0;

const log = () => createLog({ level: "trace", process: "test" }, { write: (line) => lines.push(line) });

beforeAll(async () => {
  world = await createFailClosedWorld();
  Object.assign(world.web.runtime, { log: log() });
  createAll();
  const repeats = plantedMessage(plant, "the API server's error");
  recorder = await world.start({
    log: log(),
    clientOf: () => refusingAtFirst(world.client(), repeats),
    waitUntilLive: false,
  });
  await waitFor("the error of the API server is stored", async () => {
    const rows = await world.query("SELECT 1 FROM source WHERE last_error LIKE '%refused%'");
    return rows.length > 0;
  });
  await dump("while a source fails");
  refused = Number.POSITIVE_INFINITY;
  let missing: string[] = [];
  await waitFor("everything is recorded", async () => {
    missing = await findUnrecorded();
    return missing.length === 0;
  }).catch((error: Error) => {
    throw new Error(`${error.message}: not ${missing.join(", ")}`);
  });
  await act();
  // The controller's version has a known defect: a finding with its evidence.
  await reviewControllers({ pool: recorder.pool, clusters: [world.config], scopes: [] });
  await dump("at the end");
  await askEverything();
});
afterAll(() => world.close());

function createAll(): void {
  const { store } = world.sandbox;
  const create = (kind: string, owner?: { kind: string; name: string; uid: string }) => {
    const watched = watchedResources.find((each) => each.kind === kind);
    const sample = plantedObjects[kind];
    if (watched === undefined || sample === undefined) throw new Error(`no object is planted of kind ${kind}`);
    const name = `planted-${kind.toLowerCase()}`;
    const object = sample({ plant, kind, name, ...(owner === undefined ? {} : { owner }) });
    const made = store.create(watched.resource, object, { manager: "test" });
    // If the kind has the subresource, its status is written separately.
    const { status } = object;
    if (status !== undefined && JSON.stringify(made.status) !== JSON.stringify(status))
      store.update(watched.resource, { ...made, status }, { manager: "test", subresource: "status" });
    return { kind, name, uid: made.metadata.uid };
  };
  const rollout = create("Rollout");
  const replicaSet = create("ReplicaSet", rollout);
  create("Pod", replicaSet);
  for (const { kind } of watchedResources) if (!["Rollout", "ReplicaSet", "Pod"].includes(kind)) create(kind, rollout);
  store.create("deployments", controllerDeployment, { manager: "test" });
  const broken = plantedObjects.Rollout?.({ plant, kind: "Rollout", name: "planted-broken" });
  if (broken === undefined) throw new Error("there is no Rollout to break");
  const status = {
    ...(broken.status as object),
    pauseConditions: [{ reason: 7, note: plantedMessage(plant, "quarantine") }],
  };
  const made = store.create("rollouts", broken, { manager: "test" });
  store.update("rollouts", { ...made, status }, { manager: "test", subresource: "status" });
}

/** A controller has pages of its own. */
const controllerDeployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "argo-rollouts", namespace: "shop" },
  spec: { template: { spec: { containers: [{ name: "controller", image: "example.com/argo-rollouts:v1.9.3" }] } } },
};

/** Answers the list of Experiments with an error that repeats secrets, until told otherwise. */
function refusingAtFirst(client: ClusterClient, message: string): ClusterClient {
  return {
    ...client,
    request: async (request) => {
      if (!request.path.endsWith("/experiments") || refused > 1e6) return client.request(request);
      refused++;
      const json = { kind: "Status", apiVersion: "v1", status: "Failure", code: 500, message: `refused: ${message}` };
      return { status: 500, text: JSON.stringify(json), json, date: undefined };
    },
  };
}

async function findUnrecorded(): Promise<string[]> {
  const wanted = {
    ...recordedIn,
    "what cannot be read": "SELECT 1 FROM quarantine",
    "a controller": "SELECT 1 FROM deployment WHERE name = 'argo-rollouts'",
  };
  const found = await Promise.all(
    Object.entries(wanted).map(async ([what, sql]) => ({ what, isThere: (await world.query(sql)).length > 0 })),
  );
  return found.flatMap(({ what, isThere }) => (isThere ? [] : [what]));
}

/** Queries that find the recorded object of a kind, if its row and name alone do not prove enough. */
const proofs: Readonly<Record<string, string>> = {
  Rollout:
    "SELECT 1 FROM rollout WHERE name = 'planted-rollout' AND object::text LIKE '%kept-Rollout%' AND message <> ''",
  AnalysisRun: `SELECT 1 FROM analysis_run JOIN ${storedMeasurements()} ON run_uid = uid WHERE name = 'planted-analysisrun'`,
  Experiment: "SELECT 1 FROM experiment WHERE object::text LIKE '%kept-Experiment%' AND message <> ''",
  AnalysisTemplate:
    "SELECT 1 FROM analysis_template JOIN analysis_template_version ON template_uid = uid WHERE kind = 'AnalysisTemplate'",
  ClusterAnalysisTemplate:
    "SELECT 1 FROM analysis_template JOIN analysis_template_version ON template_uid = uid WHERE kind = 'ClusterAnalysisTemplate'",
  MetricTemplate:
    "SELECT 1 FROM analysis_template JOIN analysis_template_version ON template_uid = uid WHERE kind = 'MetricTemplate'",
  Canary: "SELECT 1 FROM rollout WHERE name = 'planted-canary' AND object::text LIKE '%kept-Canary%' AND message <> ''",
  DaemonSet:
    "SELECT 1 FROM deployment WHERE kind = 'DaemonSet' AND name = 'planted-daemonset' AND template_digest IS NOT NULL",
  Pod: "SELECT 1 FROM pod WHERE name = 'planted-pod' AND message <> ''",
  Deployment:
    "SELECT 1 FROM deployment JOIN recorded_part ON digest = template_digest WHERE name = 'planted-deployment'",
  Event: "SELECT 1 FROM kube_event WHERE reason = 'AnalysisRunError' AND message <> ''",
};

/** The query that finds the recorded object of each kind. */
const recordedIn = Object.fromEntries(
  watchedResources.map((watched) => [
    watched.kind,
    proofs[watched.kind] ??
      `SELECT 1 FROM ${tableOf(watched)} WHERE name = 'planted-${watched.kind.toLowerCase()}' AND presence = 'live'`,
  ]),
);

/** Does one action, with its evidence and its audit, and one that is refused. */
async function act(): Promise<void> {
  const done = await world.act({ name: "planted-rollout", action: "abort" });
  expect(done.status).toBe(202);
  const expect_ = { viewDigest: "0".repeat(64), uid: "x", revisionKey: "y" };
  const stale = await world.act({ name: "planted-rollout", action: "continue", expect: expect_ });
  expect(stale.status).toBeGreaterThanOrEqual(400);
  said.push({ where: "the answer to an act", text: JSON.stringify([done.body, stale.body]) });
  await world.query(
    `INSERT INTO scheduled_action (id, rollout_id, cluster, namespace, kind, name, action, expect, due_at, requested_by,
       requested_by_name, requested_username, identity, state)
     SELECT gen_random_uuid(), id, cluster, namespace, kind, name, 'abort', '{"viewDigest": "v"}', now(), 'x', 'x', 'x',
       '{"groups": [], "claims": {}}', 'withdrawn' FROM rollout WHERE name = 'planted-rollout' LIMIT 1`,
  );
}

/** Returns every column of every row of every table as text. */
async function dump(when: string): Promise<void> {
  const tables = await world.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'm', 'v')
        AND NOT relispartition ORDER BY 1`,
  );
  for (const { name } of tables) {
    const rows = await world.query<{ row: Record<string, string | null> }>(
      `SELECT to_jsonb(t) AS row FROM (SELECT * FROM "${name}") t`,
    );
    for (const { row } of rows) said.push({ where: `table ${name}, ${when}`, text: JSON.stringify(row) });
    tableRows.set(name, Math.max(tableRows.get(name) ?? 0, rows.length));
  }
}
const tableRows = new Map<string, number>();

/** Tables that hold nothing from a cluster, or nothing in this test, and why. */
const otherTables: Record<string, string> = {
  _prisma_migrations: "names of migrations",
  api_token: "hashes of our own tokens",
  user_account: "made at sign-in",
  user_session: "made at sign-in",
  source_hold: "names and uids of objects that vanished",
  measurement_gap: "numbers",
  config_event: "about our own config",
  source_release: "who released a held snapshot",
  retention_run: "counts",
  freeze_period: "what a person stopped, where and why",
  setting: "links and channels that an admin made: no secret, only where each one is",
  saved_view: "the query of a list's address, as somebody saved it",
  wait_mark: "who looks after what waits, put it off or acknowledged it, and why",
  approval: "what people asked each other for",
  scheduled_action: "what people asked for later, and our own words",
  unasked_change: "names of clients, actions and versions",
  release_wait: "times, and names of runs",
  kubernetes_audit_event: "redacted as it is judged (lib/domain/kube-audit/judge-event.test.ts)",
  cluster_account: "our own accounts' names, and rights in our own words",
  kubernetes_audit_file: "a path of our own config, and numbers",
  rollout_sample: "numbers, by the names of metrics",
  sampled_controller: "the name of a router, and versions",
  controller_sample: "numbers, by redacted labels of metrics",
  controller_scrape: "times, versions and our own words",
  finding: "sentences of ours, and stored texts that are redacted (record-findings.integration.test.ts)",
  rollout_review: "numbers, and ids of actions",
  change_place: "numbers",
  hold: "names of runs, and our own words",
  barrier_hold: "names of sets of our own config, and our own words",
  termination: "names of field managers",
  packed_measurement: "rows of measurement, packed (packed-measurements.integration.test.ts)",
  gate_decision: "what people decided about gates",
  hook_call: "names, phases and our own words",
  hook_credential: "hashes of our own secrets",
  device_request: "hashes of our own secrets, and what a terminal says of itself",
  notification: "redacted as its events are enqueued (enqueue-events.integration.test.ts)",
  notification_pending: "redacted as its events are enqueued (enqueue-events.integration.test.ts)",
  notification_matter: "redacted as its events are enqueued (enqueue-events.integration.test.ts)",
  notification_incident: "times, and the cause and version of its events",
  notifiable_event: "redacted as it is enqueued (enqueue-events.integration.test.ts)",
  reported_release: "names of repositories and commits, of a strict form (name-commit.test.ts)",
  notification_place: "a number",
  audit_stream: "a number, a hash, and our own words about a receiver",
  controller_message: "redacted as a hook stores it (store-events.integration.test.ts)",
};

/** Returns a path for each object that an endpoint can serve. */
async function pathsOf(path: string): Promise<string[]> {
  const fill = async (sql: string): Promise<string[]> => {
    const rows = await world.query<Record<string, unknown>>(sql);
    return rows.map((row) =>
      path.replace(/\{(\w+)\}/g, (_, name: string) => {
        if (row[name] === undefined) throw new Error(`${path}: nothing is known to fill ${name} with`);
        return encodeURIComponent(String(row[name]));
      }),
    );
  };
  if (!path.includes("{")) return [path];
  if (path.includes("/rollouts/")) return fill("SELECT cluster, namespace, kind, name FROM rollout");
  if (path.includes("/scheduled-actions/")) return fill("SELECT id::text FROM scheduled_action");
  if (path.includes("/templates/"))
    return fill(
      `SELECT cluster, COALESCE(NULLIF(namespace, ''), '-') AS namespace, kind AS "templateKind", name FROM analysis_template`,
    );
  if (path.includes("/controllers/"))
    return fill("SELECT cluster, 'argo-rollouts' AS component FROM deployment WHERE name = 'argo-rollouts'");
  if (path.includes("/findings/")) return fill("SELECT id FROM finding");
  if (path.includes("/sets/version/"))
    return fill(
      "SELECT DISTINCT regexp_replace(i ->> 'image', '.*:', '') AS version FROM rollout, jsonb_array_elements(images) i",
    );
  const table = { releases: "release", actions: "action", "analysis-runs": "analysis_run", experiments: "experiment" }[
    path.split("/")[3] ?? ""
  ];
  if (table !== undefined) return fill(`SELECT * FROM ${table}`);
  if (path.includes("/audit/")) return fill("SELECT seq FROM audit_entry");
  // Nothing of a cluster; its code is stored as a hash.
  if (path.includes("/device-requests/")) return [];
  throw new Error(`${path}: nothing is known to fill it with`);
}

/**
 * The stream carries the change log, which was read above. The demo's faults do not exist outside a demo. Logs are passed
 * on as the pods wrote them, to who may read them in the cluster, and are stored nowhere. A terminal's request is nothing
 * of a cluster, and of its code only a hash is stored. Nothing is requested for many rollouts: the single actions have
 * the same messages.
 */
const leftOut: readonly string[] = [
  endpoints.stream.path,
  endpoints.getActionGroup.path,
  endpoints.listSandboxFaults.path,
  endpoints.streamRolloutLogLines.path,
  endpoints.getDeviceRequest.path,
];

/** Returns the queries of endpoints that answer nothing without one. */
async function neededQueries(): Promise<Readonly<Record<string, string>>> {
  const [place] = await world.query<{ cluster: string; namespace: string }>("SELECT cluster, namespace FROM rollout");
  const somebody = new URLSearchParams({ username: "operator", ...place });
  return {
    [endpoints.explainPermissions.path]: `?${somebody}`,
    [endpoints.askClusterPermissions.path]: `?${somebody}`,
    [endpoints.search.path]: `?${new URLSearchParams({ q: place?.namespace ?? "", limit: "20" })}`,
    [endpoints.whoMay.path]: "?action=abort",
    [endpoints.listAdminFreezes.path]: "?from=2026-01-01T00:00:00Z&to=2026-01-08T00:00:00Z",
  };
}

/** Fetches the body of every GET endpoint, for every object. */
async function askEverything(): Promise<void> {
  const queries = await neededQueries();
  for (const { method, path } of Object.values(endpoints)) {
    if (method !== "GET" || leftOut.includes(path)) continue;
    const paths = (await pathsOf(path)).map((each) => `${each}${queries[path] ?? ""}`);
    expect(paths, path).not.toEqual([]);
    for (const each of paths) {
      const { status, body } = await world.call("GET", each, { as: "admin" });
      expect({ path: each, status }).toEqual({ path: each, status: 200 });
      said.push({ where: `GET ${each}`, text: JSON.stringify(body) });
    }
  }
  for (const probe of ["/livez", "/readyz", "/status", "/metrics"]) {
    const answer = await fetch(`${recorder.probeUrl}${probe}`);
    said.push({ where: `recorder ${probe}`, text: await answer.text() });
    if (probe !== "/metrics")
      said.push({ where: `web ${probe}`, text: JSON.stringify(await world.call("GET", probe, { as: "admin" })) });
  }
  const metrics = await answerMetrics(world.web.request("/metrics", { as: "admin" }));
  expect(metrics.status).toBe(200);
  said.push({ where: "web /metrics", text: await metrics.text() });
}

describe("secrets that a cluster holds in plain text", () => {
  it("are planted in every kind that is watched, and each kind is recorded", () => {
    const kinds = watchedResources.map(({ kind }) => kind).sort();
    expect(Object.keys(plantedObjects).sort()).toEqual(kinds);
    expect(kinds).toEqual(expect.arrayContaining(Object.keys(proofs)));
    expect(plant.planted.length).toBeGreaterThan(300);
    expect(new Set(plant.planted.map(({ secret }) => secret)).size).toBe(plant.planted.length);
  });

  it("come by every table, or the table is known not to hold what clusters say", () => {
    const empty = [...tableRows].filter(([, count]) => count === 0).map(([name]) => name);
    expect(empty.filter((name) => otherTables[name] === undefined)).toEqual([]);
  });

  it("are in no table, log line, answer, probe or metric", () => {
    for (const line of lines) said.push({ where: "log", text: line });
    expect(lines.length).toBeGreaterThan(0);
    const found = plant.planted.flatMap(({ where, secret }) =>
      said.filter(({ text }) => text.includes(secret)).map((each) => `${where}: in ${each.where}`),
    );
    expect([...new Set(found)]).toEqual([]);
  });

  it("leave the rest readable", () => {
    const all = said.map(({ text }) => text).join("\n");
    for (const kept of ["kept-Rollout", "kept-Experiment", "application/json", "[redacted]", "shop:1"])
      expect(all).toContain(kept);
    const value = said.find(({ where, text }) => where.startsWith("table measurement,") && text.includes("echo"));
    expect(value?.text).toContain('{\\"echo\\":\\"[redacted]\\"}');
  });
});
