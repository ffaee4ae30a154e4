import { components, findComponent } from "#lib/domain/component-list.ts";
import type { Component } from "#lib/domain/controllers/component.ts";
import type { ScrapeAttempt } from "#lib/domain/controllers/scrape-state.ts";
import type { ClusterConfig, EndpointConfig, PrometheusConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { askProbe, fetchMetrics } from "./fetch-metrics.ts";
import { findMetrics } from "./find-metrics.ts";
import type { ComponentPlace } from "./store-scrape.ts";

const longestMs = 10_000;
/** As often as Prometheus scrapes by default: a failure is certain after two misses, and shown within a minute. */
const scrapeEverySeconds = 15;

type ScrapedCluster = Pick<ClusterConfig, "name" | "controllers">;
type Attempt = Omit<ScrapeAttempt, "at">;
type Target = ComponentPlace & { attempt(signal: AbortSignal): Promise<Attempt> };

export type ScraperOptions = {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  everySeconds?: number;
  /** Stores an attempt and judges the component. */
  onAttempt(place: ComponentPlace, attempt: Attempt): Promise<void>;
  onError(error: unknown, place: ComponentPlace): void;
};

export type ControllerScraper = {
  /** Starts the scrapes that are due, and returns without waiting for them. */
  turn(clusters: readonly ScrapedCluster[], signal: AbortSignal): void;
  /** Resolves when no scrape is under way. */
  settle(): Promise<void>;
};

/**
 * Scrapes each controller every `everySeconds`. One that does not answer delays no other, and is not scraped again while
 * a scrape is under way.
 */
export function createControllerScraper({
  now,
  everySeconds = scrapeEverySeconds,
  onAttempt,
  onError,
}: ScraperOptions): ControllerScraper {
  const dueAt = new Map<string, number>();
  const underWay = new Map<string, Promise<void>>();

  async function scrape(target: Target, signal: AbortSignal): Promise<void> {
    const { cluster, component } = target;
    try {
      const attempt = await target.attempt(signal);
      if (!signal.aborted) await onAttempt({ cluster, component }, attempt);
    } catch (error) {
      if (!signal.aborted) onError(error, { cluster, component });
    }
  }

  return {
    turn(clusters, signal) {
      const targets = clusters.flatMap((cluster) => listTargets(cluster, { everySeconds, now }));
      const keys = new Set(targets.map(keyOf));
      for (const key of dueAt.keys()) if (!keys.has(key)) dueAt.delete(key);
      for (const target of targets) {
        const key = keyOf(target);
        const due = dueAt.get(key) ?? now();
        if (due > now() || underWay.has(key)) continue;
        // Keeps the rhythm, unless a whole turn was missed.
        const next = due + everySeconds * 1000;
        dueAt.set(key, next > now() ? next : now() + everySeconds * 1000);
        underWay.set(
          key,
          scrape(target, signal).finally(() => underWay.delete(key)),
        );
      }
    },
    async settle() {
      await Promise.all(underWay.values());
    },
  };
}

function keyOf({ cluster, component }: ComponentPlace): string {
  return `${cluster}/${component}`;
}

function listTargets(
  { name: cluster, controllers }: ScrapedCluster,
  { everySeconds, now }: { everySeconds: number; now(): number },
): Target[] {
  const { endpoints, prometheus } = controllers;
  const timeoutMs = Math.min(longestMs, everySeconds * 1000);
  const limits = { everySeconds, timeoutMs, now };
  const configured = endpoints.flatMap((endpoint): Target[] => {
    const component = findComponent(endpoint.component);
    if (component === undefined) return [];
    const attempt = (signal: AbortSignal) => scrapeEndpoint({ ...limits, component, endpoint, signal });
    return [{ cluster, component: component.name, attempt }];
  });
  if (prometheus === undefined) return configured;
  const others = components.filter(
    ({ name, identity }) => identity !== undefined && endpoints.every((endpoint) => endpoint.component !== name),
  );
  return [
    ...configured,
    ...others.map((component) => ({
      ...{ cluster, component: component.name },
      attempt: (signal: AbortSignal) => askPrometheus({ ...limits, component, prometheus, signal }),
    })),
  ];
}

type Asking = {
  component: Component;
  everySeconds: number;
  timeoutMs: number;
  now(): number;
  signal: AbortSignal;
};

async function scrapeEndpoint({ endpoint, ...asking }: Asking & { endpoint: EndpointConfig }): Promise<Attempt> {
  const { component, everySeconds, now } = asking;
  const { probe } = endpoint;
  const startedAt = now();
  let durationMs = 0;
  const [result, probed] = await Promise.all([
    fetchMetrics(component, endpoint, asking).finally(() => {
      durationMs = now() - startedAt;
    }),
    probe === undefined ? undefined : askProbe({ ...endpoint, probe }, asking),
  ]);
  return { via: "endpoint", everySeconds, durationMs, result, ...(probed === undefined ? {} : { probe: probed }) };
}

async function askPrometheus({ prometheus, ...asking }: Asking & { prometheus: PrometheusConfig }): Promise<Attempt> {
  const { component, everySeconds, timeoutMs, now, signal } = asking;
  const startedAt = now();
  const result = await findMetrics(component, { prometheus, timeoutMs, signal });
  return { via: "prometheus", everySeconds, durationMs: now() - startedAt, result };
}
