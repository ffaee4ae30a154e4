import type { PoolClient } from "pg";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import type { PoisonEntry } from "#lib/server/recording/store/batch-types.ts";
import { assertLease } from "#lib/server/recording/store/lease.ts";
import { keepAside, listQuarantined } from "#lib/server/recording/store/quarantine.ts";
import { sourceLabels } from "#lib/server/recording/store/recorder-metrics.ts";
import { openSource } from "#lib/server/recording/store/source-row.ts";
import { createDisappearanceHold } from "./disappearance-hold.ts";
import type { Interrupt, Session, SessionOptions } from "./session-types.ts";
import { initialStatus, type NextStep, reduceSource, type SourceEvent, type SourceStatus } from "./source-state.ts";
import { createSourceWriter } from "./source-writer.ts";

export type OpenedSession = {
  session: Session;
  interrupt(event: SourceEvent): void;
  /** Returns the interrupt for the step that begins. */
  takeInterrupt(): Interrupt;
};

/**
 * Reads the checkpoint of an earlier process. No checkpoint means a first start. One that no API server can have issued
 * is corrupt: it is kept aside before it is replaced, and the source is listed from scratch.
 */
async function checkpointOf({
  tx,
  options,
  checkpoint,
}: {
  tx: PoolClient;
  options: SessionOptions;
  checkpoint: string | undefined;
}): Promise<string | undefined> {
  const { source, log, metrics } = options;
  if (checkpoint === undefined) log.info({ source: source.id }, "nothing is recorded yet: history begins now");
  if (checkpoint === undefined || /^\d+$/.test(checkpoint)) return checkpoint;
  const reason = "the stored checkpoint is no resourceVersion";
  await keepAside(tx, { sourceId: source.id, ref: "checkpoint", reason, raw: checkpoint });
  metrics.quarantined.inc({ table: "source" });
  log.error({ source: source.id }, `${reason}: it lies in quarantine, and the source is read anew`);
  return undefined;
}

/** The most that its column holds: 24.8 days. */
const longestSkewMs = 2 ** 31 - 1;

/** Returns how far the other clock is ahead, at most `longestSkewMs` either way. `date` is the header of an answer. */
export function computeClockSkew(date: Date, nowMs: number): number {
  // The header truncates to whole seconds; adding half a second is the best estimate.
  const skewMs = Math.round(date.getTime() + 500 - nowMs);
  return Math.min(Math.max(skewMs, -longestSkewMs), longestSkewMs);
}

type Contact = { at: number; wallMs: number };
const never: Contact = { at: Number.NEGATIVE_INFINITY, wallMs: 0 };

/** Reads the source's stored state and starts its writer. Calls `onEnd` once nothing can be written any more. */
export async function openSession(
  options: SessionOptions,
  signal: AbortSignal,
  onEnd: (error: Error) => void,
): Promise<OpenedSession> {
  const { source, pool, lease, timing, metrics, log } = options;
  const labels = sourceLabels(source);
  const stored = await inTransaction(pool, async (tx) => {
    await assertLease(tx, lease);
    const opened = await openSource(tx, { source, staleAfterMs: timing.staleAfterMs });
    const { hold } = opened;
    const resourceVersion = await checkpointOf({ tx, options, checkpoint: opened.resourceVersion });
    // The number of objects decides which deletions are too many, including those that arrive before the first list.
    const live = source.holdsDisappearance ? await options.writer.listLive(tx) : [];
    return { resourceVersion, hold, live, quarantined: await listQuarantined(tx, source.id) };
  });
  const onPoison = ({ entry, reason }: PoisonEntry): void => {
    metrics.quarantined.inc({ table: source.resource });
    log.warn({ source: source.id, uid: entry.uid, reason }, "object could not be stored and lies in quarantine");
  };
  const onRefusedClock = ({ message }: Error): void => {
    metrics.databaseErrors.inc();
    log.warn({ source: source.id, error: message }, "the difference of clocks could not be stored and is left out");
  };
  const { writer, now } = options;
  const queue = createSourceWriter(
    { pool, source, lease, writer, quarantined: stored.quarantined, now, onPoison, onRefusedClock },
    {
      onRetry: (error) => {
        metrics.databaseErrors.inc();
        log.warn({ source: source.id, error: error.message }, "batch could not be stored, trying again");
      },
      ...options.buffer,
      budget: options.budget,
      onEnd,
      onDepth: ({ objects, bytes }) => {
        metrics.bufferDepth.set(labels, objects);
        metrics.bufferBytes.set(labels, bytes);
      },
      onFull: () => {
        metrics.bufferFull.inc(labels);
        log.warn({ source: source.id }, "the buffer is full: the watch waits for the database");
      },
      onDropped: (objects) => metrics.bufferDropped.inc(labels, objects),
      // A contact that is written late makes the source look older than it is.
      idleMs: Math.min(2000, timing.staleAfterMs / 30),
    },
  );
  let status: SourceStatus = { ...initialStatus };
  /** Contact times on the clock of `now`, each with the wall clock's time. */
  const contacts = { watch: never, read: never };
  const oldestContact = (): Contact => (contacts.watch.at < contacts.read.at ? contacts.watch : contacts.read);
  const isFresh = (): boolean => options.now() - oldestContact().at <= timing.staleAfterMs;
  const noteContact = (half: "watch" | "read"): number => {
    contacts[half] = { at: options.now(), wallMs: Date.now() };
    const { at, wallMs } = oldestContact();
    if (Number.isFinite(at)) metrics.lastSuccess.set(labels, wallMs / 1000);
    return contacts[half].at;
  };
  const apply = (event: SourceEvent): NextStep | undefined => {
    const result = reduceSource(status, event, { random: Math.random(), now: options.now(), timing });
    if (result.status.state !== status.state || result.status.lastError !== status.lastError) {
      const { state, lastError, errorCode = null } = result.status;
      queue.mark({ state, lastError, errorCode }, { isUrgent: true });
      log.info({ source: source.id, state, error: lastError }, "source");
    }
    status = result.status;
    return result.next;
  };
  const session: Session = {
    ...options,
    signal,
    queue,
    hold: createDisappearanceHold(stored.hold),
    live: new Map(stored.live.map((uid) => [uid, undefined])),
    resourceVersion: stored.resourceVersion,
    caughtUpTo: undefined,
    cutAt: undefined,
    confirmedUid: undefined,
    recentDeletions: [],
    clockSkewMs: undefined,
    get status() {
      return status;
    },
    apply(event) {
      if (event.type === "silent" && isFresh()) return undefined;
      return apply(event);
    },
    noteWatchContact() {
      queue.mark({ watchContact: noteContact("watch") });
      if (isFresh()) apply({ type: "contact" });
    },
    noteReadContact() {
      queue.mark({ readContact: noteContact("read") });
      if (status.state === "stale" && isFresh()) apply({ type: "contact" });
    },
    noteClock(date) {
      if (date === undefined) return;
      const skewMs = computeClockSkew(date, Date.now());
      metrics.clockSkew.set({ source: source.id }, skewMs / 1000);
      queue.mark({ clockSkewMs: skewMs });
      session.clockSkewMs = skewMs;
    },
    noteLoaded() {
      const loaded = session.live.size + session.hold.size;
      metrics.objectsLoaded.set(labels, loaded);
      queue.mark({ objects: loaded });
    },
    fail: (error) => onEnd(error instanceof Error ? error : new Error(String(error))),
  };
  let interrupted: SourceEvent | undefined;
  let controller = new AbortController();
  return {
    session,
    interrupt: (event) => {
      interrupted = event;
      controller.abort();
    },
    takeInterrupt() {
      interrupted = undefined;
      controller = new AbortController();
      return { signal: AbortSignal.any([signal, controller.signal]), event: () => interrupted };
    },
  };
}
