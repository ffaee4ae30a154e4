import { compareResourceVersions } from "#lib/domain/history/resource-version.ts";
import { ClusterUnreachableError } from "#lib/server/kubernetes/cluster-errors.ts";
import { inTransaction } from "./in-transaction.ts";
import { judgeDisappearance } from "./judge-disappearance.ts";
import { ListError, type ListPage, listPages } from "./list-pages.ts";
import { awaitTurning } from "./pause.ts";
import { sourceLabels } from "./recorder-metrics.ts";
import type { Session } from "./session-types.ts";
import type { SourceEvent } from "./source-state.ts";

/** One complete list into the queue, and what follows from what it has not. */
export async function listSource(session: Session): Promise<SourceEvent> {
  const { source, metrics, queue, onTurn } = session;
  const labels = sourceLabels(source);
  const listed = new Set<string>();
  let version: string | undefined;
  try {
    for await (const page of pagesOf(session)) {
      onTurn();
      if (page.date !== undefined)
        metrics.clockSkew.set({ cluster: source.cluster }, (page.date.getTime() - Date.now()) / 1000);
      if (version === undefined && isBackwards(page.resourceVersion, session.resourceVersion))
        return {
          type: "other-cluster",
          message: `resourceVersion went backwards, from ${session.resourceVersion} to ${page.resourceVersion}: restored from a backup, or another cluster`,
        };
      version = page.resourceVersion;
      for (const head of page.heads) {
        listed.add(head.uid);
        await awaitTurning(
          queue.pushObject({ op: "upsert", ...head, size: page.meanSize, receivedAt: new Date() }),
          onTurn,
        );
      }
    }
  } catch (error) {
    return listFailure({ session, error });
  }
  session.caughtUpTo = undefined;
  await awaitTurning(queue.drain(), onTurn);
  session.live = listed;
  session.resourceVersion = version;
  const held = await settleMissing(session, listed);
  metrics.objectsLoaded.set(labels, listed.size);
  queue.mark({ objects: listed.size, isSynced: true, ...(version === undefined ? {} : { resourceVersion: version }) });
  session.noteWatchContact();
  session.noteReadContact();
  return held === undefined ? { type: "listed" } : { type: "held", reason: held };
}

/**
 * After catching up, the list as of the version that was reached: a newer one would hide what happened in between. Where
 * the server does not know that version any more, or gives no such lists, the newest.
 */
async function* pagesOf(session: Session): AsyncGenerator<ListPage, void, void> {
  const { client, source, signal, caughtUpTo: atVersion } = session;
  if (atVersion !== undefined)
    try {
      return yield* listPages({ client, source, signal, atVersion });
    } catch (error) {
      if (!(error instanceof ListError) || error.pages > 0) throw error;
    }
  yield* listPages({ client, source, signal });
}

function isBackwards(version: string, stored: string | undefined): boolean {
  return stored !== undefined && compareResourceVersions(version, stored) === -1;
}

function listFailure({ session, error }: { session: Session; error: unknown }): SourceEvent {
  if (error instanceof ListError) {
    if (error.pages > 0) session.metrics.listsIncomplete.inc(sourceLabels(session.source));
    return error.reason;
  }
  if (error instanceof ClusterUnreachableError) return { type: "unreachable", message: error.message };
  throw error;
}

/** What the store has and the complete list has not. Returns the reason where it is not believed yet. */
async function settleMissing(session: Session, listed: ReadonlySet<string>): Promise<string | undefined> {
  const { source, pool, writer, queue, metrics } = session;
  const stored = await inTransaction(pool, (tx) => writer.listLive(tx));
  const missing = stored.filter((uid) => !listed.has(uid));
  session.hold.keep(new Set(missing));
  if (missing.length === 0) return undefined;
  const verdict = judgeDisappearance({ stored: stored.length, missing: missing.length });
  if (source.holdsDisappearance && verdict !== "plausible") {
    metrics.snapshotsHeld.inc({ ...sourceLabels(source), reason: verdict });
    session.hold.start(session, new Map(missing.map((uid) => [uid, source.vanished])));
    return `${missing.length} of ${stored.length} objects are missing at once: held until further reads say the same`;
  }
  queue.pushGone({ uids: missing, presence: source.vanished, at: new Date() });
  metrics.markedAbsent.inc({ ...sourceLabels(source), presence: source.vanished }, missing.length);
  await awaitTurning(queue.drain(), session.onTurn);
  return undefined;
}
