import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ActionAccepted } from "#lib/contract/action.ts";
import { RolloutDetail } from "#lib/contract/rollout.ts";
import { createClusterClient } from "#lib/server/clusters/kubernetes/create-cluster-client.ts";
import type { RouteHandler } from "#lib/server/edge/http/endpoint.ts";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { readEnvironment } from "#lib/server/platform/config/environment.ts";
import { startTracing, stopTracing } from "#lib/server/platform/telemetry/start-tracing.ts";
import { isTracing } from "#lib/server/platform/telemetry/tracing.ts";
import { waiting } from "#test/clusters-world.ts";
import { type RecorderProcess, startRecorderProcess } from "#test/recorder-process.ts";
import { rolloutStatus, sampleRollout } from "#test/recorder-samples.ts";
import { waitFor } from "#test/recorder-world.ts";
import { type SandboxServer, startSandboxServer } from "#test/sandbox-server.ts";
import { parseEvents } from "#test/stream-events.ts";
import { type ReceivedSpan, startTraceReceiver, type TraceReceiver } from "#test/trace-receiver.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import { startWireTap, type WireTap } from "#test/wire-tap.ts";
import { POST as postAction } from "./rollouts/[cluster]/[namespace]/[kind]/[name]/actions/route.ts";
import { GET as getRollout } from "./rollouts/[cluster]/[namespace]/[kind]/[name]/route.ts";
import { GET as getStream } from "./stream/route.ts";

const place = { cluster: "demo", namespace: "payments", kind: "Rollout", name: "checkout" };
const caller = { traceId: "a1".repeat(16), spanId: "b2".repeat(8) };
const reason = "the canary of jane@example.com pays twice";

/** Writes the address of each module of OpenTelemetry that the process loads to its stderr. */
const reportModules = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  import { writeSync } from "node:fs";
  registerHooks({
    load(url, context, next) {
      const [, name] = /@opentelemetry[/]([^/]+)/.exec(url) ?? [];
      if (name !== undefined) writeSync(2, "loaded " + name + String.fromCharCode(10));
      return next(url, context);
    },
  });
`)}`;

let receiver: TraceReceiver;
let sandbox: SandboxServer;
let tap: WireTap;
let web: TestWeb;
let folder: string;
const recorders: RecorderProcess[] = [];

beforeAll(async () => {
  receiver = await startTraceReceiver();
  sandbox = await startSandboxServer({ bookmarksMs: 300 });
  tap = await startWireTap(sandbox.url);
  folder = mkdtempSync(join(tmpdir(), "gatehouse-traces-"));
  const tokenFile = join(folder, "token");
  writeFileSync(tokenFile, sandbox.token);
  const cluster = { name: "demo", server: tap.url, tokenFile, access: "act", actAs: "serviceAccount" };
  const client = createClusterClient(ClusterConfig.parse(cluster));
  web = await startTestWeb({ clusters: { demo: client }, config: { clusters: [cluster] } });
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "payments" } };
  sandbox.store.create("namespaces", namespace, { manager: "test" });
  sandbox.store.create("rollouts", sampleRollout(place), { manager: "test" });
});
afterAll(async () => {
  await stopTracing();
  vi.unstubAllEnvs();
  await Promise.all(recorders.map((each) => each.kill()));
  await web.close();
  await tap.close();
  await sandbox.close();
  await receiver.close();
  rmSync(folder, { recursive: true });
});

async function startRecorder(env: Record<string, string>): Promise<RecorderProcess> {
  const started = await startRecorderProcess({
    clusterUrl: tap.url,
    clusterToken: sandbox.token,
    databaseUrl: web.database.recorderUrl,
    env: { NODE_OPTIONS: `--import "${reportModules}"`, ...env },
  });
  // Another status each time: only the new recorder can have recorded it.
  await setStatus({ ...waiting, availableReplicas: recorders.push(started) });
  return started;
}

/** Writes the status as the controller, and resolves once a recorder has recorded it. */
async function setStatus(status: Record<string, unknown>): Promise<void> {
  const object = sandbox.store.get("rollouts", "payments", "checkout");
  if (object === undefined) throw new Error("the rollout does not exist");
  const before = object.status as Record<string, unknown> | undefined;
  const written = sandbox.store.update(
    "rollouts",
    { ...object, status: rolloutStatus({ ...before, ...status }) },
    { manager: "rollouts-controller", subresource: "status" },
  );
  await waitFor("the recorded status", async () => {
    const { rows } = await web.runtime.pool.query(
      "SELECT FROM rollout WHERE name = 'checkout' AND resource_version = $1",
      [written.metadata.resourceVersion],
    );
    return rows.length === 1;
  });
}

async function call(handler: RouteHandler, init: RequestInit = {}): Promise<unknown> {
  const request = web.request("/api/v1/x", { as: "operator", ...init });
  const response = await handler(request, { params: Promise.resolve(place) });
  const body = await response.json();
  expect(response.status, JSON.stringify(body)).toBeLessThan(300);
  return body;
}

async function abort(): Promise<ActionAccepted> {
  const { viewDigest, uid, revisionKey } = RolloutDetail.parse(await call(getRollout));
  const body = JSON.stringify({ action: "abort", reason, expect: { viewDigest, uid, revisionKey } });
  const headers = { traceparent: `00-${caller.traceId}-${caller.spanId}-01` };
  return ActionAccepted.parse(await call(postAction, { method: "POST", body, headers }));
}

const childrenOf = (parent: ReceivedSpan | undefined): ReceivedSpan[] =>
  receiver.spans.filter(({ parentId }) => parentId === parent?.spanId).sort((a, b) => a.startAt - b.startAt);
const namesOf = (spans: readonly ReceivedSpan[]): string[] => spans.map(({ name }) => name);
const find = (name: string, traceId: string): ReceivedSpan | undefined =>
  receiver.spans.find((span) => span.name === name && span.traceId === traceId);

describe("without OTEL_EXPORTER_OTLP_ENDPOINT", () => {
  it.each([
    { name: "not set", env: {} },
    { name: "switched off", env: { OTEL_SDK_DISABLED: "true" } },
  ])("loads no package but the one that others load, and sends nothing ($name)", async ({ env }) => {
    const given = Object.keys(env).length === 0 ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...env };
    const recorder = await startRecorder(given);
    const ended = once(recorder.child, "close");
    recorder.child.kill("SIGTERM");
    await ended;
    const loaded = recorder.stderr().match(/(?<=^loaded ).+$/gm) ?? [];
    expect([...new Set(loaded)]).toEqual(["api"]);
    expect(receiver.requests).toEqual([]);
    expect(isTracing()).toBe(false);
  });
});

describe("with OTEL_EXPORTER_OTLP_ENDPOINT", () => {
  beforeAll(async () => {
    vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url);
    vi.stubEnv("OTEL_EXPORTER_OTLP_HEADERS", "x-tenant=shop");
    const settings = readEnvironment().tracing;
    await startTracing({ settings, process: "web", log: pino({ level: "silent" }) });
    const recorder = await startRecorder({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
    expect(recorder.stderr()).toContain("loaded sdk-trace\n");
  });

  it("traces a change from its watch line to the event in a stream", async () => {
    const stream = new AbortController();
    const response = await getStream(web.request("/api/v1/stream", { as: "viewer", signal: stream.signal }));
    const events = parseEvents(response.body ?? new ReadableStream());
    await setStatus({ message: "a message of the controller" });
    for await (const { event, data } of events) if (event === "change" && data?.includes("checkout")) break;
    stream.abort();
    const delivered = await waitFor("the spans of web", () =>
      receiver.spans.findLast(({ name }) => name === "deliver"),
    );
    const change = await waitFor("the spans of the recorder", () => find("change", delivered.traceId));
    expect(change).toMatchObject({
      service: "gatehouse-recorder",
      parentId: "",
      attributes: {
        "k8s.cluster.name": "demo",
        "k8s.namespace.name": "payments",
        "gatehouse.object": "Rollout/checkout",
      },
    });
    expect(namesOf(childrenOf(change))).toEqual(["parse", "prepare", "queue", "store"]);
    const store = childrenOf(change).at(-1);
    const stages = ["complete", "begin", "rows", "answers", "commit", "deliver"];
    expect(namesOf(childrenOf(store)).sort()).toEqual(stages.sort());
    expect(delivered).toMatchObject({ service: "gatehouse-web", parentId: store?.spanId });
    expect(namesOf(childrenOf(delivered))).toEqual(["read", "send"]);
    expect(delivered.endAt).toBeGreaterThan(change.startAt);
    for (const span of childrenOf(store)) expect(span.endAt).toBeGreaterThanOrEqual(span.startAt);
  });

  it("traces a click from its request to the patch, the outcome, and the effect that the recorder has seen", async () => {
    const { id } = await abort();
    await setStatus({ abort: true, abortedAt: "2026-11-20T10:05:00Z" });
    await waitFor("the effect", async () => {
      const { rows } = await web.runtime.pool.query("SELECT FROM action WHERE id = $1 AND state = 'effective'", [id]);
      return rows.length === 1;
    });
    const followUp = await waitFor("the spans of the recorder", () => find("follow-up", caller.traceId));
    const action = await waitFor("the spans of web", () => find("action", caller.traceId));
    const request = find("POST /api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}/actions", caller.traceId);
    expect(request).toMatchObject({ service: "gatehouse-web", parentId: caller.spanId });
    expect(request?.attributes).toMatchObject({ "http.request.method": "POST", "http.response.status_code": 202 });
    expect(namesOf(childrenOf(request))).toEqual(["action"]);
    expect(action.attributes).toMatchObject({ "gatehouse.action": "abort", "gatehouse.object": "Rollout/checkout" });
    const stages = childrenOf(action);
    expect(namesOf(stages.filter(({ service }) => service === "gatehouse-web"))).toEqual([
      ...["check", "plan", "check", "evidence", "intent", "send", "outcome"],
    ]);
    expect(followUp).toMatchObject({ service: "gatehouse-recorder", parentId: action.spanId });
    expect(followUp.attributes).toMatchObject({ "gatehouse.action.state": "effective" });

    expect(namesOf(childrenOf(find("plan", caller.traceId)))).toContain("GET");
    const [patch] = childrenOf(find("send", caller.traceId));
    expect(patch).toMatchObject({ name: "PATCH", attributes: { "http.response.status_code": 200 } });
    const sent = tap.requests.find(({ method }) => method === "PATCH");
    expect(sent?.headers.get("traceparent")).toEqual([`00-${caller.traceId}-${patch?.spanId}-01`]);
    // The release that was aborted is one.
    expect(receiver.spans.filter(({ hasFailed, name }) => hasFailed && name !== "release")).toEqual([]);
  });

  it("traces the release that has ended by it", async () => {
    const isRelease = ({ name }: ReceivedSpan) => name === "release";
    const release = await waitFor("the release", async () => receiver.spans.find(isRelease));
    const { rows } = await web.runtime.pool.query("SELECT id FROM release WHERE state = 'aborted'");
    expect(release).toMatchObject({
      ...{ service: "gatehouse-recorder", traceId: rows[0]?.id.replaceAll("-", ""), hasFailed: true },
      attributes: { "deployment.name": "payments/checkout", "deployment.status": "failed" },
    });
    expect(namesOf(childrenOf(release))).toContain("step");
  });

  it("sends names only: no secret, no text of a person or of an object", () => {
    const text = JSON.stringify(receiver.spans);
    expect(text).toContain("checkout");
    for (const secret of [sandbox.token, ...Object.values(web.tokens), reason, "a message of the controller", "shop:1"])
      expect(text).not.toContain(secret);
  });

  it("honours the variables of the exporter, and adds no spans of Next or other packages", async () => {
    expect(receiver.requests.every(({ path }) => path === "/v1/traces")).toBe(true);
    expect(receiver.requests.some(({ headers }) => headers["x-tenant"] === "shop")).toBe(true);
    const { trace } = await import("@opentelemetry/api");
    expect(trace.getTracer("next.js").startSpan("x").isRecording()).toBe(false);
  });
});
