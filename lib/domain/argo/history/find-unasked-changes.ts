import type { RolloutProjection } from "#lib/domain/argo/history/rollout-projection.ts";
import { controllerManager } from "#lib/domain/argo/known-managers.ts";
import { parseAbortMessage } from "#lib/domain/argo/view/parse-abort-message.ts";
import type { ChangeAction, UnaskedChange } from "#lib/domain/oversight/unasked-change.ts";

export type ObservedPair = {
  previous: RolloutProjection;
  next: RolloutProjection;
  /** Of the observation `next`, as managedFields told; null where they did not. */
  writer: string | null;
  /** The pod hashes that were wanted before, each with its revision. */
  former: ReadonlyMap<string, number | null>;
  /** Who wrote the pod template that `next` wants, as far as observations tell (find-template-write.ts). */
  templateWriter: string | null;
};

/**
 * What somebody other than the controller did between two observations that follow each other. The controller's own
 * doings look alike: they are told apart by what it never does (it neither pauses the spec nor asks for full promotion,
 * nor passes a pause without an end), by the writer, and by `abortedAt`, which it stamps when it aborts. Of a patch
 * that only removes a field managedFields keep no trace: then no client is named.
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
    previous.abort && !next.abort && isSameWish(previous, next) && !previous.promoteFull && !next.promoteFull;
  return isRetry && previous.stableRS !== next.currentPodHash ? by("retry", writer) : undefined;
}

/** The flag without a new stamp is a request. If both are seen at once, the controller's message tells. */
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
  // Absent in observations that were stored before it was recorded: then nothing is known.
  if (before === undefined || after === undefined || after === null || before === after) return undefined;
  return by("restart", writer);
}

function findPromotion({ previous, next, writer }: ObservedPair): UnaskedChange | undefined {
  return !previous.promoteFull && next.promoteFull ? by("promote-full", writer) : undefined;
}

/** A pause that was passed, or a step. */
function findGoingOn(pair: ObservedPair): UnaskedChange | undefined {
  const { previous, next, writer } = pair;
  if (!isSameWish(previous, next) || next.abort || previous.abort || next.promoteFull || previous.promoteFull)
    return undefined;
  const [from, to] = [previous.currentStepIndex ?? 0, next.currentStepIndex ?? 0];
  // A write of somebody else that passes several steps says itself how far it goes.
  if (to > from + 1 && isSomebodyElse(writer)) return findSkip({ pair, from, to });
  const waited = previous.pauseConditions.filter(({ reason, startTime }) =>
    next.pauseConditions.every((left) => left.reason !== reason || left.startTime !== startTime),
  );
  if (waited.length === 0) return findSkip({ pair, from, to });
  const isInconclusive = waited.some(({ reason }) => reason.startsWith("Inconclusive"));
  // Promoting, the controller clears what is left: a pause that did not hold (one replica behind a router) is no one's
  // doing.
  if (isInconclusive && !isStable(previous) && isStable(next)) return undefined;
  const isHeldByStep = previous.stepAnalysis?.phase === "Inconclusive";
  if (to > from) {
    if (isInconclusive && (isHeldByStep || previous.experiment !== null)) return by("accept-step", writer);
    // A pause with an end passes by itself.
    if (isInconclusive) return by("continue-waive", writer);
    return previous.view.stepWaitsForPerson ? by("continue", writer) : undefined;
  }
  // The controller's own way out of a pause clears this flag too.
  if (!next.controllerPause && !isInconclusive) return undefined;
  if (!isInconclusive) return by("continue", writer);
  const isMeasured =
    isHeldByStep ||
    previous.experiment !== null ||
    previous.prePromotionAnalysis?.phase === "Inconclusive" ||
    previous.postPromotionAnalysis?.phase === "Inconclusive";
  return by(isMeasured ? "measure-again" : "continue-waive", writer);
}

/** The controller completes steps all the time: only a known writer other than it skipped one. */
function findSkip({ pair, from, to }: { pair: ObservedPair; from: number; to: number }): UnaskedChange | undefined {
  const { next, writer } = pair;
  if (to <= from || !isSomebodyElse(writer)) return undefined;
  const last = Math.min(to, next.view.stepCount);
  const action = to >= next.view.stepCount && to > from + 1 ? "skip-all" : "skip-step";
  return { ...by(action, writer), skipped: { first: from + 1, last: Math.max(last, from + 1) } };
}

/**
 * By pod hash: undo writes the template as the ReplicaSet has it, with every default filled in, and a manifest that is
 * applied again may lack some. The controller computes the same hash from all of them.
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

/** Whether both want the same version by the same steps: any other change resets what is compared here. */
function isSameWish(previous: RolloutProjection, next: RolloutProjection): boolean {
  return (
    previous.template === next.template &&
    previous.strategy === next.strategy &&
    previous.workloadGeneration === next.workloadGeneration &&
    previous.currentPodHash === next.currentPodHash &&
    previous.currentStepHash === next.currentStepHash
  );
}

/**
 * The controller's name stands beside what it did not do where its own write came before we looked, and where a patch
 * only removed a field: then the entry that shrank is the controller's.
 */
function by(action: ChangeAction, writer: string | null): UnaskedChange {
  return { action, client: writer === controllerManager ? null : writer };
}
