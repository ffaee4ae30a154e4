import type {
  Controller,
  ControllerDetail,
  ControllerPath,
  ControllerSamples,
  ControllerSamplesQuery,
  ControllerSeries,
} from "#lib/contract/controller.ts";
import { assessController } from "#lib/domain/controllers/assess-controller.ts";
import { prepareChartLines } from "#lib/domain/controllers/chart-lines.ts";
import type { ChartRange } from "#lib/domain/controllers/chart-ranges.ts";
import { processStart, type SeriesSpec, scrapeMark } from "#lib/domain/controllers/component.ts";
import { type ControllerFacts, defectsOf, versionOf } from "#lib/domain/controllers/facts.ts";
import { sameValueMs } from "#lib/domain/controllers/keep-changes.ts";
import type { Quantile } from "#lib/domain/controllers/quantile.ts";
import type { ScrapeState } from "#lib/domain/controllers/scrape-state.ts";
import { type ControllerSummary, summarizeController, summaryMs } from "#lib/domain/controllers/summarize.ts";
import { type Rights, readsAllOf } from "#lib/domain/policy/rights.ts";
import {
  type KnownController,
  readController,
  readControllers,
} from "#lib/server/oversight/controllers/read-controllers.ts";
import { readSamples } from "#lib/server/oversight/controllers/sample-rows.ts";
import { seesCluster } from "#lib/server/people/permission/read-scope.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";

/** Lists the controllers of the clusters that the caller sees. There are few: one page contains them all. */
export async function listControllers({
  ctx,
}: {
  ctx: ServiceContext;
}): Promise<{ items: Controller[]; nextCursor: null }> {
  const { runtime, actor } = ctx;
  const clusters = runtime.config().config.clusters.filter(({ name }) => seesCluster(actor.rights, name));
  const known = await readControllers(runtime.pool, clusters);
  const items = await Promise.all(
    known.map(async (each) => serializeController(await withSummarySamples(runtime.pool, each), actor.rights)),
  );
  return { items, nextCursor: null };
}

/** Adds the newest samples of the series that the summary shows. */
async function withSummarySamples(connection: Connection, known: KnownController): Promise<ControllerFacts> {
  const { cluster, component, scrape, now } = known;
  const shown = component.series.filter(({ shows }) => shows !== undefined).map(({ key }) => key);
  if (scrape === undefined || shown.length === 0) return { ...known, samples: [] };
  const from = new Date(Date.parse(now) - summaryMs);
  const keys = [...shown, scrapeMark.key, processStart];
  return { ...known, samples: await readSamples(connection, { cluster, component: component.name, from, keys }) };
}

/** Returns one controller. Throws `not_found`. */
export async function getController({ ctx, input }: Call<ControllerPath>): Promise<ControllerDetail> {
  const { runtime, actor } = ctx;
  const known = await findController(ctx, input);
  const facts = await withSummarySamples(runtime.pool, known);
  return {
    ...serializeController(facts, actor.rights),
    reach: known.component.reach,
    series: known.component.series.map((spec) => serializeSeries(spec, known.scrape)),
  };
}

/** Returns the controller if the caller may see it. Throws `not_found`. */
async function findController(
  { runtime, actor }: ServiceContext,
  { cluster: name, component }: ControllerPath,
): Promise<KnownController> {
  const cluster = runtime.config().config.clusters.find((each) => each.name === name);
  const isVisible = cluster !== undefined && seesCluster(actor.rights, name);
  const known = isVisible ? await readController(runtime.pool, cluster, component) : undefined;
  if (known === undefined) throw new ServiceError("not_found", `There is no controller ${component} in ${name}.`);
  return known;
}

function serializeSeries(
  { key, label, unit, kind }: SeriesSpec,
  scrape: Pick<ScrapeState, "presence"> | undefined,
): ControllerSeries {
  return { key, label, unit, kind, presence: scrape?.presence[key] ?? "not-available" };
}

/** Returns a controller as the caller may see it: where its pods run is for those who read the whole cluster. */
function serializeController(facts: ControllerFacts, rights: Rights): Controller {
  const { cluster, component, via, scrape, workloads } = facts;
  const { state, reason, since } = assessController(facts);
  return {
    id: `${cluster}/${component.name}`,
    cluster,
    component: component.name,
    label: component.label,
    purpose: component.purpose,
    state,
    reason,
    since: since ?? null,
    version: versionOf(facts) ?? null,
    defects: defectsOf(facts),
    via: via ?? null,
    everySeconds: scrape?.everySeconds ?? null,
    lastScrape: scrape?.at ?? null,
    lastSuccess: scrape?.lastOkAt ?? null,
    durationMs: scrape?.durationMs ?? null,
    error: serializeError(scrape),
    consecutiveFailures: scrape?.consecutiveFailures ?? 0,
    startedAt: scrape?.startedAt ?? null,
    restarts: scrape?.restarts ?? 0,
    probe: serializeProbe(scrape),
    workloads: readsAllOf(rights, { cluster, namespace: null })
      ? workloads.map(({ kind, namespace, name, desired, ready, tag }) => {
          return { kind, namespace, name, desired, ready, tag: tag ?? null };
        })
      : null,
    ...serializeSummary(summarizeController(facts)),
  };
}

function serializeError(scrape: ScrapeState | undefined): Controller["error"] {
  return scrape === undefined || scrape.error === null
    ? null
    : { code: scrape.error.code, message: scrape.error.message };
}

function serializeProbe(scrape: ScrapeState | undefined): Controller["probe"] {
  if (scrape === undefined || scrape.probe === null) return null;
  const { state, message, since } = scrape.probe;
  return { state, message, since };
}

function serializeSummary({
  errors,
  latency,
  depth,
}: ControllerSummary): Pick<Controller, "errors" | "latency" | "depth"> {
  if (latency === null) return { errors, latency, depth };
  const { p50, p99 } = latency;
  return { errors, depth, latency: { ...latency, p50: toBounded(p50), p99: toBounded(p99) } };
}

/** JSON has no infinity. */
function toBounded(quantile: Quantile | null) {
  return quantile === null ? null : { ...quantile, to: Number.isFinite(quantile.to) ? quantile.to : null };
}

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;

/** `stepMs`: width of one chart point; no finer than the samples that are kept at the start of the range. */
const ranges: Readonly<Record<ChartRange, { spanMs: number; stepMs: number }>> = {
  "1h": { spanMs: 60 * minuteMs, stepMs: minuteMs / 2 },
  "6h": { spanMs: 360 * minuteMs, stepMs: 3 * minuteMs },
  "24h": { spanMs: dayMs, stepMs: 10 * minuteMs },
  "7d": { spanMs: 7 * dayMs, stepMs: 60 * minuteMs },
  "30d": { spanMs: 30 * dayMs, stepMs: 240 * minuteMs },
};

/** Returns the samples of a controller as lines of charts. Throws `not_found`. */
export async function listControllerSamples({
  ctx,
  input,
}: Call<ControllerPath & ControllerSamplesQuery>): Promise<ControllerSamples> {
  const { runtime, actor } = ctx;
  const { component, scrape, now, cluster } = await findController(ctx, input);
  const { spanMs, stepMs } = ranges[input.range];
  const to = Date.parse(now);
  const window = { from: to - spanMs, to, stepMs };
  // The finest range shows every sample.
  const isThinned = input.range !== "1h";
  // Every live series has a point within this time: it starts the window, and reveals a counter that appears in it.
  const silentMs = sameValueMs + (scrape?.everySeconds ?? 0) * 1000 + (isThinned ? 2 * stepMs : 0);
  const from = window.from - 2 * silentMs;
  const samples = await readSamples(runtime.pool, {
    ...{ cluster, component: component.name, from: new Date(from) },
    ...(isThinned ? { stepSeconds: stepMs / 1000 } : {}),
  });
  const readsAll = readsAllOf(actor.rights, { cluster, namespace: null });
  // The start of the process is a time, and is shown as one; repository names are only for callers who read everything.
  const specs = component.series.filter(({ unit, by = [] }) => unit !== "time" && (readsAll || !by.includes("repo")));
  return {
    from: new Date(window.from).toISOString(),
    to: now,
    charts: specs.map((spec) => {
      const { lines, omitted } = prepareChartLines(spec, samples, { window, completeness: { from, silentMs } });
      return {
        ...serializeSeries(spec, scrape),
        omitted,
        lines: lines.map(({ name, points }) => ({
          name,
          points: points.map(({ at, value }) => ({ at: new Date(at).toISOString(), value })),
        })),
      };
    }),
  };
}
