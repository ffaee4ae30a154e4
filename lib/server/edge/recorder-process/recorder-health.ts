import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { AuditStreamStatus, Status } from "#lib/contract/system.ts";
import { serializeSource } from "#lib/server/clusters/sources/serialize-source.ts";
import { readSources, type SourceRow } from "#lib/server/clusters/sources/source-freshness.ts";
import { readStreamStates } from "#lib/server/notify/audit-streams/read-stream-states.ts";
import type { AuditStreamConfig } from "#lib/server/platform/config/audit-stream-schema.ts";
import { serializeConfigStatus } from "#lib/server/platform/config/config-status.ts";
import type { ConfigStore } from "#lib/server/platform/config/config-store.ts";
import { findWriteObstacle } from "#lib/server/platform/db/find-write-obstacle.ts";
import { poolWithTimeout } from "#lib/server/platform/db/pools.ts";
import { readSchemaReadiness } from "#lib/server/platform/db/read-schema-readiness.ts";
import type { RecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";

/** The database results for the recorder's probes, queried in advance: a probe answers at once. */
type RecorderHealth = {
  notReady(): string | undefined;
  /** As last read; undefined if never read. */
  sources(): readonly SourceRow[] | undefined;
  /** As last read; undefined if never read. */
  auditStreams(): AuditStreamStatus[] | undefined;
  /** Queries the database until `signal` aborts. */
  watch(signal: AbortSignal): Promise<void>;
};

export type HealthOptions = {
  pool: Pool;
  known: readonly string[];
  auditStreams?: () => readonly AuditStreamConfig[];
  metrics: Pick<RecorderMetrics, "databaseErrors">;
  /** How often the database is asked; by default every second while it is not ready, and every five while it is. */
  everyMs?: number;
};

/** A database that is silent for longer counts as down. */
const answerWithinMs = 3000;
/** How often a schema that fits is read again. One that does not is read each time. */
const schemaEveryMs = 10_000;

export function createRecorderHealth(options: HealthOptions): RecorderHealth {
  const { pool, known, metrics, everyMs, auditStreams = () => [] } = options;
  const timedPool = poolWithTimeout(pool, answerWithinMs);
  let reason: string | undefined = "starting";
  let sources: readonly SourceRow[] | undefined;
  let streams: AuditStreamStatus[] | undefined;

  let fitsUntil = 0;

  /** Returns why the schema does not fit; undefined if it does. */
  async function readMisfit(): Promise<string | undefined> {
    if (performance.now() < fitsUntil) return undefined;
    const readiness = await readSchemaReadiness({ pool: timedPool, known });
    if (!readiness.ok) return readiness.reason;
    fitsUntil = performance.now() + schemaEveryMs;
    return undefined;
  }

  async function look(): Promise<void> {
    try {
      const misfit = await readMisfit();
      if (misfit === undefined) {
        sources = await readSources({ pool: timedPool });
        streams = await readStreamStates(timedPool, auditStreams());
      }
      reason = misfit ?? (await findWriteObstacle(timedPool, { withTrial: false }));
    } catch (error) {
      fitsUntil = 0;
      metrics.databaseErrors.inc();
      reason = `the database cannot be reached: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  return {
    notReady: () => reason,
    sources: () => sources,
    auditStreams: () => streams,
    async watch(signal) {
      const aborted = new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
      while (!signal.aborted) {
        await Promise.race([look(), aborted]);
        await sleep(everyMs ?? (reason === undefined ? 5000 : 1000), undefined, { signal }).catch(() => {});
      }
    },
  };
}

/** Describes the recorder for its `/status`, in the same words as the web process's. */
export function describeRecorder(options: {
  store: Pick<ConfigStore, "current" | "status">;
  health: Pick<RecorderHealth, "notReady" | "sources" | "auditStreams">;
  grantsEnforced: boolean;
}): Status {
  const { store, health, grantsEnforced } = options;
  const { clusters } = store.current().config;
  const sources = health.sources();
  const auditStreams = health.auditStreams();
  const ready = health.notReady() === undefined;
  return {
    ready,
    config: serializeConfigStatus(store.status()),
    database: { ok: ready && sources !== undefined, grantsEnforced },
    sources: (sources ?? []).map((source) => serializeSource(source, clusters)),
    ...(auditStreams === undefined ? {} : { auditStreams }),
  };
}
