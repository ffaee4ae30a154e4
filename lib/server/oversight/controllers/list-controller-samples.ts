import type { ControllerPath, ControllerSamples, ControllerSamplesQuery } from "#lib/contract/controller.ts";
import { prepareChartLines } from "#lib/domain/controllers/chart-lines.ts";
import type { ChartRange } from "#lib/domain/controllers/chart-ranges.ts";
import { sameValueMs } from "#lib/domain/controllers/keep-changes.ts";
import { readsAllOf } from "#lib/domain/policy/rights.ts";
import { readSamples } from "#lib/server/oversight/controllers/sample-rows.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { findController, serializeSeries } from "./get-controllers.ts";

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
