import type { Component } from "#lib/domain/controllers/component.ts";
import { createSampleFolder } from "#lib/domain/controllers/fold-samples.ts";
import type { ScrapeAttempt } from "#lib/domain/controllers/scrape-state.ts";
import type { MetricSeries } from "#lib/domain/delivery/sampling.ts";
import type { PrometheusConfig } from "#lib/server/config/config-schema.ts";
import { queryPrometheus } from "#lib/server/recorder/upkeep/query-prometheus.ts";

/** Prometheus scrapes every minute by default. Older samples are of something that is gone. */
const freshSeconds = 150;

type Query = { prometheus: PrometheusConfig; signal: AbortSignal };

/**
 * Reads the metrics of one component from a Prometheus that scrapes many. `process_start_time_seconds` and the like are
 * everybody's: they are asked for with the job and instance that the component's own metric has. Throws as
 * `queryPrometheus` does.
 */
export async function findMetrics(component: Component, query: Query): Promise<ScrapeAttempt["result"]> {
  const missing = { ok: false, code: "not-found", message: "the Prometheus has no fresh metrics of it" } as const;
  if (component.identity === undefined) return missing;
  const own = await queryPrometheus({ ...query, names: [component.identity], seconds: freshSeconds });
  const fresh = own.filter(({ points }) => points.length > 0);
  if (fresh.length === 0) return missing;
  const folder = createSampleFolder(component);
  const isName = `__name__=~"${listNames(component).join("|")}"`;
  for (const target of targetsOf(fresh)) {
    const series = await queryPrometheus({ ...query, names: [""], only: [isName, ...target], seconds: freshSeconds });
    for (const { labels, points } of series) {
      const value = points.at(-1)?.value;
      if (value !== undefined) folder.add({ name: labels.__name__ ?? "", labels: ownLabels(labels), value });
    }
  }
  return { ok: true, folded: folder.end() };
}

function listNames({ identity = "", versionTime = identity, series }: Component): string[] {
  const names = series.flatMap(({ metrics, kind, appearsWith = identity }) => [
    ...metrics.flatMap((metric) =>
      kind === "histogram" ? [`${metric}_bucket`, `${metric}_count`, `${metric}_sum`] : [metric],
    ),
    appearsWith,
  ]);
  return [...new Set([identity, versionTime, ...names])];
}

/** Returns matchers for each target that has the metric. */
function targetsOf(series: readonly MetricSeries[]): string[][] {
  const targets = series.map(({ labels }) =>
    ["job", "instance"].flatMap((name) => {
      const value = labels[name];
      return value === undefined ? [] : [`${name}=${JSON.stringify(value)}`];
    }),
  );
  return [...new Map(targets.map((target) => [target.join(), target])).values()];
}

/** Gives labels back their names, which Prometheus changes if the target has one of the same name. */
function ownLabels(labels: Readonly<Record<string, string>>): Record<string, string> {
  const exported = Object.entries(labels).filter(([name]) => name.startsWith("exported_"));
  return {
    ...labels,
    ...Object.fromEntries(exported.map(([name, value]) => [name.slice("exported_".length), value])),
  };
}
