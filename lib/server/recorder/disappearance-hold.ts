import { listPages } from "./list-pages.ts";
import { pause } from "./pause.ts";
import { sourceLabels } from "./recorder-metrics.ts";
import type { DisappearanceHold, Missing, Session } from "./session-types.ts";

/** Holds an implausible disappearance back until complete reads, spread in time, say the same. */
export function createDisappearanceHold(): DisappearanceHold {
  const held: Missing = new Map();
  let running: Promise<void> | undefined;
  return {
    start(session, missing) {
      for (const [uid, presence] of missing) held.set(uid, held.get(uid) === "deleted" ? "deleted" : presence);
      running ??= confirm({ session, held }).finally(() => {
        running = undefined;
      });
    },
    keep(missing) {
      for (const uid of held.keys()) if (!missing.has(uid)) held.delete(uid);
    },
    clear: (uid) => held.delete(uid),
    settled: async () => running,
  };
}

async function confirm({ session, held }: { session: Session; held: Missing }): Promise<void> {
  for (const afterMs of session.timing.confirmAfterMs) {
    await pause(afterMs, session);
    while (!session.signal.aborted && held.size > 0) {
      const present = await readUids(session);
      if (present !== undefined) {
        for (const uid of present) held.delete(uid);
        break;
      }
      await pause(Math.min(afterMs, 10_000), session);
    }
  }
  if (session.signal.aborted) return;
  if (held.size > 0) {
    const byPresence = Map.groupBy(held, ([, presence]) => presence);
    for (const [presence, entries] of byPresence) {
      session.queue.pushGone({ uids: entries.map(([uid]) => uid), presence, at: new Date() });
      session.metrics.markedAbsent.inc({ ...sourceLabels(session.source), presence }, entries.length);
    }
    held.clear();
  }
  session.apply({ type: "released" });
}

/** Undefined where the read was not complete: nothing follows from it. */
async function readUids(session: Session): Promise<Set<string> | undefined> {
  const uids = new Set<string>();
  try {
    for await (const page of listPages(session)) for (const head of page.heads) uids.add(head.uid);
    return uids;
  } catch {
    return undefined;
  }
}
