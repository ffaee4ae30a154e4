import type { RolloutProjection } from "#lib/domain/argo/history/rollout-projection.ts";
import { controllerManager } from "#lib/domain/argo/recognise-controller.ts";
import { parseAbortMessage } from "#lib/domain/argo/words.ts";
import type { ChangeAction, UnaskedChange } from "#lib/domain/oversight/provider-reports.ts";

export type ObservedPair = {
  previous: RolloutProjection;
  next: RolloutProjection;
  /** Writer of the observation `next` according to managedFields; null if they name none. */
  writer: string | null;
  /** The pod hashes that were wanted before, each with its revision. */
  former: ReadonlyMap<string, number | null>;
  /** Writer of the pod template that `next` wants, as far as known from observations (find-template-write.ts). */
  templateWriter: string | null;
};

/**
 * Finds changes between two consecutive observations that the controller did not make. The controller's own changes
 * look alike. Three things distinguish them: acts that are never the controller's (pausing the spec, requesting full
 * promotion, passing a pause without an end), the writer, and `abortedAt`, which it stamps when it aborts. A patch that
 * only removes a field leaves no trace in managedFields: then no client is named.
 */
export function findUnaskedChanges(pair: ObservedPair): UnaskedChange[] {
  const { previous, next } = pair;
  if (previous.uid !== next.uid || next.view.isDeleted === true) return [];
  return [
    findAbort(pair),
    findSpecPause(pair),
    findRestart(pair),
    findPromotion(pair),
    findGoingOn(pair),
    findUndo(pair),
  ].filter((change) => change !== undefined);
}

function findAbort({ previous, next, writer }: ObservedPair): UnaskedChange | undefined {
  if (!previous.abort && next.abort) return isAskedAbort(previous, next) ? by("abort", writer) : undefined;
  const isRetry =
    previous.abort && !next.abort && wantsSameVersion(previous, next) && !previous.promoteFull && !next.promoteFull;
  return isRetry && previous.stableRS !== next.currentPodHash ? by("retry", writer) : undefined;
}

/**
 * Returns whether the abort was requested. The flag without a new stamp is a request. If both appear at once, the
 * controller's message decides.
 */
function isAskedAbort(previous: RolloutProjection, next: RolloutProjection): boolean {
  const stamp = next.view.abortedAt ?? null;
  if (stamp === null || stamp === (previous.view.abortedAt ?? null)) return true;
  const abort = parseAbortMessage(next.view.message);
  return abort !== undefined && abort.cause === undefined;
}

function findSpecPause({ previous, next, writer }: ObservedPair): UnaskedChange | undefined {
  if (previous.paused === next.paused) return undefined;
  return by(next.paused ? "pause" : "unpause", writer);
}

function findRestart({ previous, next, writer }: ObservedPair): UnaskedChange | undefined {
  const [before, after] = [previous.view.restartAt, next.view.restartAt];
  // Absent in observations stored before it was recorded: then it is unknown.
  if (before === undefined || after === undefined || after === null || before === after) return undefined;
  return by("restart", writer);
}

function findPromotion({ previous, next, writer }: ObservedPair): UnaskedChange | undefined {
  return !previous.promoteFull && next.promoteFull ? by("promote-full", writer) : undefined;
}

/** Finds a pause or a step that was passed. */
function findGoingOn(pair: ObservedPair): UnaskedChange | undefined {
  const { previous, next, writer } = pair;
  if (!wantsSameVersion(previous, next) || next.abort || previous.abort || next.promoteFull || previous.promoteFull)
    return undefined;
  const [from, to] = [previous.currentStepIndex ?? 0, next.currentStepIndex ?? 0];
  // If another client's write passes several steps, the write itself shows how far it goes.
  if (to > from + 1 && isSomebodyElse(writer)) return findSkip({ pair, from, to });
  const waited = previous.pauseConditions.filter(({ reason, startTime }) =>
    next.pauseConditions.every((left) => left.reason !== reason || left.startTime !== startTime),
  );
  if (waited.length === 0) return findSkip({ pair, from, to });
  const isInconclusive = waited.some(({ reason }) => reason.startsWith("Inconclusive"));
  // When it promotes, the controller clears the rest: no one passed a pause that did not hold (one replica behind a
  // router).
  if (isInconclusive && !isStable(previous) && isStable(next)) return undefined;
  const isHeldByStep = previous.stepAnalysis?.phase === "Inconclusive";
  if (to > from) {
    if (isInconclusive && (isHeldByStep || previous.experiment !== null)) return by("accept-step", writer);
    // A pause with an end passes by itself.
    if (isInconclusive) return by("continue-waive", writer);
    return previous.view.stepWaitsForPerson ? by("continue", writer) : undefined;
  }
  // The controller's own end of a pause clears this flag too.
  if (!next.controllerPause && !isInconclusive) return undefined;
  if (!isInconclusive) return by("continue", writer);
  const isMeasured =
    isHeldByStep ||
    previous.experiment !== null ||
    previous.prePromotionAnalysis?.phase === "Inconclusive" ||
    previous.postPromotionAnalysis?.phase === "Inconclusive";
  return by(isMeasured ? "measure-again" : "continue-waive", writer);
}

/** Finds a skipped step. The controller completes steps all the time: only a known other writer skipped one. */
function findSkip({ pair, from, to }: { pair: ObservedPair; from: number; to: number }): UnaskedChange | undefined {
  const { next, writer } = pair;
  if (to <= from || !isSomebodyElse(writer)) return undefined;
  const last = Math.min(to, next.view.stepCount);
  const action = to >= next.view.stepCount && to > from + 1 ? "skip-all" : "skip-step";
  return { ...by(action, writer), skipped: { first: from + 1, last: Math.max(last, from + 1) } };
}

/**
 * Finds an undo by pod hash. Undo writes the template as the ReplicaSet has it, with every default filled in; a
 * manifest that is applied again may lack some defaults. The controller computes the same hash from all these
 * templates.
 */
function findUndo({ previous, next, former, templateWriter }: ObservedPair): UnaskedChange | undefined {
  const hash = next.currentPodHash;
  if (previous.currentPodHash === "" || hash === "" || hash === previous.currentPodHash) return undefined;
  const revision = former.get(hash);
  if (revision === undefined) return undefined;
  return { ...by("undo", templateWriter), backTo: { revision, images: next.view.images } };
}

function isSomebodyElse(writer: string | null): writer is string {
  return writer !== null && writer !== controllerManager;
}

function isStable({ stableRS, currentPodHash }: RolloutProjection): boolean {
  return stableRS !== "" && stableRS === currentPodHash;
}

/** Returns whether both want the same version by the same steps. If not, the compared fields may have been reset. */
function wantsSameVersion(previous: RolloutProjection, next: RolloutProjection): boolean {
  return (
    previous.template === next.template &&
    previous.strategy === next.strategy &&
    previous.workloadGeneration === next.workloadGeneration &&
    previous.currentPodHash === next.currentPodHash &&
    previous.currentStepHash === next.currentStepHash
  );
}

/**
 * Builds the change; never names the controller as its client. The controller's name appears on changes that it did not
 * make if its own write came before we looked. The same happens if a patch only removed a field: then the entry that
 * shrank is the controller's.
 */
function by(action: ChangeAction, writer: string | null): UnaskedChange {
  return { action, client: writer === controllerManager ? null : writer };
}
