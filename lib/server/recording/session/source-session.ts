import { sourceLabels } from "#lib/server/recording/store/recorder-metrics.ts";
import { checkClusterIdentity, judgeVersion } from "./check-cluster-identity.ts";
import { followWatch } from "./follow-watch.ts";
import { readOne } from "./list-pages.ts";
import { listSource } from "./list-source.ts";
import { type OpenedSession, openSession } from "./open-session.ts";
import { awaitTurning, pause } from "./pause.ts";
import type { Interrupt, Session, SessionOptions } from "./session-types.ts";
import { isHistoryGone, type NextStep, type SourceEvent } from "./source-state.ts";

/**
 * Records one source while we hold its lease: catches up from the checkpoint, lists, then watches. Returns when
 * `signal` aborts; throws if nothing can be written any more.
 */
export async function runSourceSession(options: SessionOptions, outer: AbortSignal): Promise<void> {
  const failure = new AbortController();
  const signal = AbortSignal.any([outer, failure.signal]);
  const opened = await openSession(options, signal, (error) => failure.abort(error));
  const { session } = opened;
  const side = [keepReading(session, opened.interrupt), keepJudgingAge(session)];
  // If a side loop breaks, it ends the session: otherwise its failure would be noticed only much later.
  for (const loop of side) loop.catch(session.fail);
  const close = (): Promise<void> => session.queue.close(outer.aborted ? 2000 : 0);
  // A step that waits for room in the buffer, or for the database, continues only when the buffer ends.
  signal.addEventListener("abort", () => void close(), { once: true });
  try {
    await follow(session, opened);
  } catch (error) {
    if (!outer.aborted) throw error;
  } finally {
    failure.abort();
    await close();
    await Promise.allSettled([...side, session.hold.settled()]);
  }
  if (!outer.aborted && failure.signal.reason instanceof Error && failure.signal.reason.name !== "AbortError")
    throw failure.signal.reason;
}

/** Runs the steps: list, watch, watch, ... Each ends with an event, and the state machine chooses the next step. */
async function follow(session: Session, opened: OpenedSession): Promise<void> {
  const { signal, onTurn, metrics, source } = session;
  let next: NextStep = { do: "list", afterMs: 0 };
  let isCleanlyClosed = false;
  /** False once the server no longer knows the changes after our version, until the next whole list. */
  let isHistoryKnown = true;
  let refusedWith: string | undefined;
  while (!signal.aborted) {
    await pauseBefore(session, next, refusedWith);
    if (signal.aborted) return;
    onTurn();
    const interrupt = opened.takeInterrupt();
    const identity = await checkClusterIdentity(session);
    if (identity === undefined && next.do === "list" && isHistoryKnown)
      isHistoryKnown = !isHistoryGone(await catchUp(session));
    if (signal.aborted) return;
    const event: SourceEvent =
      identity ??
      (next.do === "list" ? await listSource(session) : await followWatch(session, { interrupt, isCleanlyClosed }));
    if (signal.aborted) return;
    session.onStep?.();
    const final: SourceEvent = interrupt.event() ?? event;
    isCleanlyClosed = final.type === "watch-closed";
    if (next.do === "watch" && isHistoryGone(final)) isHistoryKnown = false;
    if (final.type === "listed" || final.type === "held") isHistoryKnown = true;
    if (final.type === "answered" && (final.status === 401 || final.status === 403)) {
      metrics.denied.inc(sourceLabels(source));
      refusedWith = final.sentWith;
    }
    if (final.type === "bad-object") metrics.badObjects.inc(sourceLabels(source));
    if (final.type === "other-cluster") metrics.identityMismatches.inc(sourceLabels(source));
    next = session.apply(final) ?? next;
  }
}

const credentialPollMs = 1000;

/**
 * Waits until the next step is due. A denied source stops waiting once its credentials differ from those that the
 * refused request carried. Reading them only now would miss a token that was replaced while the refusal was in transit.
 */
async function pauseBefore(session: Session, next: NextStep, refusedWith: string | undefined): Promise<void> {
  const { client, signal, onTurn, status, timing } = session;
  if (status.state !== "denied") return pause(next.afterMs, { signal, onTurn });
  const pollMs = Math.min(credentialPollMs, timing.deniedRetryMs);
  for (let left = next.afterMs; left > 0 && !signal.aborted; left -= pollMs) {
    await pause(Math.min(left, pollMs), { signal, onTurn });
    if ((await client.credentials().catch(() => refusedWith)) !== refusedWith) return;
  }
}

/**
 * Catches up on changes since the last watch, as far as the server still has them: above all, ends of runs. The list
 * that follows would not show objects that came and went before it.
 */
async function catchUp(session: Session): Promise<SourceEvent | undefined> {
  session.caughtUpTo = undefined;
  if (session.resourceVersion === undefined || session.status.isForeign === true) return undefined;
  const interrupt: Interrupt = { signal: session.signal, event: () => undefined };
  const event = await followWatch(session, { interrupt, isCleanlyClosed: false, quietMs: 300 });
  // Also if it was cut: a newer list would hide what came after the cut, and the watch that follows brings it. If it is
  // cut again at the same version, watches may not work at all, and the newest list is better than an old one.
  const isCutFirst = event.type === "unreachable" && session.cutAt !== session.resourceVersion;
  session.cutAt = event.type === "unreachable" ? session.resourceVersion : undefined;
  if (event.type === "watch-closed" || isCutFirst) session.caughtUpTo = session.resourceVersion;
  if (!session.signal.aborted) await awaitTurning(session.queue.drain(), session.onTurn);
  return event;
}

/** Keeps reading, for the other half of freshness: a read that etcd must answer. */
async function keepReading(session: Session, interrupt: (event: SourceEvent) => void): Promise<void> {
  const { client, source, signal, timing } = session;
  while (!signal.aborted) {
    await pause(timing.readEveryMs * (0.9 + Math.random() / 5), { signal });
    if (signal.aborted || !["live", "stale", "suspect"].includes(session.status.state)) continue;
    try {
      const reached = session.resourceVersion;
      const answer = await readOne({ client, source, signal });
      const { status, text, sentWith } = answer;
      session.noteClock(answer.date);
      const older = answer.resourceVersion === undefined ? undefined : judgeVersion(answer.resourceVersion, reached);
      if (older !== undefined) interrupt(older);
      else if (status === 200) session.noteReadContact();
      else if ([401, 403, 404].includes(status))
        interrupt({ type: "answered", what: `list ${source.resource}`, status, text, sentWith });
      else session.log.warn({ source: source.id, status }, "quorum read failed");
    } catch (error) {
      if (!signal.aborted) session.log.warn({ source: source.id, error: String(error) }, "quorum read failed");
    }
  }
}

function keepJudgingAge(session: Session): Promise<void> {
  const { signal } = session;
  return new Promise((resolve, reject) => {
    const timer = setInterval(() => {
      try {
        session.apply({ type: "silent" });
        session.hold.settleDeferred(session);
      } catch (error) {
        clearInterval(timer);
        reject(error);
      }
    }, 1000);
    const end = (): void => {
      clearInterval(timer);
      resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
