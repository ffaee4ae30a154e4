import { z } from "zod";
import { listOf, Timestamp } from "#lib/contract/common.ts";
import { get } from "#lib/contract/endpoint.ts";
import { chartRanges } from "#lib/domain/controllers/chart-ranges.ts";

export const ControllerPath = z.strictObject({ cluster: z.string(), component: z.string() });
export type ControllerPath = z.infer<typeof ControllerPath>;

export const SeriesPresence = z
  .enum(["present", "none-yet", "not-available", "too-many"])
  .describe(
    "none-yet: a counter that appears with its first event; not-available: the component does not say it, which is not 0; too-many: it has more labels than are kept apart.",
  );

export const ControllerReading = z.object({
  label: z.string(),
  unit: z.string(),
  presence: SeriesPresence,
  value: z.number().nullable().describe("Null if it is not known, or if nothing was counted."),
});
export type ControllerReading = z.infer<typeof ControllerReading>;

const Quantile = z
  .object({ value: z.number(), from: z.number(), to: z.number().nullable() })
  .describe("An estimate; the truth is between `from` and `to`, which is null in the last bucket.");

export const ControllerDefect = z.object({
  id: z.string(),
  severity: z.enum(["info", "warning"]),
  title: z.string(),
  advice: z.string(),
  source: z.string().describe("Where it is reported, fixed or was seen."),
});
export type ControllerDefect = z.infer<typeof ControllerDefect>;

export const ControllerLatency = ControllerReading.extend({ p50: Quantile.nullable(), p99: Quantile.nullable() });

/** A controller of one cluster, with its health by its metrics, its probe and its workloads. */
export const Controller = z.object({
  id: z.string().describe("cluster/component"),
  cluster: z.string(),
  component: z.string(),
  label: z.string(),
  purpose: z.string(),
  state: z.enum(["up", "unwell", "down", "unknown"]),
  reason: z.enum([
    "answers",
    "pods-ready",
    "probe-failing",
    "not-answering",
    "no-pods",
    "scaled-down",
    "one-failure",
    "not-asked",
    "not-configured",
    "not-in-prometheus",
    "prometheus-silent",
    "no-credentials",
    "denied",
  ]),
  since: Timestamp.nullable(),
  version: z.string().nullable().describe("By its metrics, else by the tag of its image."),
  defects: z.array(ControllerDefect).describe("What this version is known to do wrong."),
  via: z.enum(["endpoint", "prometheus"]).nullable().describe("How its metrics are read; null if they are not."),
  everySeconds: z.number().nullable(),
  lastScrape: Timestamp.nullable(),
  lastSuccess: Timestamp.nullable(),
  durationMs: z.number().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable().describe("Why the last scrape failed."),
  consecutiveFailures: z.number().int(),
  startedAt: Timestamp.nullable().describe("When its process began, by its own metrics."),
  restarts: z.number().int().describe("Restarts that Gatehouse saw."),
  probe: z
    .object({ state: z.enum(["ok", "failing", "absent"]), message: z.string().nullable(), since: Timestamp })
    .nullable()
    .describe("Null if none is configured; absent: nothing answers there."),
  workloads: z
    .array(
      z.object({
        kind: z.enum(["Deployment", "DaemonSet"]),
        namespace: z.string(),
        name: z.string(),
        desired: z.number().int(),
        ready: z.number().int(),
        tag: z.string().nullable(),
      }),
    )
    .nullable()
    .describe("Null unless the caller may read the whole cluster."),
  errors: ControllerReading.nullable().describe("Per minute, over five minutes; null if it has no such metric."),
  latency: ControllerLatency.nullable().describe("The median in seconds, over five minutes."),
  depth: ControllerReading.nullable().describe("The sum over its queues."),
});
export type Controller = z.infer<typeof Controller>;

export const ControllerSeries = z.object({
  key: z.string(),
  label: z.string(),
  unit: z.enum(["count", "seconds", "bytes", "time"]),
  kind: z.enum(["gauge", "counter", "histogram"]),
  presence: SeriesPresence,
});
export type ControllerSeries = z.infer<typeof ControllerSeries>;

export const ControllerDetail = Controller.extend({
  reach: z.string().describe("How to reach its metrics and its probe."),
  series: z.array(ControllerSeries),
});
export type ControllerDetail = z.infer<typeof ControllerDetail>;

export const ControllerSamplesQuery = z.strictObject({ range: z.enum(chartRanges).default("6h") });
export type ControllerSamplesQuery = z.infer<typeof ControllerSamplesQuery>;

export const ControllerChart = ControllerSeries.extend({
  lines: z.array(
    z.object({
      name: z.string().describe("Empty if the series has one line."),
      points: z.array(z.object({ at: Timestamp, value: z.number().nullable().describe("Null is a gap.") })),
    }),
  ),
  omitted: z.number().int().describe("Lines that are not in the answer."),
});
export type ControllerChart = z.infer<typeof ControllerChart>;

/** Counters are rates per minute, histograms their 50th and 99th percentile. */
export const ControllerSamples = z.object({ from: Timestamp, to: Timestamp, charts: z.array(ControllerChart) });
export type ControllerSamples = z.infer<typeof ControllerSamples>;

/** The part of the endpoint table about the health of controllers. */
export const controllerEndpoints = {
  listControllers: get(
    "/api/v1/controllers",
    "Controllers of all clusters, and components of Prow: whether they are up, and how they do",
    { query: z.strictObject({}), response: listOf(Controller) },
  ),
  getController: get("/api/v1/controllers/{cluster}/{component}", "One controller, with its series", {
    params: ControllerPath,
    query: z.strictObject({}),
    response: ControllerDetail,
  }),
  listControllerSamples: get(
    "/api/v1/controllers/{cluster}/{component}/samples",
    "Samples of a controller over hours or days, for charts",
    { params: ControllerPath, query: ControllerSamplesQuery, response: ControllerSamples },
  ),
} as const;
