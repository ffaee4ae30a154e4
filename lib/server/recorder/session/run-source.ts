import type { KindWriter } from "#lib/server/recorder/store/batch-types.ts";
import { sourceLabels } from "#lib/server/recorder/store/recorder-metrics.ts";
import { holdLease } from "./hold-lease.ts";
import type { SessionOptions } from "./session-types.ts";
import { runSourceSession } from "./source-session.ts";

export type RunSourceOptions = Omit<SessionOptions, "lease" | "writer"> & {
  /**
   * Creates a writer for one session. A writer's memory is valid only while nobody else writes. A late answer to a
   * batch of an earlier session must not reach the memory of the next one.
   */
  createWriter(): KindWriter;
  /** Names this process among those that compete for the lease. */
  holder: string;
  renewEveryMs?: number;
  acquireEveryMs?: number;
};

/** Records one source for as long as the process lives: waits for its lease, records while holding it, starts over. */
export async function runSource(options: RunSourceOptions, signal: AbortSignal): Promise<void> {
  const { source, createWriter, ...rest } = options;
  await holdLease({ ...rest, sourceId: source.id, labels: sourceLabels(source) }, signal, (lease, own) =>
    runSourceSession({ ...rest, source, writer: createWriter(), lease }, own),
  );
}
