import { randomUUID } from "node:crypto";
import type { GonePresence } from "#lib/domain/kube/watched-kind.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { assertLease } from "#lib/server/recording/store/lease.ts";
import { sourceLabels } from "#lib/server/recording/store/recorder-metrics.ts";
import { finishReleases, listReleases, type StoredHold } from "#lib/server/recording/store/source-row.ts";
import { checkClusterIdentity } from "./check-cluster-identity.ts";
import { listPages } from "./list-pages.ts";
import { pause } from "./pause.ts";
import type { DisappearanceHold, Missing, Session } from "./session-types.ts";

/** How often a running hold checks whether a person released it. */
const releasePollMs = 500;

/** `presence`: as it will be stored. `confirmed`: reads that missed it too. `dueAt`: when the next read may count. */
type HeldObject = { presence: GonePresence; confirmed: number; dueAt: number };
type State = { id: string; reason: Column.HoldReason; held: Map<string, HeldObject> };

/**
 * Holds an implausible disappearance back until complete reads, spread in time, confirm it for each object, or a person
 * releases it. Objects that an earlier session held stay held; their reads are counted from zero.
 */
export function createDisappearanceHold(restored: StoredHold | undefined): DisappearanceHold {
  const state: State = {
    id: restored?.id ?? randomUUID(),
    reason: restored?.reason ?? "shrink",
    held: new Map(
      Object.entries(restored?.objects ?? {}).map(([uid, presence]) => [
        uid,
        { presence, confirmed: 0, dueAt: Number.POSITIVE_INFINITY },
      ]),
    ),
  };
  const { held } = state;
  const deferred: Missing = new Map();
  let running: Promise<void> | undefined;

  async function run(session: Session): Promise<void> {
    try {
      await confirm({ session, state });
    } finally {
      // In the same turn as the last check for held objects: anything added after that starts the next run.
      running = undefined;
    }
  }

  return {
    get size() {
      return held.size;
    },
    get reason() {
      return state.reason;
    },
    has: (uid) => held.has(uid),
    start(session, { reason, missing }) {
      if (held.size === 0) state.id = randomUUID();
      state.reason = reason;
      const dueAt = session.now() + (session.timing.confirmAfterMs[0] ?? 0);
      for (const [uid, presence] of missing) {
        const known = held.get(uid);
        const isSeenToGo = presence === "deleted" || known?.presence === "deleted";
        held.set(uid, {
          presence: isSeenToGo ? "deleted" : presence,
          confirmed: known?.confirmed ?? 0,
          dueAt: Math.min(known?.dueAt ?? dueAt, dueAt),
        });
      }
      persist(session, state);
      running ??= run(session);
      // Its failure ends the session; nothing may be believed or forgotten unnoticed.
      running.catch(session.fail);
    },
    keep(session, missing) {
      for (const uid of deferred.keys()) if (!missing.has(uid)) deferred.delete(uid);
      const back = [...held.keys()].filter((uid) => !missing.has(uid));
      drop({ session, state, uids: back });
    },
    clear(session, uid) {
      deferred.delete(uid);
      drop({ session, state, uids: [uid] });
    },
    defer(missing) {
      for (const [uid, presence] of missing) deferred.set(uid, presence);
    },
    settleDeferred(session) {
      if (deferred.size === 0 || session.status.state !== "live" || !session.mayMarkAbsent()) return;
      believe(session, [...deferred]);
      deferred.clear();
    },
    settled: async () => running?.catch(() => {}),
  };
}

async function confirm({ session, state }: { session: Session; state: State }): Promise<void> {
  const { held } = state;
  const gapMs = Math.min(session.timing.confirmAfterMs[0] ?? 0, 10_000) / 2;
  let notBefore = 0;
  while (!session.signal.aborted && held.size > 0) {
    await pause(Math.min(releasePollMs, gapMs), session);
    if (session.signal.aborted) return;
    await settleReleased({ session, state });
    const isDue = [...held.values()].some(({ dueAt }) => dueAt <= session.now());
    if (!isDue || session.now() < notBefore) continue;
    await compare({ session, state });
    notBefore = session.now() + gapMs;
  }
  if (!session.signal.aborted) session.apply({ type: "released" });
}

/** Compares one complete read: objects it shows are back; objects it misses for the last time are believed gone. */
async function compare({ session, state }: { session: Session; state: State }): Promise<void> {
  const { held } = state;
  const { confirmAfterMs } = session.timing;
  const at = session.now();
  const present = await readUids(session);
  if (present === undefined) return;
  // The identity check and the pages took time: counted from the start, the next read would come too early.
  const readAt = session.now();
  if (present.size > 0) state.reason = "shrink";
  drop({ session, state, uids: [...held.keys()].filter((uid) => present.has(uid)) });
  const believed: string[] = [];
  for (const [uid, object] of held) {
    if (object.dueAt > at) continue;
    const confirmed = object.confirmed + 1;
    if (confirmed >= confirmAfterMs.length) believed.push(uid);
    else held.set(uid, { ...object, confirmed, dueAt: readAt + (confirmAfterMs[confirmed] ?? 0) });
  }
  if (!session.mayMarkAbsent()) return;
  settle({ session, state, uids: believed });
}

/** Settles the objects that a person released: only those held at the time of the release, and in the same hold. */
async function settleReleased({ session, state }: { session: Session; state: State }): Promise<void> {
  const { pool, lease, source, log } = session;
  if (session.status.isForeign === true || !session.mayMarkAbsent()) return;
  const releases = await listReleases(pool, source.id).catch((error: unknown) => {
    log.warn({ source: source.id, error: String(error) }, "releases could not be looked up, trying again");
    return [];
  });
  if (releases.length === 0) return;
  const own = releases.filter(({ holdId }) => holdId === state.id);
  settle({ session, state, uids: own.flatMap(({ uids }) => uids) });
  await session.queue.drain();
  await inTransaction(pool, async (tx) => {
    await assertLease(tx, lease);
    await finishReleases(
      tx,
      releases.map(({ id }) => id),
    );
  });
}

function settle({ session, state, uids }: { session: Session; state: State; uids: readonly string[] }): void {
  const gone = uids.flatMap((uid) => {
    const object = state.held.get(uid);
    return object === undefined ? [] : [[uid, object.presence] as const];
  });
  if (gone.length === 0) return;
  believe(session, gone);
  drop({ session, state, uids });
}

function believe(session: Session, gone: readonly (readonly [uid: string, presence: GonePresence])[]): void {
  for (const [presence, entries] of Map.groupBy(gone, ([, each]) => each)) {
    session.queue.pushGone({ uids: entries.map(([uid]) => uid), presence, at: new Date() });
    session.metrics.markedAbsent.inc({ ...sourceLabels(session.source), presence }, entries.length);
  }
}

function drop({ session, state, uids }: { session: Session; state: State; uids: readonly string[] }): void {
  const dropped = uids.filter((uid) => state.held.delete(uid));
  if (dropped.length > 0) persist(session, state);
}

/** Stores the hold in the order of the writer's queue, so that objects stored as held match objects stored as gone. */
function persist(session: Session, { id, reason, held }: State): void {
  const objects = Object.fromEntries([...held].map(([uid, { presence }]) => [uid, presence]));
  session.noteLoaded();
  session.queue.mark({ hold: held.size === 0 ? null : { id, reason, objects } }, { isUrgent: true });
}

/**
 * Returns undefined if the read was incomplete, or not certainly of this cluster's current state: it proves nothing.
 */
async function readUids(session: Session): Promise<Set<string> | undefined> {
  const isWatching = (): boolean => session.status.state === "suspect";
  if (!isWatching() || (await checkClusterIdentity(session)) !== undefined) return undefined;
  const uids = new Set<string>();
  try {
    for await (const page of listPages(session)) for (const head of page.heads) uids.add(head.uid);
  } catch {
    return undefined;
  }
  return isWatching() ? uids : undefined;
}

type Disappearance = "plausible" | "empty" | "shrink";

/** A loss of more than this share is held first. A release of everything changes objects, it does not remove them. */
const abovePercent = 50;
/** Smaller losses are not held: half of a few objects go in ordinary work. */
const atLeast = 5;

/**
 * Judges whether objects missing from a complete list are really gone. An empty answer after a non-empty one, or more
 * than the limit at once, is held until further reads confirm it.
 */
export function judgeDisappearance({
  stored,
  missing,
  listed,
}: {
  stored: number;
  missing: number;
  /** Number of objects in the list. */
  listed: number;
}): Disappearance {
  if (missing === 0) return "plausible";
  if (listed === 0) return "empty";
  return isMass({ gone: missing, of: stored }) ? "shrink" : "plausible";
}

/** Judges deletions that a watch reports in the same way: `recent` within a minute, with `left` objects remaining. */
export function judgeDeletions({ recent, left }: { recent: number; left: number }): Disappearance {
  return isMass({ gone: recent, of: recent + left }) ? "shrink" : "plausible";
}

function isMass({ gone, of }: { gone: number; of: number }): boolean {
  return gone >= atLeast && gone * 100 > of * abovePercent;
}
