import {
  attributeRevision,
  imagesOfHash,
  type KnownRevisions,
  nothingKnown,
  resolveRevision,
} from "./attribute-revision.ts";
import type { DeliveryState, Observation } from "./observation.ts";

/**
 * Incremented whenever the same observations yield other releases or another timeline than before. Each rollout stores
 * the version that derived its rows; the recorder's upkeep rederives those with a lower one.
 */
export const derivationVersion = 9;

export type ReleaseState = "progressing" | "paused" | "promoted" | "aborted" | "superseded" | "unknown";

/**
 * One passage of a revision through the strategy. A retry after an abort, a change of the steps half-way, or a later
 * return to the revision is a new attempt.
 */
export type Release = {
  /** Key of the revision; for Argo its pod hash. */
  runKey: string;
  attempt: number;
  revision: number | null;
  state: ReleaseState;
  message: string;
  images: string[];
  /** ISO 8601, as observed. */
  startedAt: string;
  endedAt: string | null;
};

/** All that the next observation's releases depend on, for a history of any length. */
export type ReleaseHistory = {
  /** The newest attempt of the wanted revision, if it is open or aborted. */
  current: Release | undefined;
  /** The newest state that names a revision; if none does, the newest of all. */
  previous: DeliveryState | undefined;
  /** Numbers of the newest attempts by run key: complete for the keys that `runKeysOf` names. */
  attempts: ReadonlyMap<string, number>;
};

export const noReleases: ReleaseHistory = { current: undefined, previous: undefined, attempts: new Map() };

/** Returns the run keys whose attempt numbers `foldRelease` may need. */
export function runKeysOf({ runKey, stableKey }: DeliveryState): string[] {
  return [...new Set([runKey, stableKey])].filter((key) => key !== "");
}

/** Returns whether the next observation may change a release in that state. */
export function isUnfinished({ state }: Pick<Release, "state">): boolean {
  return state === "progressing" || state === "paused" || state === "aborted";
}

/**
 * Adds one observation to the history. `changed` are the releases that it begins, changes or ends, in order; one may
 * occur twice. The case table is in derive-releases.test.ts. Revision and images of a release come from its ReplicaSet
 * if that is `known`, else from the observation that began it.
 */
export function foldRelease(
  history: ReleaseHistory,
  observation: Observation,
  known: KnownRevisions = nothingKnown,
): { history: ReleaseHistory; changed: Release[] } {
  const { observedAt } = observation;
  const state = attributeRevision(observation.state, known);
  const before = history.previous;
  const passage = createPassage(history, {
    state,
    wanted: observation.state,
    before,
    observedAt,
    known,
  });
  if (state.isDeleted) {
    if (passage.isOpen()) passage.close("unknown", deletedMessage);
    return passage.result(state);
  }
  // Until the controller has seen the object, and after its status was wiped, the revision is unknown.
  if (state.runKey === "") return passage.result(before === undefined || before.runKey === "" ? state : before);
  const unseenStable = before === undefined ? undefined : findUnseenStable(before, state);
  if (unseenStable !== undefined) {
    if (unseenStable === before?.runKey && passage.isOpen()) passage.close("promoted", unseen);
    else passage.addUnseen(unseenStable);
  }
  const isPassedBetween = unseenStable !== undefined && unseenStable !== before?.runKey;
  if (isPassedBetween && passage.isOpen()) passage.close("superseded", "superseded while not observed");
  if (before?.runKey !== state.runKey || isPassedBetween) startNext(passage, before, state);
  else goOn(passage, before, state);
  return passage.result(state);
}

/**
 * Ends an open release of a rollout that is gone without an observation of its deletion: after a burst that was held,
 * or unseen. `at` (ISO 8601): when it was marked gone.
 */
export function endGone(release: Release, { presence, at }: { presence: string; at: string }): Release {
  const message = presence === "deleted" ? deletedMessage : "the rollout disappeared while not observed";
  const endedAt = new Date(Math.max(Date.parse(at), Date.parse(release.startedAt))).toISOString();
  return { ...release, state: "unknown", message, endedAt };
}

const deletedMessage = "the rollout was deleted";
const unseen = "promoted while not observed";
/** Messages of releases that ended before Gatehouse saw them: of a version that ran already, and of the first one. */
export const alreadyRunning = "already running when first seen";
export const firstDeployment = "first deployment";

/** Finds a hash that became stable but is not wanted now: its promotion was missed. */
function findUnseenStable(before: DeliveryState, now: DeliveryState): string | undefined {
  const { stableKey } = now;
  return stableKey === "" || stableKey === before.stableKey || stableKey === now.runKey ? undefined : stableKey;
}

/** Handles another wanted revision than before. */
function startNext(passage: Passage, before: DeliveryState | undefined, now: DeliveryState): void {
  const isStable = now.runKey === now.stableKey;
  // The stable version never stopped running: wanting it again is not a passage through the strategy.
  const isReturn = isStable && before !== undefined && before.stableKey === now.stableKey;
  if (passage.isOpen())
    passage.close("superseded", isReturn ? "reverted to the stable version" : supersededBy(now.revision));
  if (isReturn) passage.leave();
  else if (!isStable) passage.open();
  else if (before === undefined) passage.open(alreadyRunning);
  else passage.open(before.runKey === "" ? firstDeployment : unseen);
}

function supersededBy(revision: number | null): string {
  return revision === null ? "superseded by another version" : `superseded by revision ${revision}`;
}

/** Handles the same wanted revision as before. */
function goOn(passage: Passage, before: DeliveryState, now: DeliveryState): void {
  if (passage.isAborted()) {
    if (!now.isAbortAsked) passage.open();
    else if (isAnotherAbort(before, now)) passage.open("aborted again after a retry that was not observed");
    return;
  }
  if (!passage.isOpen()) return;
  if (areStepsChanged(before, now)) {
    // The controller forgets its progress, and begins with the first step.
    passage.close("superseded", "restarted because the steps changed");
    passage.open();
  } else passage.advance();
}

/** Returns whether there was a retry between two states that are both aborted. */
export function isAnotherAbort(before: DeliveryState, now: DeliveryState): boolean {
  const [then, at] = [before.abortedAt, now.abortedAt];
  return then !== null && at !== null && then !== at;
}

/** Returns whether the steps of an unfinished passage were changed, which sends it back to its first step. */
export function areStepsChanged(before: DeliveryState, now: DeliveryState): boolean {
  return (
    before.runKey === now.runKey &&
    before.stepsKey !== "" &&
    now.stepsKey !== "" &&
    before.stepsKey !== now.stepsKey &&
    now.stableKey !== now.runKey
  );
}

type At = {
  /** With the revision and the images of its pod hash. */
  state: DeliveryState;
  /** The rollout's own facts about its newest revision. */
  wanted: DeliveryState;
  before: DeliveryState | undefined;
  observedAt: string;
  known: KnownRevisions;
};
type Passage = ReturnType<typeof createPassage>;

/** Tracks what one observation does to the current release and its siblings. */
function createPassage(history: ReleaseHistory, at: At) {
  const changed: Release[] = [];
  let { current, attempts } = history;

  function put(release: Release): void {
    changed.push(release);
    current = isUnfinished(release) ? release : undefined;
  }

  function countAttempt(runKey: string): number {
    const attempt = (attempts.get(runKey) ?? 0) + 1;
    attempts = new Map(attempts).set(runKey, attempt);
    return attempt;
  }

  return {
    isOpen: () => current !== undefined && current.state !== "aborted",
    isAborted: () => current?.state === "aborted",
    /** Begins an attempt of the wanted revision; a note replaces the status's message. */
    open(note?: string): void {
      const { runKey, revision, images } = at.state;
      // A wait for the start belongs to the release.
      const startedAt = at.state.waitedSince ?? at.observedAt;
      const begun = { runKey, attempt: countAttempt(runKey), revision, images, startedAt };
      put({ ...begun, ...stateOf(at), ...(note === undefined ? {} : { message: note }) });
    },
    /** Adds a passage of which only the end is known. */
    addUnseen(runKey: string): void {
      const times = { startedAt: at.observedAt, endedAt: at.observedAt };
      const attempt = countAttempt(runKey);
      const { revision, images } = current?.runKey === runKey ? factsOf(current, at) : unseenFacts(runKey, at);
      changed.push({ runKey, attempt, revision, images, state: "promoted", message: unseen, ...times });
    },
    advance(): void {
      if (current === undefined) return;
      const next = { ...current, ...factsOf(current, at), ...stateOf(at) };
      if (isSame(current, next)) return;
      put(next);
    },
    close(state: ReleaseState, message: string): void {
      if (current !== undefined) put({ ...current, ...factsOf(current, at), state, message, endedAt: at.observedAt });
    },
    leave(): void {
      current = undefined;
    },
    result: (previous: DeliveryState) => ({ history: { current, attempts, previous }, changed }),
  };
}

type Facts = Pick<Release, "revision" | "images">;

/**
 * Returns the facts of the release. The rollout's present state may belong to the next release already: only facts that
 * certainly belong to this one are used.
 */
function factsOf(release: Release, { wanted, known, state }: At): Facts {
  const own = imagesOfHash(release.runKey, known);
  const isCurrent = state.runKey === release.runKey;
  const isOwn = wanted.revision !== null && known.get(release.runKey)?.revisions.includes(wanted.revision) === true;
  const began = release.revision ?? (isCurrent ? wanted.revision : null);
  const revision = isCurrent && isOwn ? wanted.revision : resolveRevision(release.runKey, { revision: began, known });
  if (own.length > 0) return { revision, images: [...own] };
  const isKnown = release.images.length > 0 || !isCurrent || revision !== wanted.revision;
  return { revision, images: isKnown ? release.images : state.images };
}

/** Returns the facts of a revision that was never seen as wanted; its ReplicaSet may still have them. */
function unseenFacts(runKey: string, { wanted, known }: At): Facts {
  const before = (known.get(runKey)?.revisions ?? []).filter((each) => each <= (wanted.revision ?? 0));
  return { revision: before.at(-1) ?? null, images: [...imagesOfHash(runKey, known)] };
}

function stateOf({ state, before, observedAt }: At): Pick<Release, "state" | "message" | "endedAt"> {
  const { message } = state;
  // Checked first: the controller drops an abort of the stable revision. Not earlier than this: a switch of traffic is
  // not the promotion yet, since a following analysis may revert it.
  if (state.stableKey === state.runKey) {
    const isFull = before?.runKey === state.runKey && before.isFullPromotionAsked;
    return { state: "promoted", message: isFull ? "fully promoted" : "", endedAt: observedAt };
  }
  if (state.isAborted) return { state: "aborted", message, endedAt: observedAt };
  const isPaused = state.isPausedByPerson || state.waits.length > 0 || state.phase === "Paused";
  return { state: isPaused ? "paused" : "progressing", message, endedAt: null };
}

function isSame(one: Release, other: Release): boolean {
  return (
    one.state === other.state &&
    one.message === other.message &&
    one.revision === other.revision &&
    one.images.join("\n") === other.images.join("\n")
  );
}
