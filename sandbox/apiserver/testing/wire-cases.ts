import type { FaultRequest } from "#sandbox/apiserver/faults.ts";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";

/** The state that a recording needs before it is replayed, if its own response does not reveal it. */
export type WireCase = {
  /** The recordings whose objects are in the store; an empty list means no objects. */
  from?: readonly string[];
  /** Number of copies of the recorded item after it, for pages that end before the last one. */
  others?: number;
  /** 300 objects of which one is added and one deleted after the first page. */
  isBulk?: true;
  /** The write changes nothing, or is a dry run: the response shows the state before. */
  isUnchanged?: true;
  /** Derives the previous state from the one in the response. */
  before?: (after: KubeObject) => KubeObject;
  /** The history has dropped the recorded versions; by default, they are the current one. */
  version?: "forgotten";
  fault?: FaultRequest;
  /** The version in the body is the object's current one. */
  isCurrent?: true;
  /** Replaces the recorded timeout, which is real time. */
  timeout?: string;
};

const FIVE: WireCase = { from: ["list-rv-unset"] };
const HELD: WireCase = { fault: { fault: "stall", how: "requests" }, timeout: "50ms" };
/** Like HELD, for requests without a timeout: the fault's end replaces the server's own timeout. */
const CUT_SHORT: WireCase = { fault: { fault: "stall", how: "requests", seconds: 0.05 } };
/** Reads from memory and similar continue while nothing else is answered. */
const AS_USUAL: WireCase = { fault: { fault: "stall", how: "watches" } };
const TOO_MANY: WireCase = { fault: { fault: "429", resource: "rollouts" } };

export const WIRE_CASES: Record<string, WireCase> = {
  "allowed-list-namespaced": { others: 7 },
  "delete-missing": { from: [] },
  "delete-with-finalizer": {
    before: ({ metadata: { deletionTimestamp: _at, deletionGracePeriodSeconds: _seconds, ...metadata }, ...rest }) => ({
      ...rest,
      // A deletion that waits for finalizers increments the generation.
      metadata: { ...metadata, generation: (metadata.generation ?? 1) - 1 },
    }),
  },
  "etcd-back-get": CUT_SHORT,
  "etcd-back-list": { others: 2 },
  "etcd-gone-create": CUT_SHORT,
  "etcd-gone-get": CUT_SHORT,
  "etcd-gone-get-timeout5": HELD,
  "etcd-gone-list": CUT_SHORT,
  "etcd-gone-list-rv0": AS_USUAL,
  "etcd-gone-list-timeout5": HELD,
  "etcd-gone-patch": CUT_SHORT,
  "etcd-gone-patch-timeout5": HELD,
  "etcd-stall-get-rv0": AS_USUAL,
  "etcd-stall-list-rv0": AS_USUAL,
  "etcd-stall-list-timeout5": HELD,
  "etcd-stall-patch-timeout5": HELD,
  "get-after-finalizer": { from: [] },
  "get-partial-metadata": { from: ["get-rollout"] },
  "impersonate-group": { others: 2 },
  "impersonate-user": { from: ["patch-main-only-role-main"] },
  "json-patch-status-main-ignored": { isUnchanged: true },
  "json-patch-status-test-pause": { from: ["patch-status-paused-seed"] },
  "json-patch-status-test-step-fails": { from: ["patch-status-paused-seed"] },
  "json-patch-status-test-pause-fails": { from: ["json-patch-status-test-pause"] },
  "list-300-gzip": { isBulk: true },
  "list-300-page1": { isBulk: true },
  "list-300-page2-after-writes": { isBulk: true },
  "list-300-page3-after-writes": { isBulk: true },
  "list-300-plain": { isBulk: true },
  "list-all-namespaces-limit": { others: 15 },
  "list-continue-after-compaction-cache": { others: 1 },
  "list-continue-expired": { version: "forgotten" },
  "list-continue-inconsistent": { others: 1 },
  "list-events-continue-expired": { version: "forgotten" },
  "list-events-exact-compacted": { version: "forgotten" },
  "list-exact-compacted": { version: "forgotten" },
  "list-limit-label-selector": { others: 1 },
  "list-limit-page1": FIVE,
  "list-limit-page2": FIVE,
  "list-limit-page3": FIVE,
  "list-notolderthan-old": { version: "forgotten", others: 2 },
  "list-partial-metadata": FIVE,
  "list-pods-of-rollout": { others: 1 },
  "list-rv-exact": FIVE,
  "list-table": { from: ["list-limit-negative"] },
  "list-table-include-object-none": FIVE,
  "list-yaml": FIVE,
  "patch-dry-run": { isUnchanged: true },
  "patch-empty-object": { isUnchanged: true },
  "patch-finalizer-away": { from: ["patch-while-deleting"] },
  "patch-main-pause-conditions-null": { isUnchanged: true },
  "patch-main-rv-match": { isCurrent: true },
  "patch-main-with-status-ignored": { isUnchanged: true },
  "patch-merge-list-replaces": { isUnchanged: true },
  "patch-status-as-operator": { from: ["patch-main-only-role-main"] },
  "patch-status-metadata-ignored": { isUnchanged: true },
  "patch-status-pause-conditions-null-again": { isUnchanged: true },
  "put-ok": {
    isCurrent: true,
    // A patch of /scale preceded it.
    before: ({ metadata, spec, ...rest }) => ({
      ...rest,
      metadata: { ...metadata, generation: (metadata.generation ?? 1) - 1 },
      spec: { ...spec, replicas: 4 },
    }),
  },
  "put-stale": { from: ["put-ok"] },
  "too-many-requests-list": TOO_MANY,
  "too-many-requests-patch": TOO_MANY,
  "too-many-requests-watch": TOO_MANY,
};

/** The settings that a recorded watch needs in addition to its own events. */
export type WatchCase = {
  /** How many of its last events arrived after it was opened; the earlier ones show the initial state. */
  live?: number;
  version?: "forgotten";
  /** A patch that is sent while the watch is open, and that no event may show. */
  patch?: string;
};

export const WATCH_CASES: Record<string, WatchCase> = {
  "watch-after-compaction-in-cache": { live: 20 },
  "watch-bookmarks-timeout": { live: 1 },
  "watch-events-compacted": { version: "forgotten" },
  "watch-from-rv": { live: 4 },
  "watch-gone-error-event": { version: "forgotten" },
  "watch-gone-error-event-bookmarks": { version: "forgotten" },
  "watch-gone-error-event-table": { version: "forgotten" },
  "watch-label-selector-leaves": { live: 2 },
  "watch-noop-patch": { patch: "patch-empty-object" },
  "watch-one-object": { live: 1 },
  "watch-rights-revoked": { live: 1 },
  "watch-without-rv": { live: 1 },
};
