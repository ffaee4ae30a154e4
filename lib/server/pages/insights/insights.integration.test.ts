import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type CountLink,
  insightReleasesHref,
  linkMetric,
  linkPending,
  linkReleases,
  linkTemplate,
} from "#lib/client/insight-links.ts";
import { endpoints } from "#lib/contract/endpoint-table.ts";
import { AnalysisInsights, ReleaseInsights } from "#lib/contract/insight.ts";
import { listReleases } from "#lib/server/pages/release/list-releases.ts";
import { listRuns } from "#lib/server/pages/run/list-runs.ts";
import { actorOf } from "#test/acting-world.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import { getAnalysisInsights } from "./get-analysis-insights.ts";
import { getReleaseInsights } from "./get-release-insights.ts";

let web: TestWeb;
let owner: Pool;
const cluster = "counted";
const period = { from: "2026-03-01T00:00:00.000Z", to: "2026-03-31T00:00:00.000Z" };

beforeAll(async () => {
  web = await startTestWeb();
  owner = createTestPool(web.database.ownerUrl, 1);
  await plant();
});
afterAll(async () => {
  await owner.end();
  await web.close();
});

const contextOf = (actor = actorOf("viewer")) => ({ runtime: web.runtime, actor, requestId: "test" }) as never;

type Planted = {
  key: string;
  attempt?: number;
  state: string;
  day: number;
  hours?: number;
  waits?: { minutes: number; run?: string; hour: number }[];
  committedHoursBefore?: number;
};

/** The releases of one rollout, oldest first. */
async function addRollout(name: string, releases: Planted[], firstSeen = "2025-01-01T00:00:00Z"): Promise<string> {
  const id = randomUUID();
  await owner.query(
    `WITH known AS (INSERT INTO cluster (name) VALUES ($2) ON CONFLICT DO NOTHING)
     INSERT INTO rollout (id, cluster, namespace, kind, name, uid, phase, message, step_count, view_digest, revision_key,
       resource_version, object, first_seen_at, updated_at)
     VALUES ($1, $2, 'shop', 'Rollout', $3, $4, 'Healthy', '', 4, '', 'key', '1', '{}', $5, now())`,
    [id, cluster, name, randomUUID(), firstSeen],
  );
  for (const { key, attempt = 1, state, day, hours = 1, waits = [], committedHoursBefore } of releases) {
    const release = randomUUID();
    const startedAt = new Date(Date.UTC(2026, 2, day, 9));
    const isOpen = state === "progressing" || state === "paused";
    const seconds = waits.reduce((sum, { minutes }) => sum + minutes * 60, 0);
    await owner.query(
      `INSERT INTO release (id, rollout_id, run_key, attempt, state, message, images, started_at, ended_at, updated_at,
         figured_at, waiting_seconds, committed_at)
       VALUES ($1, $2, $3, $4, $5, '', '[]', $6, $7, $6, $6, $8, $9)`,
      [
        release,
        id,
        key,
        attempt,
        state,
        startedAt,
        isOpen ? null : new Date(startedAt.getTime() + hours * 3_600_000),
        isOpen ? null : seconds,
        committedHoursBefore === undefined ? null : new Date(startedAt.getTime() - committedHoursBefore * 3_600_000),
      ],
    );
    for (const [ord, { minutes, run, hour }] of waits.entries()) {
      const fromAt = new Date(Date.UTC(2026, 2, day, hour));
      await owner.query(
        `INSERT INTO release_wait (release_id, ord, from_at, to_at, activity, run_name)
         VALUES ($1, $2, $3, $4, 'waiting', $5)`,
        [release, ord, fromAt, new Date(fromAt.getTime() + minutes * 60_000), run ?? null],
      );
    }
  }
  return id;
}

/** Two with other arguments and one unit, and two with different units. */
const queries = {
  ofWeb: 'sum(rate(http_errors_total{service="web"}[1m])) / sum(rate(http_requests_total{service="web"}[1m]))',
  ofApi: 'sum(rate(http_errors_total{service="api"}[1m])) / sum(rate(http_requests_total{service="api"}[1m]))',
  seconds: "histogram_quantile(0.99, sum by (le) (rate(http_duration_seconds_bucket[1m])))",
  milliseconds: "histogram_quantile(0.99, sum by (le) (rate(http_duration_ms_bucket[1m])))",
};

type PlantedMetric = { name: string; phase: string; nans?: number | null } & Partial<
  Record<"template" | "query", string> & { margin: number }
>;

async function addRun(
  rolloutId: string,
  rollout: string,
  run: { name: string; key: string; day: number; phase: string; metrics: PlantedMetric[] },
) {
  const uid = randomUUID();
  await owner.query(
    `INSERT INTO analysis_run (uid, rollout_id, cluster, namespace, kind, name, owner_kind, owner_name, type, phase, message,
       spec, resource_version, pod_hash, created_at, started_at, completed_at, updated_at, figures_version)
     VALUES ($1, $2, $3, 'shop', 'AnalysisRun', $4, 'Rollout', $5, 'Step', $6, '', '{}', '1', $7, $8, $8, $8, now(), '1')`,
    [uid, rolloutId, cluster, run.name, rollout, run.phase, run.key, new Date(Date.UTC(2026, 2, run.day, 9, 5))],
  );
  for (const { name, phase, nans = 0, margin, template, query = null } of run.metrics) {
    await owner.query(
      `INSERT INTO metric (rollout_id, run_uid, name, phase, message, count, error, inconclusive, template_kind,
         template_namespace, template_name, nans, margin_median, margin_low, provider, query)
       VALUES ($1, $2, $3, $4, '', 9, 1, 2, $5, $6, $7, $8, $9, $9, 'prometheus', $10)`,
      [
        rolloutId,
        uid,
        name,
        phase,
        template === undefined ? null : "AnalysisTemplate",
        template === undefined ? null : "shop",
        template ?? null,
        nans,
        margin ?? null,
        query,
      ],
    );
  }
}

async function override(rolloutId: string, at: Date): Promise<void> {
  await owner.query(
    `INSERT INTO action (id, rollout_id, cluster, namespace, kind, name, action, state, actor_key, actor_name, view_digest,
       request_hash, request_id, requested_at)
     VALUES ($1, $2, $3, 'shop', 'Rollout', 'x', 'accept-step', 'effective', 'x', 'operator', 'd', 'h', 'r', $4)`,
    [randomUUID(), rolloutId, cluster, at],
  );
}

async function plant(): Promise<void> {
  const web1 = await addRollout("web", [
    { key: "a", state: "promoted", day: 2, committedHoursBefore: 3 },
    // It waited for its Inconclusive run, was accepted, and was undone on the next morning.
    { key: "b", state: "promoted", day: 3, hours: 10, waits: [{ minutes: 30, run: "web-b", hour: 10 }] },
    { key: "a", attempt: 2, state: "promoted", day: 4, hours: 2 },
    { key: "c", state: "aborted", day: 10, hours: 2 },
    { key: "d", state: "superseded", day: 11 },
    { key: "e", state: "promoted", day: 12, waits: [{ minutes: 10, hour: 9 }] },
    { key: "f", state: "paused", day: 20 },
  ]);
  await addRun(web1, "web", {
    ...{ name: "web-b", key: "b", day: 3, phase: "Inconclusive" },
    metrics: [
      { name: "errors", phase: "Inconclusive", margin: 0.5, template: "slo", nans: 2, query: queries.ofWeb },
      { name: "latency", phase: "Successful", margin: 4, template: "slo", query: queries.seconds },
    ],
  });
  await addRun(web1, "web", {
    ...{ name: "web-c", key: "c", day: 10, phase: "Failed" },
    metrics: [
      { name: "errors", phase: "Failed", margin: 0.25, template: "slo", query: queries.ofApi },
      { name: "latency", phase: "Error", template: "slo", nans: null, query: queries.milliseconds },
    ],
  });
  await override(web1, new Date(Date.UTC(2026, 2, 3, 10, 29)));
  const api = await addRollout("api", [
    { key: "a", state: "promoted", day: 5 },
    { key: "b", state: "aborted", day: 6, waits: [{ minutes: 60, run: "api-b", hour: 9 }] },
    { key: "c", state: "unknown", day: 7 },
    // Before the period.
    { key: "z", state: "promoted", day: -10 },
  ]);
  await addRun(api, "api", {
    ...{ name: "api-b", key: "b", day: 6, phase: "Inconclusive" },
    metrics: [{ name: "own", phase: "Inconclusive" }],
  });
}

const releases = async (input: Record<string, string> = {}) =>
  ReleaseInsights.parse(
    await getReleaseInsights({
      ctx: contextOf(),
      input: endpoints.getReleaseInsights.query.parse({ cluster, ...period, ...input }),
    }),
  );
const analysis = async (input: Record<string, string> = {}) =>
  AnalysisInsights.parse(
    await getAnalysisInsights({
      ctx: contextOf(),
      input: endpoints.getAnalysisInsights.query.parse({ cluster, ...period, ...input }),
    }),
  );

/** Counts the rows of the page behind a link: it sends the query of the link. */
async function countRows(href: string): Promise<number> {
  const { pathname, searchParams } = new URL(href, "http://localhost");
  const query = { ...Object.fromEntries(searchParams), limit: "200" };
  const { items } =
    pathname === "/releases"
      ? await listReleases({ ctx: contextOf(), input: endpoints.listReleases.query.parse(query) })
      : await listRuns({ ctx: contextOf(), input: endpoints.listRuns.query.parse(query) });
  return items.length;
}

async function expectRows(links: Record<string, CountLink>): Promise<void> {
  const counted = await Promise.all(
    Object.entries(links).map(async ([name, { href }]) => [name, await countRows(href)] as const),
  );
  expect(Object.fromEntries(counted)).toEqual(
    Object.fromEntries(Object.entries(links).map(([name, { count }]) => [name, count])),
  );
}

describe("figures of releases", () => {
  it("follow the definitions", async () => {
    const { figures, before } = await releases();
    expect(figures).toMatchObject({
      ...{ releases: 10, promoted: 5, aborted: 2, superseded: 1, unknown: 1, open: 1, undone: 1 },
      aborts: { count: 2, of: 7 },
      inconclusive: { count: 2, of: 7 },
      changeFailure: { count: 3, of: 7 },
      leadTime: { count: 1, unknown: 4, median: 4 * 3600 },
      // The abort of web on the 10th until the 12th at 10:00, and the undo of two hours. api never recovered.
      recovery: { count: 2, open: 1, median: (47 * 3600 + 2 * 3600) / 2 },
      waiting: { count: 3, ended: 9, unknown: 0, median: 1800, totalSeconds: 100 * 60, frozenSeconds: 0 },
    });
    expect(figures.perDay).toBeCloseTo(5 / 30, 10);
    // The release before the period is in the one before it.
    expect(before).toMatchObject({ releases: 1, promoted: 1, aborts: { rate: 0 } });
  });

  it("link to rows of the same number, in all, for each rollout, for each day and for each hour", async () => {
    const { figures, rollouts, days, hours } = await releases({ timeZone: "Europe/Berlin" });
    await expectRows(linkReleases(figures, { cluster, ...period }));
    expect(rollouts.map(({ rollout, figures: own }) => [rollout.name, own.releases])).toEqual([
      ["web", 7],
      ["api", 3],
    ]);
    for (const { rollout, figures: own } of rollouts) {
      const { namespace, kind, name } = rollout;
      await expectRows(linkReleases(own, { cluster, namespace, kind, rollout: name, ...period }));
    }
    // The period begins and ends within a day of Berlin.
    expect(days).toHaveLength(31);
    for (const { from, to, promoted, aborted, superseded, unknown, open } of days) {
      const count = promoted + aborted + superseded + unknown + open;
      expect(await countRows(insightReleasesHref({ cluster, from, to }))).toBe(count);
    }
    expect(hours.filter(({ releases: count }) => count > 0)).toEqual([
      { hour: 10, releases: 2, median: 35 * 60 },
      { hour: 11, releases: 1, median: 30 * 60 },
    ]);
    for (const { hour, releases: count } of hours) {
      const filter = { waitHour: String(hour), timeZone: "Europe/Berlin" };
      expect(await countRows(insightReleasesHref({ cluster, ...period }, filter))).toBe(count);
    }
  });

  it("are unknown instead of zero if there is nothing, and compare with nothing that was not recorded", async () => {
    const { figures, before, recordedSince } = await releases({ cluster: "elsewhere" });
    expect(recordedSince).toBeNull();
    expect(before).toBeNull();
    expect(figures).toMatchObject({
      ...{ releases: 0, perDay: null, aborts: { of: 0, rate: null }, changeFailure: { rate: null } },
      ...{ leadTime: { median: null }, waiting: { median: null, p90: null } },
    });
    await addRollout("young", [{ key: "a", state: "promoted", day: 30 }], "2026-03-29T00:00:00Z");
    const young = await releases({ rollout: "young" });
    expect(young.before).toBeNull();
    // Two of the thirty days were recorded.
    expect(young.figures.perDay).toBeCloseTo(0.5, 10);
    await owner.query("DELETE FROM release WHERE rollout_id = (SELECT id FROM rollout WHERE name = 'young')");
    await owner.query("DELETE FROM rollout WHERE name = 'young'");
  });

  it("count only what the caller may read", async () => {
    const scoped = actorOf("viewer");
    const rights = {
      ...scoped.rights,
      grants: scoped.rights.grants.map((grant) => ({ ...grant, scope: { ...grant.scope, rollouts: ["api"] } })),
    };
    const input = endpoints.getReleaseInsights.query.parse({ cluster, ...period });
    const ctx = contextOf({ ...scoped, rights } as never);
    expect((await getReleaseInsights({ ctx, input })).figures.releases).toBe(3);
    const { metrics } = await getAnalysisInsights({ ctx, input: { cluster, ...period } });
    expect(metrics.map(({ metric }) => metric)).toEqual(["own"]);
  });

  it("refuse an empty period, a very long one, and a time zone that does not exist", async () => {
    await expect(releases({ from: period.to, to: period.from })).rejects.toMatchObject({ code: "invalid_request" });
    await expect(releases({ from: "2020-01-01T00:00:00Z" })).rejects.toMatchObject({ code: "invalid_request" });
    expect(endpoints.getReleaseInsights.query.safeParse({ timeZone: "Mars/Base" }).success).toBe(false);
    await expect(analysis({ template: "nonsense" })).rejects.toMatchObject({ code: "invalid_request" });
  });
});

describe("figures of metrics and templates", () => {
  it("put first what people waited for longest, and say how overrides ended", async () => {
    const { metrics, templates } = await analysis();
    expect(metrics.map(({ metric, runs, inconclusive, waits }) => [metric, runs, inconclusive, waits.seconds])).toEqual(
      [
        ["own", 1, 1, 3600],
        ["errors", 2, 1, 1800],
        ["latency", 2, 0, 0],
      ],
    );
    const [own, errors, latency] = metrics;
    // That release was not continued: it was aborted.
    expect(own).toMatchObject({ template: null, unit: null, overrides: { runs: 0 }, margin: null });
    expect(errors).toMatchObject({
      template: { id: `${cluster}/shop/AnalysisTemplate/slo`, name: "slo" },
      ...{ failed: 1, measurements: 20, inconclusiveMeasurements: 4, errorMeasurements: 2 },
      nans: { runs: 1, measurements: 2, of: 20, unknownRuns: 0 },
      overrides: { runs: 1, stayed: 0, undone: 1, aborted: 0, other: 0 },
      margin: { runs: 2, median: 0.375 },
      unit: "ratio",
    });
    expect(errors?.margin?.low).toBeCloseTo(0.275, 10);
    expect(latency).toMatchObject({
      error: 1,
      nans: { runs: 0, of: 10, unknownRuns: 1 },
      margin: { runs: 1, median: 4 },
      unit: null,
    });
    expect(templates).toMatchObject([
      { template: null, runs: 1, waits: { runs: 1, seconds: 3600 } },
      { template: { name: "slo" }, runs: 2, failed: 1, inconclusive: 1, waits: { runs: 1, seconds: 1800 } },
    ]);
  });

  it("link to rows of the same number", async () => {
    const { metrics, templates } = await analysis();
    for (const row of metrics) await expectRows(linkMetric(row, { cluster, ...period }));
    for (const row of templates) await expectRows(linkTemplate(row, { cluster, ...period }));
  });

  it("link each way in which an override ended to its runs", async () => {
    const april = { from: "2026-04-01T00:00:00.000Z", to: "2026-04-30T00:00:00.000Z" };
    const waits = (key: string) => [{ minutes: 30, run: `ends-${key}`, hour: 10 }];
    // Days are counted from the first of March.
    const ends = await addRollout("ends", [
      { key: "k1", state: "promoted", day: 40, waits: waits("k1") },
      { key: "k2", state: "promoted", day: 43, hours: 10, waits: waits("k2") },
      { key: "k1", attempt: 2, state: "promoted", day: 44 },
      { key: "k3", state: "aborted", day: 50, waits: waits("k3") },
      { key: "k4", state: "superseded", day: 52, waits: waits("k4") },
      { key: "k5", state: "aborted", day: 54, waits: waits("k5") },
    ]);
    const days = { k1: 40, k2: 43, k3: 50, k4: 52, k5: 54 };
    for (const [key, day] of Object.entries(days)) {
      await addRun(ends, "ends", {
        ...{ name: `ends-${key}`, key, day, phase: "Inconclusive" },
        metrics: [{ name: "gate", phase: "Inconclusive", template: "ends", nans: key === "k5" ? null : 0 }],
      });
      if (key !== "k5") await override(ends, new Date(Date.UTC(2026, 2, day, 10, 29)));
    }
    await owner.query("UPDATE release SET waiting_seconds = NULL WHERE rollout_id = $1 AND run_key = 'k4'", [ends]);

    const { metrics, templates } = await analysis(april);
    expect(metrics).toMatchObject([
      {
        metric: "gate",
        inconclusive: 5,
        nans: { unknownRuns: 1 },
        overrides: { runs: 4, stayed: 1, undone: 1, aborted: 1, other: 1 },
      },
    ]);
    for (const row of metrics) await expectRows(linkMetric(row, { cluster, ...april }));
    for (const row of templates) await expectRows(linkTemplate(row, { cluster, ...april }));
    const { figures } = await releases(april);
    expect(figures).toMatchObject({ waiting: { ended: 6, unknown: 1 }, leadTime: { unknown: 3 } });
    await expectRows(linkReleases(figures, { cluster, ...april }));
  });

  it("leave out a run whose figures are still to be derived, and say so", async () => {
    const due = "UPDATE analysis_run SET figures_version = $1 WHERE name = 'api-b'";
    await owner.query(due, [null]);
    const { metrics, pendingRuns } = await analysis();
    expect(pendingRuns).toBe(1);
    await expectRows({ pending: linkPending(pendingRuns, { cluster, ...period }) });
    expect(metrics.map(({ metric }) => metric)).toEqual(["errors", "latency"]);
    await owner.query(due, ["1"]);
    expect(await analysis()).toMatchObject({ pendingRuns: 0, metricCount: 3 });
  });

  it("are of one template or one metric if that is asked for", async () => {
    const of = async (input: Record<string, string>) => (await analysis(input)).metrics.map(({ metric }) => metric);
    expect(await of({ template: `${cluster}/shop/AnalysisTemplate/slo` })).toEqual(["errors", "latency"]);
    expect(await of({ template: "none" })).toEqual(["own"]);
    expect(await of({ metric: "latency" })).toEqual(["latency"]);
    expect(await of({ rollout: "api" })).toEqual(["own"]);
  });
});
