import type { Pool } from "pg";
import { createControllerScraper } from "#lib/server/oversight/controllers/scrape-controllers.ts";
import { type ScrapeMemory, storeScrape } from "#lib/server/oversight/controllers/store-scrape.ts";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";

type Endpoints = ClusterConfig["controllers"]["endpoints"];

/** A cluster with these controllers. */
export function scrapedCluster(name: string, endpoints: Endpoints, more: object = {}): ClusterConfig {
  return ClusterConfig.parse({
    name,
    server: "http://127.0.0.1:1",
    controllers: { endpoints, ...more },
  });
}

/** Scrapes everything that is due, every five seconds, with a clock that is moved by hand. */
export function createScrapeWorld({ cluster, recorder }: { cluster: ClusterConfig; recorder: Pool }) {
  const memory: ScrapeMemory = new Map();
  const errors: unknown[] = [];
  let nowMs = 0;
  const scraper = createControllerScraper({
    now: () => nowMs,
    everySeconds: 5,
    onAttempt: (place, attempt) => storeScrape({ pool: recorder, memory }, place, attempt),
    onError: (error) => errors.push(error),
  });
  const start = () => scraper.turn([cluster], AbortSignal.timeout(120_000));
  return {
    errors,
    start,
    settle: scraper.settle,
    advance: (ms: number) => {
      nowMs += ms;
    },
    async scrape() {
      start();
      await scraper.settle();
      nowMs += 5000;
    },
  };
}
