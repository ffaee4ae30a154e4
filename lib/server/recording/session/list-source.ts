import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { sourceLabels } from "#lib/server/recording/store/recorder-metrics.ts";
import { judgeGeneration, judgeVersion } from "./check-cluster-identity.ts";
import { judgeDisappearance } from "./disappearance-hold.ts";
import { isListError, type ListPage, listPages } from "./list-pages.ts";
import { awaitTurning } from "./pause.ts";
import type { Missing, Session } from "./session-types.ts";
import type { SourceEvent } from "./source-state.ts";

/** Queues one complete list, and the disappearances that follow from it. */
export async function listSource(session: Session): Promise<SourceEvent> {
  const { queue, onTurn } = session;
  const listed = new Map<string, number | undefined>();
  let version: string | undefined;
  /** Settles once the previous page is stored. */
  let stored: Promise<void> = Promise.resolve();
  try {
    for await (const page of pagesOf(session)) {
      onTurn();
      session.noteClock(page.date);
      const older = version === undefined ? judgeVersion(page.resourceVersion, session.resourceVersion) : undefined;
      if (older !== undefined) return older;
      version = page.resourceVersion;
      const { clockSkewMs } = session;
      for (const head of page.heads) {
        const backwards = judgeGeneration(session, head);
        if (backwards !== undefined) return backwards;
        listed.set(head.uid, head.generation);
        await awaitTurning(
          queue.pushObject({ op: "upsert", ...head, size: page.meanSize, receivedAt: new Date(), clockSkewMs }),
          onTurn,
        );
      }
      // At most two pages are in memory: one being stored and one waiting. With a large cluster, more would only cost
      // memory and save no time.
      await awaitTurning(stored, onTurn);
      stored = queue.drain();
      // The code that awaits it gets the failure; after the last page, it is not awaited.
      stored.catch(() => {});
    }
  } catch (error) {
    return listFailure({ session, error });
  }
  session.caughtUpTo = undefined;
  await awaitTurning(queue.drain(), onTurn);
  session.live = listed;
  session.resourceVersion = version;
  const held = await settleMissing(session, listed);
  session.noteLoaded();
  queue.mark({ isSynced: true, ...(version === undefined ? {} : { resourceVersion: version }) });
  session.noteWatchContact();
  session.noteReadContact();
  return held === undefined ? { type: "listed" } : { type: "held", reason: held };
}

/**
 * Reads the pages. After catching up it lists as of the version reached: a newer list would hide what happened in
 * between. If the server no longer knows that version, or does not support such lists, it reads the newest.
 */
async function* pagesOf(session: Session): AsyncGenerator<ListPage, void, void> {
  const { client, source, signal, caughtUpTo: atVersion } = session;
  if (atVersion !== undefined)
    try {
      return yield* listPages({ client, source, signal, atVersion });
    } catch (error) {
      if (!isListError(error) || error.pages > 0 || isPassing(error.reason)) throw error;
    }
  yield* listPages({ client, source, signal });
}

/** Returns whether the same list may succeed later: a newer one instead would hide what happened in between. */
function isPassing(reason: SourceEvent): boolean {
  return reason.type === "unreachable" || (reason.type === "answered" && [429, 503].includes(reason.status));
}

function listFailure({ session, error }: { session: Session; error: unknown }): SourceEvent {
  if (isListError(error)) {
    if (error.pages > 0) session.metrics.listsIncomplete.inc(sourceLabels(session.source));
    return error.reason;
  }
  throw error;
}

/** Settles stored objects that the complete list lacks. Returns the reason if their absence is not believed yet. */
async function settleMissing(session: Session, listed: ReadonlyMap<string, unknown>): Promise<string | undefined> {
  const { source, pool, writer, queue, metrics, hold } = session;
  const stored = await inTransaction(pool, (tx) => writer.listLive(tx));
  const uids = stored.filter((uid) => !listed.has(uid));
  hold.keep(session, new Set(uids));
  if (uids.length === 0) return undefined;
  const missing: Missing = new Map(uids.map((uid) => [uid, source.vanished]));
  const verdict = judgeDisappearance({ stored: stored.length, missing: uids.length, listed: listed.size });
  // Objects held before stay held, however plausible their absence is now: a restart does not confirm it.
  if (source.holdsDisappearance && (verdict !== "plausible" || hold.size > 0)) {
    if (hold.size === 0 && verdict !== "plausible")
      metrics.snapshotsHeld.inc({ ...sourceLabels(source), reason: verdict });
    hold.start(session, { reason: verdict === "empty" ? "empty" : "shrink", missing });
    return `${uids.length} of ${stored.length} objects are missing at once: held until further reads say the same`;
  }
  if (!session.mayMarkAbsent()) {
    hold.defer(missing);
    return undefined;
  }
  queue.pushGone({ uids, presence: source.vanished, at: new Date() });
  metrics.markedAbsent.inc({ ...sourceLabels(source), presence: source.vanished }, uids.length);
  await awaitTurning(queue.drain(), session.onTurn);
  return undefined;
}
