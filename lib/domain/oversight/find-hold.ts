import type { RunType } from "#lib/domain/delivery/measuring.ts";
import type { Observation } from "#lib/domain/delivery/observation.ts";

/** A rollout that should be held: once for each version and step. */
export type WantedHold = {
  runKey: string;
  /** Completed steps; -1 for a strategy without steps. */
  step: number;
  /** The Inconclusive run. */
  run: string;
  title: string;
};

/** An older observation is not acted upon: it may come from a catch-up, and much may have happened since. */
const freshMs = 15_000;

/** Returns whether a rollout's newest observation is fresh, and of a release under way that is neither decided nor paused. */
export function mayBeHeld({ observedAt, state }: Pick<Observation, "observedAt" | "state">, now: number): boolean {
  if (now - Date.parse(observedAt) > freshMs) return false;
  const isUnderWay = state.runKey !== "" && state.runKey !== state.stableKey && !state.isDeleted;
  const isDecided = state.isAborted || state.isAbortAsked || state.isFullPromotionAsked || state.isPausedByPerson;
  return isUnderWay && !isDecided;
}

/**
 * Returns the hold that a rollout's newest observation calls for: a run is Inconclusive, and the controller may still
 * pass the next gate. The controller itself holds a step's own result. `typeOf` returns the type of a run by name;
 * undefined if it is not recorded. `now` in milliseconds since 1970.
 */
export function findHold({
  last,
  typeOf,
  now,
}: {
  last: Pick<Observation, "observedAt" | "state">;
  typeOf: (run: string) => RunType | undefined;
  now: number;
}): WantedHold | undefined {
  if (!mayBeHeld(last, now)) return undefined;
  const { runKey, step, stepCount, ...state } = last.state;
  const risky = state.runs.find(({ name, phase, isHeld }) => {
    // Past the last step the controller holds it. Without its pause, either a person has just answered or the
    // controller is too old to pause: the status does not show which.
    return phase === "Inconclusive" && isHeld === true && typeOf(name) === "Background" && (step ?? 0) < stepCount;
  });
  return risky && { runKey, step: step ?? -1, run: risky.name, title: risky.title };
}
