import { computeBackoff } from "#lib/util/compute-backoff.ts";

export type SourceStatus = {
  state: Column.SourceState;
  lastError: string | null;
  /** Why actions are not allowed; undefined if the error does not affect them. */
  errorCode?: Column.SourceErrorCode;
  /** Consecutive failures, for the back-off. */
  failures: number;
  /** Another cluster answered last, or this one in an older state. The error remains until a list is accepted. */
  isForeign?: boolean;
  /** When a possibly transient trouble began, on the clock of `now`. */
  troubleSince?: number;
  /** When the last watch ended cleanly, on the same clock; undefined once there was contact since. */
  closedAt?: number;
  /** For a denied source whose list succeeded: its state once a watch is allowed too. */
  onceWatched?: { state: "live" | "suspect"; lastError: string | null };
};

export type SourceEvent =
  | { type: "opened" }
  /** A complete and plausible list is stored. */
  | { type: "listed" }
  /** A complete list or a burst of deletions is not believed yet. */
  | { type: "held"; reason: string }
  /** The hold is settled, either way. */
  | { type: "released" }
  /** Both the watch and a quorum read gave a recent sign of life. */
  | { type: "contact" }
  /** The watch or the quorum reads gave no sign of life for too long. */
  | { type: "silent" }
  | { type: "watch-opened" }
  | { type: "watch-closed"; livedMs: number }
  /**
   * An unexpected answer. `what` names the verb and the resource; `sentWith` identifies the credentials that the
   * request carried.
   */
  | { type: "answered"; status: number; text: string; what?: string; sentWith?: string | undefined }
  | { type: "unreachable"; message: string }
  | { type: "expired" }
  | { type: "bad-object"; message: string }
  | { type: "other-cluster"; message: string; code?: Column.SourceErrorCode };

/** Recognises 410, as an ERROR event inside the stream or as the answer to its opening. */
export function isHistoryGone(event: SourceEvent | undefined): boolean {
  return event?.type === "expired" || (event?.type === "answered" && event.status === 410);
}

export type NextStep = { do: "list" | "watch"; afterMs: number };
export type Transition = { status: SourceStatus; next: NextStep | undefined };

export type SourceTiming = {
  deniedRetryMs: number;
  /** How long after a refused watch the source is listed again: while it may not watch, it lives from its lists. */
  listOnlyMs: number;
  absentRetryMs: number;
  identityRetryMs: number;
  backoffMs: number;
  maxBackoffMs: number;
  /**
   * How long after contact ended, cleanly or not, the source is retried at the first pace. This applies to any status
   * that the server answers: one that has just started answers 429, 403 or 404 before it is ready.
   */
  troubleMs: number;
};

export const defaultTiming: SourceTiming = {
  deniedRetryMs: 60_000,
  listOnlyMs: 15_000,
  absentRetryMs: 300_000,
  identityRetryMs: 60_000,
  backoffMs: 250,
  maxBackoffMs: 10_000,
  troubleMs: 30_000,
};

export const initialStatus: SourceStatus = { state: "syncing", lastError: null, failures: 0 };

/**
 * Computes the next state of a source. `next` is undefined for events that do not end a step. `random` is between 0 and
 * 1 and spreads retries; `now` is monotonic milliseconds. A change of state never touches stored objects.
 */
export function reduceSource(
  status: SourceStatus,
  event: SourceEvent,
  { random, now, timing = defaultTiming }: { random: number; now: number; timing?: SourceTiming },
): Transition {
  const { backoffMs: firstMs, maxBackoffMs: longestMs } = timing;
  const backoff = (failures: number): number =>
    computeBackoff({ firstMs, longestMs, doublings: Math.max(0, failures - 1), random });
  switch (event.type) {
    case "opened":
      return { status: initialStatus, next: { do: "list", afterMs: 0 } };
    case "listed":
      return watchAs(status, { state: "live", lastError: null });
    case "held":
      return watchAs(status, { state: "suspect", lastError: event.reason });
    case "watch-opened":
      return stay(status.onceWatched === undefined ? status : { ...status.onceWatched, failures: 0 });
    case "released":
      if (status.onceWatched !== undefined) return stay({ ...status, onceWatched: { state: "live", lastError: null } });
      return stay(status.state === "suspect" ? { state: "live", lastError: null, failures: 0 } : status);
    case "contact":
      if (status.state !== "live" && status.state !== "stale") return stay(status);
      return stay({ state: "live", lastError: null, failures: 0 });
    case "silent":
      return stay(status.state === "live" ? { ...status, state: "stale" } : status);
    case "watch-closed": {
      // A watch that ends at once, again and again, must not become a busy loop.
      const failures = event.livedMs < 1000 ? status.failures + 1 : 0;
      const { troubleSince: _over, ...rest } = status;
      return {
        status: { ...(failures === 0 ? rest : status), failures, closedAt: now },
        next: { do: "watch", afterMs: failures === 0 ? 0 : backoff(failures) },
      };
    }
    case "expired": {
      const failures = status.failures + 1;
      const afterMs = failures === 1 ? 0 : backoff(failures);
      return { status: { ...status, state: "syncing", failures }, next: { do: "list", afterMs } };
    }
    case "bad-object": {
      const failures = status.failures + 1;
      const afterMs = Math.max(500, backoff(failures));
      return { status: { state: "syncing", lastError: event.message, failures }, next: { do: "list", afterMs } };
    }
    case "other-cluster":
      return {
        status: {
          state: "error",
          lastError: event.message,
          errorCode: event.code ?? "other-cluster",
          failures: status.failures + 1,
          isForeign: true,
        },
        next: { do: "list", afterMs: timing.identityRetryMs },
      };
    case "unreachable":
      return fail({ status, lastError: event.message, random, now, timing });
    case "answered":
      return reduceAnswer({ status, event, backoff, random, now, timing });
  }
}

/**
 * Returns the state after an opened watch. A list by itself does not lift a denial: a source that may list and not
 * watch would alternate between live and denied.
 */
function watchAs(status: SourceStatus, listed: NonNullable<SourceStatus["onceWatched"]>): Transition {
  const { state, lastError } = status;
  const next: NextStep = { do: "watch", afterMs: 0 };
  if (state !== "denied") return { status: { ...listed, failures: 0 }, next };
  return { status: { state, lastError, failures: 0, onceWatched: listed }, next };
}

type Circumstances = { random: number; now: number; timing: SourceTiming };

function reduceAnswer(
  options: Circumstances & {
    status: SourceStatus;
    event: Extract<SourceEvent, { type: "answered" }>;
    backoff: (failures: number) => number;
  },
): Transition {
  const { status, event, backoff, timing, now } = options;
  const what = event.what === undefined ? "" : ` (${event.what})`;
  const lastError = `the API server answered ${event.status}${what}: ${event.text}`;
  const failures = status.failures + 1;
  const isYoung = (since: number | undefined): boolean => since !== undefined && now - since < timing.troubleMs;
  // A server that shuts down ends its watches cleanly, and may refuse them when it is back.
  const isStarting = isYoung(status.troubleSince) || isYoung(status.closedAt);
  if (isStarting && [401, 403, 404].includes(event.status)) return fail({ ...options, lastError });
  if (event.status === 401 || event.status === 403)
    return deny({ status, timing, failures, lastError, watched: event.what?.match(/^watch (.+)$/)?.[1] });
  if (event.status === 404)
    return { status: { state: "absent", lastError, failures }, next: { do: "list", afterMs: timing.absentRetryMs } };
  if (event.status === 410)
    return { status: { state: "syncing", lastError, failures }, next: { do: "list", afterMs: backoff(failures) } };
  if (event.status === 429 || event.status >= 500) return fail({ ...options, lastError });
  return { status: { state: "error", lastError, failures }, next: { do: "list", afterMs: timing.maxBackoffMs } };
}

/** Computes a denial. `watched` is the resource whose watch was refused; undefined if it was another request. */
function deny(options: {
  status: SourceStatus;
  timing: SourceTiming;
  failures: number;
  lastError: string;
  watched: string | undefined;
}): Transition {
  const { status, timing, failures, lastError, watched } = options;
  if (watched === undefined)
    return { status: { state: "denied", lastError, failures }, next: { do: "list", afterMs: timing.deniedRetryMs } };
  const next: NextStep = { do: "list", afterMs: Math.min(timing.listOnlyMs, timing.deniedRetryMs) };
  const { onceWatched } = status;
  if (onceWatched === undefined) return { status: { state: "denied", lastError, failures }, next };
  const advice = `Gatehouse may list ${watched} but not watch them: give it the verb watch. Until then it lists them every ${Math.ceil(next.afterMs / 1000)} s, and what happens in between can be lost.`;
  return { status: { state: "denied", lastError: `${lastError}. ${advice}`, failures, onceWatched }, next };
}

/** Handles possibly transient failures: the state stays, age makes it stale, and the step is retried. */
function fail(options: Circumstances & { status: SourceStatus; lastError: string }): Transition {
  const { status, lastError, random, now, timing } = options;
  const troubleSince = status.troubleSince ?? now;
  const isSynced = status.state === "live" || status.state === "stale" || status.state === "suspect";
  return {
    status: {
      ...status,
      lastError: status.isForeign === true ? status.lastError : lastError,
      failures: status.failures + 1,
      troubleSince,
    },
    next: { do: isSynced ? "watch" : "list", afterMs: retryMs({ random, timing, troubledMs: now - troubleSince }) },
  };
}

/** Returns a steady wait while the trouble is young, then one that grows to a tenth of the trouble's age. */
function retryMs({ random, timing, troubledMs }: { random: number; timing: SourceTiming; troubledMs: number }): number {
  const pace = timing.backoffMs * (0.4 + 1.6 * random);
  if (troubledMs < timing.troubleMs) return pace;
  return Math.max(pace, Math.min(timing.maxBackoffMs, troubledMs / 10) * (0.5 + random / 2));
}

function stay(status: SourceStatus): Transition {
  return { status, next: undefined };
}
