import type { RolloutFacts } from "./rollout-facts.ts";

/** A rollout that should be held: once for each version and step. */
export type WantedHold = {
  runKey: string;
  /** Completed steps; -1 for a strategy without steps. */
  step: number;
  /** The Inconclusive run. */
  run: string;
  title: string;
};

/** A later observation than this is not acted upon: it may come from a catch-up, and much may have happened since. */
const freshMs = 15_000;

/**
 * Returns the hold that the newest observation asks for: a run is Inconclusive, nobody has answered, and the controller
 * may pass the next gate in spite of it. A step's own result is held by the controller itself, if it says so.
 */
export function findHold({ observations, runs, now }: RolloutFacts): WantedHold | undefined {
  const last = observations.at(-1);
  if (last === undefined || Date.parse(now) - Date.parse(last.observedAt) > freshMs) return undefined;
  const { runKey, stableKey, step, stepCount, ...state } = last.state;
  const isUnderWay = runKey !== "" && runKey !== stableKey && !state.isDeleted;
  const isDecided = state.isAborted || state.isAbortAsked || state.isFullPromotionAsked || state.isPausedByPerson;
  if (!isUnderWay || isDecided) return undefined;
  const risky = state.runs.find(({ name, phase, isHeld }) => {
    if (phase !== "Inconclusive") return false;
    const isBackground = runs.find((run) => run.name === name)?.type === "Background";
    // Past the last step the controller holds a background result too.
    return isHeld !== true || (isBackground && (step ?? 0) < stepCount);
  });
  return risky && { runKey, step: step ?? -1, run: risky.name, title: risky.title };
}
