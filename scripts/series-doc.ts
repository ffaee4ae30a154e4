import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Registry } from "@prometheus-io/client";
import { createRolloutSeries } from "#lib/server/pages/monitoring/rollout-series.ts";
import { createWebMetrics } from "#lib/server/platform/telemetry/web-metrics.ts";
import { createRecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";
import { withTable } from "./actions-doc.ts";

export const seriesDocFile = join(import.meta.dirname, "../docs/monitoring.md");

const registries: readonly [head: string, create: () => { registry: Registry }][] = [
  ["| about rollouts | labels | meaning |", createRolloutSeries],
  ["| of a web process | labels | meaning |", () => createWebMetrics({ withProcess: false })],
  ["| of a recorder | labels | meaning |", createRecorderMetrics],
];

/** Returns docs/monitoring.md with the tables of all series, from their definitions. */
export function writeSeriesTables(text: string): string {
  return registries.reduce((page, [head, create]) => withTable(page, head, formatSeries(create().registry)), text);
}

function formatSeries(registry: Registry): string[] {
  const series = registry.getMetricsAsArray().map(({ name }) => name);
  return series.toSorted().map((name) => {
    const { labelNames = [], help } = registry.getSingleMetric(name) as { labelNames?: string[]; help?: string };
    return `| \`${name}\` | ${labelNames.map((label) => `\`${label}\``).join(", ")} | ${help} |`;
  });
}

// node scripts/series-doc.ts: writes the tables.
if (import.meta.main) writeFileSync(seriesDocFile, writeSeriesTables(readFileSync(seriesDocFile, "utf8")));
