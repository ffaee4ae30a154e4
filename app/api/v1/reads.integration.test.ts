import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { AnalysisRunDetail, AnalysisRunSummary, MeasurementList } from "#lib/contract/analysis-run.ts";
import { listOf } from "#lib/contract/common.ts";
import { InboxItem } from "#lib/contract/inbox.ts";
import { Release, RolloutDetail, RolloutSummary } from "#lib/contract/rollout.ts";
import { Cluster, Source } from "#lib/contract/system.ts";
import { TimelineEvent } from "#lib/contract/timeline.ts";
import type { RouteHandler } from "#lib/server/edge/http/endpoint.ts";
import { plainEntries } from "#test/plain-entries.ts";
import { connectRecorded, type Recorded } from "#test/recorded.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import * as measurementsRoute from "./analysis-runs/[uid]/measurements/route.ts";
import * as runRoute from "./analysis-runs/[uid]/route.ts";
import * as runsRoute from "./analysis-runs/route.ts";
import * as clustersRoute from "./clusters/route.ts";
import * as inboxRoute from "./inbox/route.ts";
import * as releasesRoute from "./releases/route.ts";
import * as rolloutRoute from "./rollouts/[cluster]/[namespace]/[kind]/[name]/route.ts";
import * as timelineRoute from "./rollouts/[cluster]/[namespace]/[kind]/[name]/timeline/route.ts";
import * as rolloutsRoute from "./rollouts/route.ts";
import * as sourcesRoute from "./sources/route.ts";

const TimelinePage = listOf(TimelineEvent);
let web: TestWeb;
let recorded: Recorded;
beforeAll(async () => {
  web = await startTestWeb();
  recorded = await connectRecorded(web.database.ownerUrl);
  await recorded.client.query(plainEntries(5, 7));
});
afterAll(async () => {
  await recorded.close();
  await web.close();
});

async function get<Schema extends z.ZodType>({
  route,
  path,
  params,
  schema,
  as = "operator",
}: {
  route: { GET: RouteHandler };
  path: string;
  params?: Record<string, string>;
  schema: Schema;
  as?: "viewer" | "operator";
}): Promise<z.infer<Schema>> {
  const response = await route.GET(web.request(path, { as }), { params: Promise.resolve(params ?? {}) });
  expect(response.status).toBe(200);
  return schema.parse(await response.json());
}

/** Reads all pages of a list, two items at a time. */
async function getAll<Schema extends z.ZodType>(
  route: { GET: RouteHandler },
  path: string,
  item: Schema,
  params: Record<string, string> = {},
) {
  const items: z.infer<Schema>[] = [];
  for (let cursor = ""; ; ) {
    const page = await get({ route, path: `${path}&limit=2${cursor}`, params, schema: listOf(item) });
    items.push(...page.items);
    if (page.nextCursor === null) return items;
    cursor = `&cursor=${page.nextCursor}`;
  }
}

describe("rollouts", () => {
  it("pages through all of them in order, without deleted ones", async () => {
    const namespace = `page-${randomUUID().slice(0, 8)}`;
    for (const name of ["e", "a", "c", "b", "d"]) await recorded.addRollout({ namespace, name });
    await recorded.addRollout({ namespace, name: "gone", presence: "deleted" });
    await recorded.addRollout({ namespace, name: "a", cluster: "other" });
    const items = await getAll(rolloutsRoute, `/api/v1/rollouts?namespace=${namespace}`, RolloutSummary);
    expect(items.map((item) => item.name)).toEqual(["a", "a", "b", "c", "d", "e"]);
  });

  it.each([
    ["50%", ["50%-off"]],
    ["_", ["under_score"]],
    ["\\", ["back\\slash"]],
    ["SCORE", ["under_score"]],
    ["nothing-like-it", []],
  ])("finds %s literally", async (q, names) => {
    const namespace = `find-${randomUUID().slice(0, 8)}`;
    for (const name of ["50%-off", "under_score", "back\\slash", "plain"])
      await recorded.addRollout({ namespace, name });
    const path = `/api/v1/rollouts?namespace=${namespace}&q=${encodeURIComponent(q)}`;
    const { items } = await get({ route: rolloutsRoute, path, schema: listOf(RolloutSummary) });
    expect(items.map((item) => item.name)).toEqual(names);
  });

  it.each(["x", "W10", Buffer.from('["a","b","c"]').toString("base64url")])("refuses the cursor %s", async (cursor) => {
    const response = await rolloutsRoute.GET(web.request(`/api/v1/rollouts?cursor=${cursor}`, { as: "viewer" }));
    expect(response.status).toBe(400);
  });

  it("shows one with its steps, runs and what may be done, and why not", async () => {
    await recorded.client.query("DELETE FROM source");
    await recorded.addSource({});
    const rollout = await recorded.addRollout({ attention: { reason: "inconclusive", since: new Date() } });
    const { uid } = await recorded.addRun({ rolloutId: rollout.id, name: "checkout-run" });
    const read = (as: "viewer" | "operator") =>
      get({
        route: rolloutRoute,
        path: `/api/v1/rollouts/${rollout.path}`,
        params: { cluster: "demo", namespace: rollout.namespace, kind: "Rollout", name: rollout.name },
        schema: RolloutDetail,
        as,
      });
    const detail = await read("operator");
    expect(detail.steps.map((step) => step.state)).toEqual(["done", "current", "pending", "pending"]);
    expect(detail.follows?.parts.map(({ text }) => text).slice(1)).toEqual(["100 %", "full promotion"]);
    expect(detail.sentence).toMatch(/ is Inconclusive at step 2 of 4/);
    expect(detail.currentRuns).toMatchObject([{ role: "step", name: "checkout-run", uid, phase: "Inconclusive" }]);
    expect(detail.source).toMatchObject({ state: "live", fresh: true, reason: null });
    const allowed = detail.allowedActions.filter((action) => action.allowed).map((action) => action.action);
    expect(allowed).toEqual(["accept-step", "measure-again", "promote-full", "restart", "set-image", "pause", "abort"]);

    const forViewer = await read("viewer");
    expect(forViewer.allowedActions.every((action) => action.reasonCode === "forbidden")).toBe(true);

    await recorded.client.query("UPDATE source SET watch_contact_at = now() - interval '61 seconds'");
    const stale = await read("operator");
    expect(stale.source).toMatchObject({ state: "stale", fresh: false });
    expect(stale.allowedActions.find((action) => action.action === "accept-step")).toMatchObject({
      allowed: false,
      reasonCode: "source_stale",
    });
    expect(stale.allowedActions.find((action) => action.action === "abort")).toMatchObject({ allowed: true });
  });
});

describe("the timeline of a rollout", () => {
  it("leads from what a run did to the run, once that is recorded", async () => {
    const rollout = await recorded.addRollout();
    const { uid } = await recorded.addRun({ rolloutId: rollout.id, name: "checkout-1" });
    const put = (text: string, name: string | null, second: number) =>
      recorded.client.query(
        `INSERT INTO timeline_event (id, rollout_id, at, kind, text, run_name)
         VALUES ($1, $2, '2026-03-01T09:00:00Z'::timestamptz + make_interval(secs => $5), 'run', $3, $4)`,
        [randomUUID(), rollout.id, text, name, second],
      );
    await put("recorded", "checkout-1", 1);
    await put("not recorded", "checkout-2", 2);
    await put("about no run", null, 3);
    const { items } = await get({
      route: timelineRoute,
      path: `/api/v1/rollouts/${rollout.path}/timeline`,
      params: { cluster: "demo", namespace: rollout.namespace, kind: "Rollout", name: rollout.name },
      schema: TimelinePage,
    });
    expect(items.map(({ text, runUid }) => ({ text, runUid }))).toEqual([
      { text: "about no run", runUid: null },
      { text: "not recorded", runUid: null },
      { text: "recorded", runUid: uid },
    ]);
  });

  it("leads to the run that somebody ended without Gatehouse", async () => {
    const rollout = await recorded.addRollout();
    const { uid } = await recorded.addRun({ rolloutId: rollout.id, name: "ended-1" });
    for (const [auditSeq, action, client, subject] of [
      [5, "terminate", "kubectl-patch", { uid, name: "ended-1" }],
      [6, "terminate", null, { uid: "unknown-run", name: "ended-2" }],
      [7, "abort", "kubectl", { uid: "", name: null }],
    ] as const)
      await recorded.client.query(
        `INSERT INTO unasked_change (rollout_id, observation_id, action, client, at, audit_seq, subject_uid, subject_name,
           cluster, namespace, kind, name, target_kind, target_name)
         VALUES ($1, 0, $2, $3, '2026-03-01T09:00:00Z', $4, $5, $6, 'demo', $7, 'Rollout', $8, 'Rollout', $8)`,
        [rollout.id, action, client, auditSeq, subject.uid, subject.name, rollout.namespace, rollout.name],
      );
    const { items } = await get({
      route: timelineRoute,
      path: `/api/v1/rollouts/${rollout.path}/timeline`,
      params: { cluster: "demo", namespace: rollout.namespace, kind: "Rollout", name: rollout.name },
      schema: TimelinePage,
    });
    expect(items.map(({ text, runUid }) => `${text}, ${runUid ?? "no run"}`).sort()).toEqual([
      "Client unknown, outside Gatehouse: terminate a run of it (ended-2), no run",
      "kubectl, outside Gatehouse: abort it, no run",
      `kubectl-patch, outside Gatehouse: terminate a run of it (ended-1), ${uid}`,
    ]);
  });

  it("pages through what was observed and what people asked for, newest first", async () => {
    const rollout = await recorded.addRollout();
    const at = (second: number) => new Date(Date.UTC(2026, 2, 1, 9, 0, second));
    for (const [ord, second] of [1, 2, 2, 4].entries())
      await recorded.client.query(
        "INSERT INTO timeline_event (id, rollout_id, at, ord, kind, text) VALUES ($1, $2, $3, $4, 'phase', $5)",
        [randomUUID(), rollout.id, at(second), ord, `event ${ord}`],
      );
    await web.runtime.pool.query(
      `INSERT INTO action (id, rollout_id, cluster, namespace, kind, name, action, state, actor_key, actor_name,
         view_digest, request_hash, message, intent_seq, outcome_seq, request_id, requested_at, actor_username)
       VALUES ($1, $2, 'demo', 'ns', 'Rollout', 'checkout', 'abort', 'applied', 'k', 'Releaser', 'd', 'h', '', 6, 7, 'r', $3, 'guest')`,
      [randomUUID(), rollout.id, at(2)],
    );
    const params = { cluster: "demo", namespace: rollout.namespace, kind: "Rollout", name: rollout.name };
    const items = await getAll(timelineRoute, `/api/v1/rollouts/${rollout.path}/timeline?`, TimelineEvent, params);
    const reported = items.map(({ text, auditSeq, outcomeSeq }) =>
      auditSeq === null ? text : `${text}, entries ${auditSeq} and ${outcomeSeq}`,
    );
    expect(reported).toEqual([
      "event 3",
      "Releaser (guest) asked to abort it, entries 6 and 7",
      "event 2",
      "event 1",
      "event 0",
    ]);
  });
});

describe("sources", () => {
  it.each([
    { name: "heard of lately", state: "live", contactSecondsAgo: 30, expected: "live" },
    { name: "silent for too long", state: "live", contactSecondsAgo: 61, expected: "stale" },
    { name: "never heard of", state: "live", contactSecondsAgo: null, expected: "stale" },
    { name: "still reading", state: "syncing", contactSecondsAgo: null, expected: "syncing" },
    { name: "refused", state: "denied", contactSecondsAgo: 500, expected: "denied" },
  ])("$name is $expected", async ({ state, contactSecondsAgo, expected }) => {
    await recorded.client.query("DELETE FROM source");
    await recorded.addSource({ state, contactSecondsAgo });
    const { items } = await get({ route: sourcesRoute, path: "/api/v1/sources", schema: listOf(Source) });
    expect(items).toMatchObject([{ state: expected }]);
    const clusters = await get({ route: clustersRoute, path: "/api/v1/clusters", schema: listOf(Cluster) });
    expect(clusters.items).toMatchObject([{ name: "demo", access: "act", state: expected }]);
  });
});

describe("analysis runs", () => {
  it("pages newest first, through equal times", async () => {
    const rollout = await recorded.addRollout();
    const at = (second: number) => new Date(Date.UTC(2026, 1, 1, 0, 0, second));
    const uids: string[] = [];
    for (const second of [1, 2, 2, 2, 3]) {
      const run = await recorded.addRun({ rolloutId: rollout.id, namespace: rollout.namespace, createdAt: at(second) });
      uids.push(run.uid);
    }
    const items = await getAll(runsRoute, `/api/v1/analysis-runs?namespace=${rollout.namespace}`, AnalysisRunSummary);
    const equal = uids.slice(1, 4).toSorted();
    expect(items.map((item) => item.uid)).toEqual([uids[4], ...equal, uids[0]]);
    expect(items[0]?.rollout?.id).toBe(rollout.path);
  });

  it("shows a run with counters, limits, gaps and a verdict in words", async () => {
    const rollout = await recorded.addRollout();
    const { uid } = await recorded.addRun({
      rolloutId: rollout.id,
      spec: {
        metrics: [{ name: "success-rate", inconclusiveLimit: 2, successCondition: "result >= 0.95" }],
        args: [
          { name: "service", value: "checkout" },
          { name: "key", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
        ],
      },
      metrics: [{ name: "success-rate", count: 5, inconclusive: 3, successful: 2 }],
    });
    await recorded.addMeasurements({
      rolloutId: rollout.id,
      uid,
      metric: "success-rate",
      values: [
        { seq: 4, value: "0.97" },
        { seq: 5, value: "NaN", kind: "nan", parsed: null, phase: "Inconclusive" },
      ],
    });
    await recorded.client.query(
      "INSERT INTO measurement_gap (metric_id, after_seq, count) SELECT id, 0, 3 FROM metric WHERE run_uid = $1 AND name = $2",
      [uid, "success-rate"],
    );
    const path = `/api/v1/analysis-runs/${uid}`;
    const run = await get({ route: runRoute, path, params: { uid }, schema: AnalysisRunDetail });
    expect(run.verdict).toBe("Inconclusive: 3 of 5 success-rate measurements were inconclusive (2 allowed).");
    expect(run).toMatchObject({ measurements: 2, lostMeasurements: 3 });
    expect(run.metrics[0]).toMatchObject({
      gaps: [{ afterSeq: 0, count: 3 }],
      limits: { inconclusiveLimit: "2", failureLimit: "0", consecutiveErrorLimit: "4" },
      recorded: 2,
      conditionsDrawn: true,
      thresholds: [
        { condition: "success", operator: ">=", value: 0.95, text: "0.95", inclusive: true, region: "above" },
      ],
    });
    expect(run.args).toEqual([
      { name: "service", value: "checkout", secret: false },
      { name: "key", value: null, secret: true },
    ]);
  });

  it("gives measurements by pages, or thinned", async () => {
    const rollout = await recorded.addRollout();
    const { uid } = await recorded.addRun({ rolloutId: rollout.id, metrics: [{ name: "m" }] });
    const values = Array.from({ length: 60 }, (_, index) => ({ seq: index + 1, value: index === 30 ? "99" : "1" }));
    await recorded.addMeasurements({ rolloutId: rollout.id, uid, metric: "m", values });
    const read = (query: string) =>
      get({
        route: measurementsRoute,
        path: `/api/v1/analysis-runs/${uid}/measurements?${query}`,
        params: { uid },
        schema: MeasurementList,
      });
    const first = await read("limit=40");
    const second = await read(`limit=40&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items].map((item) => item.seq)).toEqual(values.map((value) => value.seq));
    expect(second.nextCursor).toBe(null);
    const thinned = await read("points=10");
    expect(thinned.items.map((item) => item.value)).toContain("99");
    expect(thinned.leftOut).toEqual([{ metric: "m", count: 60 - thinned.items.length, unsuccessful: 0 }]);
  });
});

describe("inbox and releases", () => {
  it("ranks by severity, then by waiting time, with evidence and actions", async () => {
    await recorded.client.query("UPDATE rollout SET attention_reason = NULL");
    const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 9, minute));
    const add = (name: string, severity: string, minute: number) =>
      recorded.addRollout({ name, attention: { reason: "inconclusive", severity, since: at(minute) } });
    const late = await add("late", "warning", 30);
    await add("early", "warning", 10);
    await add("critical", "critical", 50);
    const { uid } = await recorded.addRun({
      rolloutId: late.id,
      name: "late-run",
      spec: { metrics: [{ name: "success-rate", inconclusiveLimit: "2", successCondition: "result >= 0.95" }] },
      metrics: [{ name: "success-rate", count: 5, inconclusive: 3 }],
    });
    await recorded.addMeasurements({
      rolloutId: late.id,
      uid,
      metric: "success-rate",
      values: [
        { seq: 1, value: "0.97" },
        { seq: 2, value: "0.9471", phase: "Inconclusive" },
      ],
    });
    const items = await getAll(inboxRoute, "/api/v1/inbox?", InboxItem);
    expect(items.map((item) => item.rollout.name)).toEqual(["critical", "early", "late"]);
    await recorded.addRollout({
      name: "broken",
      attention: { reason: "degraded", severity: "critical", since: at(0) },
    });
    const named = async (query: string) =>
      (await getAll(inboxRoute, `/api/v1/inbox?${query}&`, InboxItem)).map(({ rollout }) => rollout.name);
    expect(await named("attention=degraded")).toEqual(["broken"]);
    expect(await named("attention=inconclusive&cluster=none")).toEqual([]);
    expect(items[2]?.sentence).toBe(
      "success-rate is Inconclusive at step 2 of 4: 3 of 5 measurements were inconclusive (2 allowed).",
    );
    expect(items[2]?.evidence).toEqual([
      {
        runUid: uid,
        metric: "success-rate",
        phase: "Inconclusive",
        ...{ values: [0.97, 0.9471], last: "0.9471", unit: null, lastPhase: "Inconclusive" },
        ...{ condition: "result >= 0.95", pass: "≥ 0.95", fail: null },
        thresholds: [{ condition: "success", value: 0.95, inclusive: true, region: "above" }],
        limit: { what: "inconclusive", used: 3, limit: "2" },
        summary: "3 of 5 measurements were inconclusive (2 allowed)",
      },
    ]);
    expect(items[2]?.actions.map((action) => action.action)).toEqual(["accept-step", "measure-again", "abort"]);
  });

  it("counts the runs of a release", async () => {
    const rollout = await recorded.addRollout();
    await recorded.addRelease({ rolloutId: rollout.id, startedAt: new Date(Date.UTC(2026, 1, 1)) });
    await recorded.addRun({ rolloutId: rollout.id, phase: "Successful" });
    await recorded.addRun({ rolloutId: rollout.id, phase: "Inconclusive" });
    const path = `/api/v1/releases?namespace=${rollout.namespace}`;
    const { items } = await get({ route: releasesRoute, path, schema: listOf(Release) });
    expect(items).toMatchObject([
      { runKey: "new", images: ["shop:2"], runs: { total: 2, byPhase: { Successful: 1, Inconclusive: 1 } } },
    ]);
  });

  it("counts each run towards one attempt, though the cluster writes whole seconds", async () => {
    const rollout = await recorded.addRollout();
    const at = (seconds: number) => new Date(Date.UTC(2026, 1, 1, 12, 0, 0) + seconds * 1000);
    await recorded.addRelease({ rolloutId: rollout.id, attempt: 1, startedAt: at(0.4) });
    await recorded.addRelease({ rolloutId: rollout.id, attempt: 2, startedAt: at(3.7) });
    await recorded.addRun({ rolloutId: rollout.id, phase: "Failed", createdAt: at(0) });
    await recorded.addRun({ rolloutId: rollout.id, phase: "Successful", createdAt: at(3) });
    const path = `/api/v1/releases?namespace=${rollout.namespace}`;
    const { items } = await get({ route: releasesRoute, path, schema: listOf(Release) });
    expect(items.map(({ attempt, runs }) => ({ attempt, ...runs }))).toEqual([
      { attempt: 2, total: 1, byPhase: { Successful: 1 }, contradicted: {} },
      { attempt: 1, total: 1, byPhase: { Failed: 1 }, contradicted: {} },
    ]);
  });
});
