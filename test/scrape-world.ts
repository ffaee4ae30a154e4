import type { Pool } from "pg";
import { ClusterConfig } from "#lib/server/config/config-schema.ts";
import { createControllerScraper } from "#lib/server/controllers/scrape-controllers.ts";
import { type ScrapeMemory, storeScrape } from "#lib/server/controllers/store-scrape.ts";

type Endpoints = ClusterConfig["controllers"]["endpoints"];

/** A cluster with these controllers, which are scraped every five seconds. */
export function scrapedCluster(name: string, endpoints: Endpoints, more: object = {}): ClusterConfig {
  return ClusterConfig.parse({
    name,
    server: "http://127.0.0.1:1",
    controllers: { endpoints, everySeconds: 5, ...more },
  });
}

/** Scrapes everything that is due, with a clock that is moved by hand. */
export function createScrapeWorld({ cluster, recorder }: { cluster: ClusterConfig; recorder: Pool }) {
  const memory: ScrapeMemory = new Map();
  const errors: unknown[] = [];
  let nowMs = 0;
  const scraper = createControllerScraper({
    now: () => nowMs,
    onAttempt: (place, attempt) => storeScrape({ pool: recorder, memory }, place, attempt),
    onError: (error) => errors.push(error),
  });
  const start = () => scraper.turn([cluster], AbortSignal.timeout(30_000));
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
