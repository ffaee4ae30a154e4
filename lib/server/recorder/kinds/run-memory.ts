import { isOlderVersion } from "#lib/domain/kube/resource-version.ts";
import type { ObjectEntry } from "#lib/server/recorder/store/batch-types.ts";
import type { RunState } from "./run-state.ts";

/** What the writer remembers of the runs that the cluster has. */
export type RunMemory = {
  /** Undefined for a run that has to be read from the database, if it is there at all. */
  find(uid: string): RunState | undefined;
  /** Whether it is known, without its state, that this sight of an ended run is no news. */
  isKnown(entry: ObjectEntry): boolean;
  keep(uid: string, state: RunState): void;
  forget(uid: string): void;
  clear(): void;
};

/**
 * Most runs of a large cluster have ended and wait for their deletion. Of all but the last that ended only the version
 * is kept, enough to pass over what a list repeats; when one changes after all, its state is read again.
 */
export function createRunMemory({ maxEnded = 1000 }: { maxEnded?: number } = {}): RunMemory {
  const states = new Map<string, RunState>();
  /** Those of `states` that have ended, the oldest first. */
  const ended = new Set<string>();
  const versions = new Map<string, string>();

  function forget(uid: string): void {
    states.delete(uid);
    ended.delete(uid);
    versions.delete(uid);
  }

  return {
    find: (uid) => states.get(uid),
    isKnown({ uid, op, resourceVersion }) {
      const version = versions.get(uid);
      if (version === undefined) return false;
      return (op === "upsert" && resourceVersion === version) || isOlderVersion(resourceVersion, version);
    },
    keep(uid, state) {
      forget(uid);
      if (state.presence !== "live") return;
      states.set(uid, state);
      if (!state.isCompleted) return;
      ended.add(uid);
      const [oldest] = ended;
      if (ended.size <= maxEnded || oldest === undefined) return;
      versions.set(oldest, states.get(oldest)?.resourceVersion ?? "");
      states.delete(oldest);
      ended.delete(oldest);
    },
    forget,
    clear() {
      states.clear();
      ended.clear();
      versions.clear();
    },
  };
}
