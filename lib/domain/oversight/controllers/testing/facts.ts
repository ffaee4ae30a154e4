import { findComponent } from "#lib/domain/component-list.ts";
import type { ControllerFacts, ControllerWorkload, StoredSeries } from "#lib/domain/controllers/facts.ts";
import type { SeriesPresence } from "#lib/domain/controllers/fold-samples.ts";
import type { ScrapeFailure, ScrapeState, ScrapeVia } from "#lib/domain/controllers/scrape-state.ts";

const nowMs = Date.UTC(2026, 0, 2, 12);
export const now = new Date(nowMs).toISOString();

/** The time so many seconds before the facts. */
export function ago(seconds: number): string {
  return new Date(nowMs - seconds * 1000).toISOString();
}

/** A series with its points by seconds before the facts. */
export function series(
  key: string,
  points: readonly (readonly [agoSeconds: number, value: number])[],
  labels: Record<string, string> = {},
): StoredSeries {
  return { series: key, labels, points: points.map(([seconds, value]) => ({ at: nowMs - seconds * 1000, value })) };
}

export function scrape(change: Partial<ScrapeState> = {}): ScrapeState {
  const presence: Record<string, SeriesPresence> = {};
  return {
    ...{ at: ago(1), via: "endpoint", everySeconds: 15, durationMs: 12, error: null, lastOkAt: ago(1) },
    ...{ upSince: ago(3600), failingSince: null, consecutiveFailures: 0, version: null, startedAt: ago(7200) },
    ...{ restarts: 0, probe: null, presence },
    ...change,
  };
}

/** A state after so many failed scrapes. */
export function failedScrape(
  times: number,
  code: ScrapeFailure = "unreachable",
  via: ScrapeVia = "endpoint",
): ScrapeState {
  return scrape({
    ...{ via, error: { code, message: "the connection was refused", since: ago(times * 15) } },
    ...{ upSince: null, failingSince: ago(times * 15), consecutiveFailures: times, lastOkAt: ago(times * 15 + 15) },
  });
}

export function workload(ready: number, desired: number, tag?: string): ControllerWorkload {
  return { kind: "Deployment", namespace: "system", name: "controller", conditions: [], ready, desired, tag };
}

/** Facts of a component that is well. */
export function controllerFacts(component: string, change: Partial<ControllerFacts> = {}): ControllerFacts {
  const found = findComponent(component);
  if (found === undefined) throw new Error(`no component ${component}`);
  return {
    cluster: "prod",
    component: found,
    now,
    via: "endpoint",
    scrape: scrape(),
    workloads: [],
    samples: [],
    ...change,
  };
}
