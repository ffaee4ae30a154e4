import { isOlderVersion } from "#lib/domain/kube/resource-version.ts";
import type { ObjectEntry } from "#lib/server/recording/store/batch-types.ts";
import type { RunState } from "./run-state.ts";

/** The writer's memory of the runs in the cluster. */
export type RunMemory = {
  /** Returns undefined for a run that must be read from the database, if it is stored at all. */
  find(uid: string): RunState | undefined;
  /** Returns whether this version of an ended run is known to bring nothing new, even if its state is not in memory. */
  isKnown(entry: ObjectEntry): boolean;
  keep(uid: string, state: RunState): void;
  forget(uid: string): void;
  clear(): void;
};

/**
 * Creates the memory. Most runs of a large cluster have ended and wait for their deletion. Except for the latest
 * `maxEnded`, only the version of an ended run is kept, which suffices to skip entries that a list repeats. If such a
 * run changes after all, its state is read again.
 */
export function createRunMemory({ maxEnded = 1000 }: { maxEnded?: number } = {}): RunMemory {
  const states = new Map<string, RunState>();
  /** Keys of `states` that have ended, oldest first. */
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
