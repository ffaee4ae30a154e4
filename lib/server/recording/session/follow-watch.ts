import { setTimeout as sleep } from "node:timers/promises";
import { isClusterUnreachableError } from "#lib/server/clusters/kubernetes/cluster-errors.ts";
import { pathOf } from "#lib/server/clusters/sources/watched-resources.ts";
import type { ObjectEntry } from "#lib/server/recording/store/batch-types.ts";
import { sourceLabels } from "#lib/server/recording/store/recorder-metrics.ts";
import { traceChange } from "#lib/server/recording/store/trace-change.ts";
import { judgeGeneration, judgeVersion } from "./check-cluster-identity.ts";
import { classifyWatchLine, type WatchLine } from "./classify-watch-line.ts";
import { judgeDeletions } from "./disappearance-hold.ts";
import { describeAnswer } from "./list-pages.ts";
import { awaitTurning } from "./pause.ts";
import type { Missing, Session } from "./session-types.ts";
import { isHistoryGone, type SourceEvent } from "./source-state.ts";

export type FollowOptions = {
  interrupt: { signal: AbortSignal };
  /** The previous watch ended cleanly: opening the next one completes a sign of life. */
  isCleanlyClosed: boolean;
  /** Ends the watch once nothing has arrived for this long; used for catching up. */
  quietMs?: number;
};

/** Runs one watch, from the last version seen to its end. Always returns an event; the received changes are queued. */
export async function followWatch(session: Session, options: FollowOptions): Promise<SourceEvent> {
  const event = await watchOnce(session, options);
  if (!session.signal.aborted)
    session.metrics.watchRestarts.inc({ ...sourceLabels(session.source), reason: reasonOf(event) });
  return event;
}

function reasonOf(event: SourceEvent): string {
  if (event.type === "watch-closed") return "closed";
  return isHistoryGone(event) ? "gone" : event.type;
}

async function watchOnce(session: Session, options: FollowOptions): Promise<SourceEvent> {
  const { client, source, timing, now } = session;
  const openedAt = now();
  const overdue = new AbortController();
  const cut = setTimeout(() => overdue.abort(), timing.watchSeconds * 1000 + timing.watchGraceMs);
  try {
    const watch = await client.watch({
      path: pathOf(source),
      query: {
        resourceVersion: session.resourceVersion,
        allowWatchBookmarks: true,
        timeoutSeconds: options.quietMs === undefined ? timing.watchSeconds : 5,
        labelSelector: source.labelSelector,
      },
      signal: AbortSignal.any([options.interrupt.signal, overdue.signal]),
      timeoutMs: 15_000,
    });
    const what = `watch ${source.resource}`;
    const { status, sentWith } = watch;
    if (!("lines" in watch)) return { type: "answered", what, status, sentWith, text: describeAnswer(watch) };
    session.noteClock(watch.date);
    // Catching up proves nothing about the source as a whole: a list must follow.
    if (options.quietMs === undefined) session.apply({ type: "watch-opened" });
    if (options.isCleanlyClosed) session.noteWatchContact();
    try {
      const lines = options.quietMs === undefined ? watch.lines : untilQuiet(watch.lines, options.quietMs);
      for await (const line of lines) {
        const readAt = performance.now();
        const classified = classifyWatchLine(line, { kind: source.kind });
        const end = await takeLine(session, classified, { size: line.length, readAt });
        if (end === undefined) continue;
        if (end.type === "answered") end.sentWith = sentWith;
        // Later lines may be the only source of their changes, and a list follows in any case.
        if (end.type !== "bad-object" || options.quietMs === undefined) return end;
        session.metrics.badObjects.inc(sourceLabels(source));
      }
    } finally {
      watch.close();
    }
    return { type: "watch-closed", livedMs: now() - openedAt };
  } catch (error) {
    if (overdue.signal.aborted)
      return { type: "unreachable", message: `cluster ${source.cluster}: the watch did not end in time` };
    if (isClusterUnreachableError(error)) return { type: "unreachable", message: error.message };
    throw error;
  } finally {
    clearTimeout(cut);
  }
}

/** `readAt`: when the line was there, by `performance.now()`. */
type Read = { size: number; readAt: number };

/** Returns an event if the watch must stop. */
async function takeLine(session: Session, line: WatchLine, read: Read): Promise<SourceEvent | undefined> {
  session.onTurn();
  switch (line.type) {
    case "expired":
      return { type: "expired" };
    case "failed":
      return { type: "answered", status: line.status, text: line.text };
    case "bad":
      return { type: "bad-object", message: line.message };
    case "bookmark": {
      const older = judgeVersion(line.resourceVersion, session.resourceVersion);
      if (older !== undefined) return older;
      session.resourceVersion = line.resourceVersion;
      session.queue.mark({ resourceVersion: line.resourceVersion });
      session.noteWatchContact();
      return undefined;
    }
    case "object": {
      const backwards = judgeVersion(line.resourceVersion, session.resourceVersion) ?? judgeGeneration(session, line);
      if (backwards !== undefined) return backwards;
      await takeObject(session, line, read);
      session.resourceVersion = line.resourceVersion;
      session.queue.mark({ resourceVersion: line.resourceVersion });
      session.noteLoaded();
      session.noteWatchContact();
      return undefined;
    }
  }
}

async function takeObject(
  session: Session,
  line: Extract<WatchLine, { type: "object" }>,
  { size, readAt }: Read,
): Promise<void> {
  const { uid, resourceVersion, generation, object, op } = line;
  const trace = traceChange({ source: session.source, object, readAt });
  const { clockSkewMs } = session;
  const entry: ObjectEntry = { op, uid, resourceVersion, object, size, receivedAt: new Date(), clockSkewMs, trace };
  if (op === "deleted") session.live.delete(uid);
  else {
    session.live.set(uid, generation);
    session.hold.clear(session, uid);
  }
  const isHeld = op === "deleted" && session.source.holdsDisappearance && (await holdDeletion(session, entry));
  if (!isHeld) await push(session, entry);
}

async function push(session: Session, entry: ObjectEntry): Promise<void> {
  await awaitTurning(session.queue.pushObject(entry), session.onTurn);
}

/**
 * Holds a burst of deletions back. They are stored as the objects' last state and believed only once further reads
 * confirm them. That includes those of the last minute that were already believed one by one.
 */
async function holdDeletion(session: Session, entry: ObjectEntry): Promise<boolean> {
  const { now, live, hold, source } = session;
  const recent = session.recentDeletions.filter((each) => now() - each.at < 60_000);
  recent.push({ at: now(), entry });
  session.recentDeletions = recent;
  if (hold.size === 0) {
    if (judgeDeletions({ recent: recent.length, left: live.size }) === "plausible") return false;
    session.metrics.snapshotsHeld.inc({ ...sourceLabels(source), reason: "shrink" });
  }
  const doubted = hold.size === 0 ? recent.filter((each) => !live.has(each.entry.uid)) : [{ entry }];
  for (const each of doubted) await push(session, { ...each.entry, op: "upsert", trace: undefined });
  const missing: Missing = new Map(doubted.map((each) => [each.entry.uid, "deleted"]));
  hold.start(session, { reason: hold.size === 0 ? "shrink" : hold.reason, missing });
  if (session.status.state === "live" || session.status.state === "stale")
    session.apply({
      type: "held",
      reason: `${recent.length} objects were deleted within a minute: held until further reads say the same`,
    });
  return true;
}

/** Ends the lines once none has arrived for `quietMs`. */
async function* untilQuiet(lines: AsyncIterable<string>, quietMs: number): AsyncGenerator<string, void, void> {
  const iterator = lines[Symbol.asyncIterator]();
  while (true) {
    const timer = new AbortController();
    const next = iterator.next();
    const quiet = sleep(quietMs, "quiet" as const, { signal: timer.signal }).catch(() => "quiet" as const);
    const result = await Promise.race([next, quiet]);
    timer.abort();
    if (result === "quiet") {
      next.catch(() => {});
      return;
    }
    if (result.done === true) return;
    yield result.value;
  }
}
