import type { Pool } from "pg";
import type { Logger } from "pino";
import type { ClusterClient } from "#lib/server/kubernetes/cluster-client-types.ts";
import type { KindWriter } from "#lib/server/recorder/store/batch-types.ts";
import type { BufferBudget } from "#lib/server/recorder/store/buffer-budget.ts";
import type { Lease } from "#lib/server/recorder/store/lease.ts";
import type { RecorderMetrics } from "#lib/server/recorder/store/recorder-metrics.ts";
import type { HoldReason } from "#lib/server/recorder/store/source-row.ts";
import type { SourceKey } from "#lib/server/sources/watched-resources.ts";
import type { DisappearanceLimits } from "./judge-disappearance.ts";
import type { NextStep, SourceEvent, SourceStatus, SourceTiming } from "./source-state.ts";
import type { SourceWriter, SourceWriterOptions } from "./source-writer.ts";

export type SessionTiming = SourceTiming & {
  staleAfterMs: number;
  readEveryMs: number;
  watchSeconds: number;
  /** How long past `watchSeconds` a watch may live before we cut it. */
  watchGraceMs: number;
  /** When a held disappearance is looked at again, one after the other. */
  confirmAfterMs: readonly number[];
};

export type SessionOptions = {
  source: SourceKey;
  client: ClusterClient;
  pool: Pool;
  lease: Lease;
  writer: KindWriter;
  timing: SessionTiming;
  log: Logger;
  metrics: RecorderMetrics;
  /** From which size a disappearance is not believed at once. */
  limits: DisappearanceLimits;
  /** False while nothing may be marked absent because it is missing, as after a config that could not be loaded. */
  mayMarkAbsent(): boolean;
  /** How much may wait for the database; for tests. */
  buffer?: Pick<SourceWriterOptions, "bound" | "boundBytes">;
  /** What it may hold together with the other sources of this process. */
  budget?: BufferBudget;
  /** Monotonic milliseconds. */
  now(): number;
  onTurn(): void;
};

/** What the parts of one session share. */
export type Session = SessionOptions & {
  signal: AbortSignal;
  queue: SourceWriter;
  hold: DisappearanceHold;
  /** Uids of the objects that the cluster has, as far as we were told, with their generations. */
  live: Map<string, number | undefined>;
  resourceVersion: string | undefined;
  /** How far the catching-up came. The first list is asked for as of then: nothing falls between the two. */
  caughtUpTo: string | undefined;
  readonly status: SourceStatus;
  apply(event: SourceEvent): NextStep | undefined;
  noteWatchContact(): void;
  noteReadContact(): void;
  /** The server's Date header. */
  noteClock(date: Date | undefined): void;
  /** How many objects there are, those included that are held. */
  noteLoaded(): void;
  /** Ends the session with an error. */
  fail(error: unknown): void;
};

/** Objects that seem to be gone, each with what it becomes if that is true. */
export type Missing = Map<string, string>;

export type DisappearanceHold = {
  readonly size: number;
  readonly reason: HoldReason;
  has(uid: string): boolean;
  /** Starts to doubt, or adds to what is doubted already. */
  start(session: Session, doubt: { reason: HoldReason; missing: Missing }): void;
  /** A complete list: whatever it does not miss is back. */
  keep(session: Session, missing: ReadonlySet<string>): void;
  /** The object is there after all. */
  clear(session: Session, uid: string): void;
  /** Plausibly gone, but nothing may be marked absent now. */
  defer(missing: Missing): void;
  /** Marks what was deferred, where that may be done now. */
  settleDeferred(session: Session): void;
  settled(): Promise<void>;
};

/** Ends the step under way from outside, with the event that did it. */
export type Interrupt = { signal: AbortSignal; event(): SourceEvent | undefined };
