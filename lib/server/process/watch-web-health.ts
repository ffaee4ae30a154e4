import type { Pool } from "pg";
import type { Logger } from "pino";
import { readSources, type SourceRow } from "#lib/server/clusters/sources/source-freshness.ts";
import { findWriteObstacle } from "#lib/server/platform/db/find-write-obstacle.ts";
import { readSchemaReadiness } from "#lib/server/platform/db/read-schema-readiness.ts";

export type HealthAnswer = {
  /** Why requests cannot be served; undefined if they can. */
  notReady: string | undefined;
  /** As last read; undefined if never read. */
  sources: readonly SourceRow[] | undefined;
};

/** The probes' answer about the database, available without waiting. */
export type WebHealth = {
  look(): Promise<HealthAnswer>;
  /** Reports a write that failed as on a full disk: until one succeeds, each check tries a write. */
  suspectWrites(): void;
  /** How long a probe may wait for the database at most. */
  readonly waitMs: number;
};

type Options = {
  pool: Pool;
  known: readonly string[];
  onDatabaseError(): void;
  log: Logger;
  /** How long a check may take: after that, the last result counts, until the one in progress has lasted `validMs`. */
  waitMs?: number;
  validMs?: number;
};

/**
 * Checks the database and its schema on demand, one check at a time. If the database hangs, the probe does not: it
 * answers from memory, and soon turns to "not ready".
 */
export function watchWebHealth({ pool, known, onDatabaseError, log, waitMs = 50, validMs = 3000 }: Options): WebHealth {
  const startedAt = performance.now();
  let last: HealthAnswer | undefined;
  let running: { done: Promise<void>; since: number } | undefined;
  let isSuspected = false;

  async function lookUp(): Promise<void> {
    try {
      const readiness = await readSchemaReadiness({ pool, known });
      const sources = readiness.ok ? await readSources({ pool }) : last?.sources;
      const wasSuspected = isSuspected;
      const obstacle = readiness.ok ? await findWriteObstacle(pool, { withTrial: wasSuspected }) : undefined;
      if (wasSuspected && readiness.ok && obstacle === undefined) isSuspected = false;
      last = { notReady: readiness.ok ? obstacle : readiness.reason, sources };
    } catch (error) {
      onDatabaseError();
      log.warn({ err: error }, "database is not reachable");
      last = { notReady: "the database cannot be reached", sources: last?.sources };
    } finally {
      running = undefined;
    }
  }

  return {
    waitMs,
    suspectWrites: () => {
      isSuspected = true;
    },
    async look() {
      running ??= { done: lookUp(), since: performance.now() };
      const { done, since } = running;
      const { promise: limit, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, waitMs);
      await Promise.race([done, limit]);
      clearTimeout(timer);
      // Counted from the request: a pause without requests says nothing about the database.
      const ageMs = performance.now() - (last === undefined ? startedAt : since);
      if (last !== undefined && (running === undefined || ageMs <= validMs)) return last;
      const seconds = Math.max(1, Math.round(ageMs / 1000));
      return { notReady: `the database has not answered for ${seconds} s`, sources: last?.sources };
    },
  };
}
