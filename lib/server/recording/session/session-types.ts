import type { Pool } from "pg";
import type { Logger } from "pino";
import type { GonePresence } from "#lib/domain/kube/watched-kind.ts";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import type { SourceKey } from "#lib/server/clusters/sources/watched-resources.ts";
import type { KindWriter, ObjectEntry } from "#lib/server/recording/store/batch-types.ts";
import type { BufferBudget } from "#lib/server/recording/store/buffer-budget.ts";
import type { Lease } from "#lib/server/recording/store/lease.ts";
import type { RecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";
import type { NextStep, SourceEvent, SourceStatus, SourceTiming } from "./source-state.ts";
import type { SourceWriter, SourceWriterOptions } from "./source-writer.ts";

export type SessionTiming = SourceTiming & {
  staleAfterMs: number;
  readEveryMs: number;
  watchSeconds: number;
  /** How long past `watchSeconds` a watch may live before we end it. */
  watchGraceMs: number;
  /** Waits between the reads that check a held disappearance, in order. */
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
  /** Returns false while missing objects must not be marked absent, as after a config that could not be loaded. */
  mayMarkAbsent(): boolean;
  /** Limits the items that may wait for the database; for tests. */
  buffer?: Pick<SourceWriterOptions, "bound" | "boundBytes">;
  /** Limits its buffer together with those of the other sources of this process. */
  budget?: BufferBudget;
  /** Monotonic milliseconds. */
  now(): number;
  onTurn(): void;
  /** Called after each step: first the list, stored or failed. */
  onStep?(): void;
};

/** The state that the parts of one session share. */
export type Session = SessionOptions & {
  signal: AbortSignal;
  queue: SourceWriter;
  hold: DisappearanceHold;
  /** Uids of the objects that the cluster has, as far as we know, with their generations. */
  live: Map<string, number | undefined>;
  resourceVersion: string | undefined;
  /** The uid of the cluster's kube-system namespace, once the database has confirmed it: it never changes. */
  confirmedUid: string | undefined;
  /** Deletions of the last minute, with their times on the clock of `now`. */
  recentDeletions: readonly { at: number; entry: ObjectEntry }[];
  /** The version that catching up reached. The first list is of that version, so that no change is missed. */
  caughtUpTo: string | undefined;
  /** The version at which catching up was cut the last time; undefined if it was not. */
  cutAt: string | undefined;
  /** How far the cluster's clock is ahead, by its newest answer; undefined before the first. */
  clockSkewMs: number | undefined;
  readonly status: SourceStatus;
  apply(event: SourceEvent): NextStep | undefined;
  noteWatchContact(): void;
  noteReadContact(): void;
  /** Takes the server's Date header. */
  noteClock(date: Date | undefined): void;
  /** Updates the number of objects, including held ones. */
  noteLoaded(): void;
  /** Ends the session with an error. */
  fail(error: unknown): void;
};

/** Objects that seem to be gone, each with the presence it gets if that is true. */
export type Missing = Map<string, GonePresence>;

export type DisappearanceHold = {
  readonly size: number;
  readonly reason: Column.HoldReason;
  has(uid: string): boolean;
  /** Starts a hold, or adds to the one that is running. */
  start(session: Session, doubt: { reason: Column.HoldReason; missing: Missing }): void;
  /** Takes a complete list: all objects that it does not miss are back. */
  keep(session: Session, missing: ReadonlySet<string>): void;
  /** Removes an object from the hold: it exists after all. */
  clear(session: Session, uid: string): void;
  /** Defers objects that are plausibly gone while nothing may be marked absent. */
  defer(missing: Missing): void;
  /** Marks the deferred objects absent if that is allowed now. */
  settleDeferred(session: Session): void;
  settled(): Promise<void>;
};

/** Ends the current step from outside, with the event that caused it. */
export type Interrupt = { signal: AbortSignal; event(): SourceEvent | undefined };
