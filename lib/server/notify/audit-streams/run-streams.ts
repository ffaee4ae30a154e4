import type { Counter, Gauge } from "@prometheus-io/client";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { StreamedEntry } from "#lib/domain/audit/format-stream.ts";
import { createChannelTurns } from "#lib/server/notify/channel-turns.ts";
import type { SendResult } from "#lib/server/notify/channels/post-json.ts";
import type { AuditStreamConfig } from "#lib/server/platform/config/audit-stream-schema.ts";
import type { Config } from "#lib/server/platform/config/config-schema.ts";
import { computeBackoff } from "#lib/util/compute-backoff.ts";
import { readStreamStates } from "./read-stream-states.ts";
import { type Batch, sendBatch } from "./send-batch.ts";
import {
  confirmEntries,
  openPlace,
  readEntriesAfter,
  readHash,
  type StreamPlace,
  storeFailure,
} from "./stream-place.ts";

type StreamMetrics = { auditStreamLag: Gauge<"stream">; auditStreamFailures: Counter<"stream"> };

export type StreamOptions = {
  pool: Pool;
  config(): Pick<Config, "auditStreams" | "publicUrl">;
  log: Pick<Logger, "warn">;
  metrics: StreamMetrics;
  send?: (stream: AuditStreamConfig, batch: Batch) => Promise<SendResult>;
  /** Milliseconds, for the time until the next try. */
  now?: () => number;
};

type AuditStreams = {
  /** One pass of the upkeep: starts the streams that have something to send, without waiting. Throws the error of an earlier pass. */
  turn(): Promise<void>;
  /** Resolves when nothing is being sent. */
  settle(): Promise<void>;
};

const firstRetryMs = 1000;
const longestRetryMs = 60_000;
/** A receiver that asks for more time gets at most this. */
const longestAskedMs = 300_000;

/**
 * Sends the entries of the audit log to each stream of the config, in their order and at least once: the place moves
 * only after the receiver took them. Each stream has its own turns and its own place.
 */
export function createAuditStreams(options: StreamOptions, signal: AbortSignal): AuditStreams {
  const { pool, config, metrics, now = () => performance.now() } = options;
  /** By the config of the stream, so that a changed one is tried at once. */
  const retries = new Map<string, { failures: number; at: number }>();
  const turns = createChannelTurns<AuditStreamConfig>({
    async work(stream) {
      const key = JSON.stringify(stream);
      const { result, hasMoved } = await sendAll(options, stream, signal);
      const failures = (hasMoved ? 0 : (retries.get(key)?.failures ?? 0)) + 1;
      retries.delete(key);
      // Stopping is no failure of the receiver.
      if (result.ok || signal.aborted) return;
      const backoffMs = computeBackoff({
        ...{ firstMs: firstRetryMs, longestMs: longestRetryMs },
        doublings: Math.min(failures - 1, 10),
        random: Math.random(),
      });
      const askedMs = Math.min(result.retryAfterMs ?? 0, longestAskedMs);
      retries.set(key, { failures, at: now() + Math.max(backoffMs, askedMs) });
    },
  });
  return {
    async turn() {
      const { auditStreams } = config();
      const states = await readStreamStates(pool, auditStreams);
      metrics.auditStreamLag.reset();
      for (const { name, lagSeconds } of states)
        if (lagSeconds !== null) metrics.auditStreamLag.set({ stream: name }, lagSeconds);
      const due = auditStreams.filter((stream, index) => {
        const state = states[index];
        return state?.seq !== state?.newestSeq && (retries.get(JSON.stringify(stream))?.at ?? 0) <= now();
      });
      turns.start(due);
    },
    async settle() {
      await turns.settle().catch(() => {});
      // Another recorder reports from here on.
      metrics.auditStreamLag.reset();
    },
  };
}

type Run = { result: SendResult; hasMoved: boolean };

/**
 * Sends what a stream does not have yet, request by request. Resolves at the end of the log, with the first failure, or
 * as soon as the config in force has the stream no longer, or another one by its name.
 */
async function sendAll(options: StreamOptions, stream: AuditStreamConfig, signal: AbortSignal): Promise<Run> {
  const { pool, config, send = sendBatch } = options;
  const { name } = stream;
  for (let hasMoved = false; ; hasMoved = true) {
    const place = await openPlace(pool, stream);
    const entries = await readEntriesAfter(pool, place.seq);
    const fork = await findFork(pool, place, entries);
    if (signal.aborted || !isInForce(config().auditStreams, stream)) return { result: { ok: true }, hasMoved };
    if (fork !== undefined) return { result: await fail(options, { name, place, error: fork }), hasMoved };
    const last = entries.at(-1);
    if (last === undefined) return { result: { ok: true }, hasMoved };
    const result = await send(stream, { entries, publicUrl: config().publicUrl, signal });
    if (!result.ok && !signal.aborted) await fail(options, { name, place, error: result.error });
    if (!result.ok) return { result, hasMoved };
    // Otherwise another recorder sends too, and has moved the place.
    if (!(await confirmEntries(pool, { name, from: place.seq, last }))) return { result, hasMoved };
  }
}

function isInForce(streams: readonly AuditStreamConfig[], stream: AuditStreamConfig): boolean {
  const key = JSON.stringify(stream);
  return streams.some((each) => JSON.stringify(each) === key);
}

async function fail(
  { pool, metrics, log }: StreamOptions,
  { name, place, error }: { name: string; place: StreamPlace; error: string },
): Promise<SendResult> {
  metrics.auditStreamFailures.inc({ stream: name });
  if (error !== place.error) {
    log.warn({ stream: name, error }, "entries of the audit log could not be sent");
    await storeFailure(pool, name, error);
  }
  return { ok: false, error };
}

const remedy = "verify the log, then give the stream another name to send it again";

/** Says why the log is not the one that was sent up to the place, or has a hole after it; undefined if all is well. */
async function findFork(
  pool: Pool,
  place: StreamPlace,
  entries: readonly StreamedEntry[],
): Promise<string | undefined> {
  if (entries.length === 0) {
    // A stream that begins later waits for its first entry.
    if (place.hash === null || place.seq === 0 || (await readHash(pool, place.seq)) === place.hash) return undefined;
    return `the log no longer has entry ${place.seq} as it was sent: ${remedy}`;
  }
  let { seq, hash } = place;
  for (const next of entries) {
    if (hash !== null && next.seq !== seq + 1) return `entry ${seq + 1} is missing: ${remedy}`;
    if (hash !== null && next.previousHash !== hash)
      return `entry ${next.seq} does not follow entry ${seq}${seq === place.seq ? " as it was sent" : ""}: ${remedy}`;
    ({ seq, hash } = next);
  }
  return undefined;
}
