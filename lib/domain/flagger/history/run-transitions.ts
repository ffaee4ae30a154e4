/** What the status of a Canary says at one moment. */
export type CanaryStatus = {
  kind: "status";
  /** ISO 8601, as observed. */
  at: string;
  phase: string;
  lastAppliedSpec: string;
  /** Hashes of the ConfigMaps and Secrets in use; undefined if the status has none. */
  trackedConfigs?: Readonly<Record<string, string>> | undefined;
  canaryWeight: number;
  failedChecks: number;
  lastPromotedSpec?: string | undefined;
};

/** `gap`: changes may have been missed before the next one. An empty list is not a deletion. */
export type CanaryObservation = CanaryStatus | { kind: "gap" | "deleted" | "empty-list"; at: string };

export type RunResult =
  | "running"
  | "succeeded"
  /** Another revision took its place during the analysis. */
  | "superseded"
  /** After a gap, a promotion may have begun before. */
  | "failed-rolled-back"
  /** All traffic stays at the canary (Flagger 1.44.0 and later). */
  | "promotion-failed-canary-serving"
  /** All traffic went to the primary, which was not ready: an outage. */
  | "promotion-failed-rolled-back"
  | "canary-deleted"
  /** It ended while nobody watched. */
  | "unknown";

export type CanaryRun = {
  /** `lastAppliedSpec`; undefined while it waits for its start, or if it was never seen. */
  revision: string | undefined;
  /** Differs between revisions and between their ConfigMaps and Secrets; undefined as long as `revision` is. */
  runKey: string | undefined;
  /** A wait for its start belongs to it. */
  from: string;
  to: string | undefined;
  result: RunResult;
  severity: "critical" | undefined;
  /** Undefined if it did not wait. */
  waitedForStartSeconds: number | undefined;
  /** Percent; the highest weight of its analysis. */
  peakWeight: number;
  /** Flagger sets its counter to 0 as it writes Failed. */
  peakFailedChecks: number;
  isStartSeen: boolean;
  /** Parts of it were not observed. */
  isIncomplete: boolean;
};

/** All that the next observation's runs depend on. */
export type RunHistory = {
  current: CanaryRun | undefined;
  previous: CanaryStatus | undefined;
  /** Whether changes may have been missed since `previous`. */
  isBlind: boolean;
  /** A revision that Flagger noted while Failed without starting it. */
  unpicked: { revision: string; since: string } | undefined;
  /**
   * Since when a canary that served after a failed promotion no longer does: a newer revision while the primary was
   * still not ready made Flagger roll back to it (scheduler.go advanceCanary). No run tells of this outage.
   */
  outageSince: string | undefined;
  /** How many observations repeated the one before. */
  ignored: number;
};

export const noRuns: RunHistory = {
  current: undefined,
  previous: undefined,
  isBlind: false,
  unpicked: undefined,
  outageSince: undefined,
  ignored: 0,
};

const analysing: readonly string[] = ["Progressing", "WaitingPromotion"];
const promoting: readonly string[] = ["Promoting", "Finalising"];
const ends: readonly string[] = ["Succeeded", "Failed"];
const beginnings: readonly string[] = ["", "Initializing", "Initialized"];
const removals: readonly string[] = ["Terminating", "Terminated"];

/** Derives all runs of one Canary object, oldest first, from its observations in order. */
export function deriveRuns(observations: readonly CanaryObservation[]): { runs: CanaryRun[]; history: RunHistory } {
  const closed: CanaryRun[] = [];
  let history = noRuns;
  for (const observation of observations) {
    const folded = foldRun(history, observation);
    closed.push(...folded.closed);
    history = folded.history;
  }
  return { runs: history.current === undefined ? closed : [...closed, history.current], history };
}

/**
 * Adds one observation. Flagger keeps no object of a run: one begins when the phase becomes Progressing, begins again
 * when the spec or a tracked config changes during the analysis, and ends with Succeeded or Failed (fluxcd/flagger
 * pkg/controller/scheduler.go checkCanaryStatus, hasCanaryRevisionChanged, rollback, handleFailedPromotion). A phase
 * that this version does not know changes nothing.
 */
export function foldRun(
  history: RunHistory,
  observation: CanaryObservation,
): { history: RunHistory; closed: CanaryRun[] } {
  const { current } = history;
  switch (observation.kind) {
    case "empty-list":
      return { history, closed: [] };
    case "gap":
      return {
        history: { ...history, isBlind: true, current: current && { ...current, isIncomplete: true } },
        closed: [],
      };
    case "deleted":
      return {
        history: noRuns,
        closed: current === undefined ? [] : [close(current, "canary-deleted", observation.at)],
      };
    default:
  }
  if (history.previous !== undefined && isSame(history.previous, observation))
    return { history: { ...history, isBlind: false, ignored: history.ignored + 1 }, closed: [] };
  const closed = closeRuns(history, observation);
  const isOver = current === undefined || closed.length > 0;
  return {
    history: {
      ...history,
      current: isOver ? openRun(history, observation) : goOn(current, observation),
      previous: observation,
      isBlind: false,
      unpicked: findUnpicked(history, observation),
      outageSince: findOutage(history, observation),
    },
    closed,
  };
}

/**
 * Returns the revision that Flagger noted but will not analyse: in Failed it first writes the new hash, and then
 * compares with the old one. If that tick ends early, no later one sees a change (scheduler.go shouldAdvance). Undefined
 * until two intervals have passed without a start.
 */
export function findSwallowedRevision(
  { unpicked }: Pick<RunHistory, "unpicked">,
  { now, intervalSeconds }: { now: string; intervalSeconds: number },
): string | undefined {
  const isOverdue = unpicked !== undefined && secondsBetween(unpicked.since, now) >= 2 * intervalSeconds;
  return isOverdue ? unpicked.revision : undefined;
}

/** Returns the runs that end with this status: the current one, or one that nobody watched. */
function closeRuns({ current, previous, isBlind }: RunHistory, now: CanaryStatus): CanaryRun[] {
  if (current === undefined) return findUnseenRun(previous, now);
  const isOther = current.runKey !== undefined && current.runKey !== runKeyOf(now, previous);
  const closeAs = (result: RunResult) => [close(named(current, now), result, now.at)];
  if (removals.includes(now.phase)) return closeAs("canary-deleted");
  if (beginnings.includes(now.phase) || (now.phase === "Waiting" && current.revision !== undefined))
    return [close(current, unseenEnd(current, now), now.at)];
  // Rollback notes the target as it is now, which may be newer than the run.
  if (now.phase === "Failed" && !(isOther && isBlind)) return closeAs(failureOf(now, previous));
  if (!isOther) return now.phase === "Succeeded" ? closeAs("succeeded") : [];
  if (now.phase === "Succeeded") return [close(current, "unknown", now.at), ...findUnseenRun(previous, now)];
  if (![...analysing, ...promoting, "Failed"].includes(now.phase)) return [];
  const isRestart = !isBlind && now.phase === "Progressing" && !promoting.includes(previous?.phase ?? "");
  return [close(current, isRestart ? "superseded" : unseenEnd(current, now), now.at)];
}

function failureOf({ canaryWeight }: CanaryStatus, previous: CanaryStatus | undefined): RunResult {
  if (canaryWeight === 100) return "promotion-failed-canary-serving";
  return promoting.includes(previous?.phase ?? "") ? "promotion-failed-rolled-back" : "failed-rolled-back";
}

/** A later status tells of a run whose end was missed only if it was promoted. */
function unseenEnd({ revision }: CanaryRun, { lastPromotedSpec }: CanaryStatus): RunResult {
  return revision !== undefined && revision === lastPromotedSpec ? "succeeded" : "unknown";
}

/** Finds a run of which only the end is known, from two statuses without a run in between. */
function findUnseenRun(before: CanaryStatus | undefined, now: CanaryStatus): CanaryRun[] {
  if (before === undefined) return [];
  const unseen = { ...startOf(now), isStartSeen: false, isIncomplete: true };
  if (now.phase === "Succeeded") {
    const promotedBefore =
      before.lastPromotedSpec ?? (before.phase === "Succeeded" ? before.lastAppliedSpec : undefined);
    const isPromoted = promotedBefore !== undefined && promotedBefore !== (now.lastPromotedSpec ?? now.lastAppliedSpec);
    return isPromoted ? [close(named(unseen, now), "succeeded", now.at)] : [];
  }
  // The hash of a Failed status may be newer than the run: its revision is unknown.
  if (now.phase === "Failed" && ["Succeeded", "Initialized"].includes(before.phase))
    return [close(unseen, failureOf(now, before), now.at)];
  return [];
}

/** Opens a run if a status without an open run is one of a run. */
function openRun({ current, previous, isBlind }: RunHistory, now: CanaryStatus): CanaryRun | undefined {
  const begun = { ...startOf(now), isIncomplete: isBlind };
  if (now.phase === "Waiting") return { ...begun, isStartSeen: previous !== undefined && !isBlind };
  if (![...analysing, ...promoting].includes(now.phase)) return undefined;
  const isFromRest = previous !== undefined && (ends.includes(previous.phase) || beginnings.includes(previous.phase));
  const isRestart = current !== undefined && analysing.includes(previous?.phase ?? "");
  const isStartSeen = now.phase === "Progressing" && !isBlind && (isFromRest || isRestart);
  return withPeaks(named({ ...begun, isStartSeen }, now), now);
}

function goOn(run: CanaryRun, now: CanaryStatus): CanaryRun {
  if (run.runKey !== undefined || now.phase === "Waiting") return withPeaks(run, now);
  if (!analysing.includes(now.phase) && !promoting.includes(now.phase)) return run;
  return withPeaks({ ...named(run, now), waitedForStartSeconds: secondsBetween(run.from, now.at) }, now);
}

function startOf({ at }: CanaryStatus): CanaryRun {
  return {
    revision: undefined,
    runKey: undefined,
    from: at,
    to: undefined,
    result: "running",
    severity: undefined,
    waitedForStartSeconds: undefined,
    peakWeight: 0,
    peakFailedChecks: 0,
    isStartSeen: true,
    isIncomplete: false,
  };
}

/** Gives a run the revision of a status, if it has none. */
function named(run: CanaryRun, now: CanaryStatus): CanaryRun {
  if (run.runKey !== undefined || now.phase === "Failed") return run;
  return { ...run, revision: now.lastAppliedSpec, runKey: runKeyOf(now, undefined) };
}

function withPeaks(run: CanaryRun, { phase, canaryWeight, failedChecks }: CanaryStatus): CanaryRun {
  if (!analysing.includes(phase) && phase !== "Promoting") return run;
  return {
    ...run,
    peakWeight: Math.max(run.peakWeight, canaryWeight),
    peakFailedChecks: Math.max(run.peakFailedChecks, failedChecks),
  };
}

function close(run: CanaryRun, result: RunResult, to: string): CanaryRun {
  return { ...run, to, result, severity: result === "promotion-failed-rolled-back" ? "critical" : undefined };
}

function findUnpicked({ previous, current, unpicked }: RunHistory, now: CanaryStatus): RunHistory["unpicked"] {
  if (now.phase !== "Failed") return undefined;
  if (now.lastAppliedSpec === now.lastPromotedSpec) return undefined;
  const noted = previous?.phase === "Failed" ? previous.lastAppliedSpec : current?.revision;
  if (noted === undefined || noted === now.lastAppliedSpec) return unpicked;
  return { revision: now.lastAppliedSpec, since: now.at };
}

function findOutage({ previous, outageSince }: RunHistory, now: CanaryStatus): string | undefined {
  if (now.phase !== "Failed" || now.canaryWeight !== 0) return undefined;
  return previous?.phase === "Failed" && previous.canaryWeight === 100 ? now.at : outageSince;
}

/** Writes the revision and its tracked configs as one key. A status without configs is taken to have the former ones. */
function runKeyOf({ lastAppliedSpec, trackedConfigs }: CanaryStatus, previous: CanaryStatus | undefined): string {
  const configs = Object.entries(trackedConfigs ?? previous?.trackedConfigs ?? {}).toSorted();
  return configs.length === 0 ? lastAppliedSpec : `${lastAppliedSpec} ${JSON.stringify(configs)}`;
}

/** Compares all but the time: in Failed Flagger writes the same status every interval. */
function isSame(one: CanaryStatus, other: CanaryStatus): boolean {
  return (
    one.phase === other.phase &&
    one.canaryWeight === other.canaryWeight &&
    one.failedChecks === other.failedChecks &&
    one.lastPromotedSpec === other.lastPromotedSpec &&
    runKeyOf(one, undefined) === runKeyOf(other, one)
  );
}

function secondsBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 1000;
}
