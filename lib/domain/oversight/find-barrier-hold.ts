import { type Barrier, findBarrierBlock } from "#lib/domain/acting/barrier.ts";
import type { DeliveryState, Observation } from "#lib/domain/delivery/observation.ts";
import { mayBeHeld } from "#lib/domain/oversight/find-hold.ts";
import type { BarrierBlock } from "#lib/domain/policy/decide.ts";

/** A timed pause that is to be stopped: once for each version and step. */
export type WantedBarrierHold = {
  runKey: string;
  /** Completed steps; -1 for a strategy without steps. */
  step: number;
} & BarrierBlock;

/** Finds what the controller, by itself, would pass the pause ahead of. Members are counted, since anybody may read it. */
function findTimedBlock(barrier: Barrier): BarrierBlock | undefined {
  return findBarrierBlock({ passes: "timed", passesPauses: [], barrier, mayName: () => false });
}

/**
 * Returns the hold that a rollout's newest observation calls for: the controller would pass a timed pause by itself, and
 * other members of a set have not reached theirs. `now` in milliseconds since 1970.
 */
export function findBarrierHold({
  last,
  barrier,
  now,
}: {
  last: Pick<Observation, "observedAt" | "state">;
  barrier: Barrier;
  now: number;
}): WantedBarrierHold | undefined {
  if (!barrier.own.isKnown || !mayBeHeld(last, now)) return undefined;
  const { runKey, step } = last.state;
  const block = findTimedBlock(barrier);
  return block && { runKey, step: step ?? -1, ...block };
}

type Held = Pick<WantedBarrierHold, "runKey" | "step">;

/**
 * Judges whether to lift a hold. `later` are the states since it was placed, oldest first. It is `over` once anything
 * but the rollout's pods and analyses has changed, such as a person who unpaused it: then it is not ours any more.
 * `barrier` is undefined if the rollout is in no such set any more.
 */
export function judgeLift({
  hold,
  later,
  barrier,
}: {
  hold: Held;
  later: readonly DeliveryState[];
  barrier: Barrier | undefined;
}): "lift" | "wait" | "over" {
  const from = later.findIndex(({ isPausedByPerson }) => isPausedByPerson);
  const [first, ...next] = from < 0 ? [] : later.slice(from);
  if (first === undefined) return "wait";
  const last = next.at(-1) ?? first;
  if (!isOf(first, hold) || next.some((state) => !isSame(first, state))) return "over";
  // A person has to decide on the result first.
  if (last.runs.some(({ phase }) => phase === "Inconclusive")) return "wait";
  if (barrier === undefined) return "lift";
  return barrier.own.isKnown && findTimedBlock(barrier) === undefined ? "lift" : "wait";
}

function isOf(state: DeliveryState, { runKey, step }: Held): boolean {
  const isDecided = state.isAborted || state.isAbortAsked || state.isFullPromotionAsked || state.isDeleted;
  return state.runKey === runKey && (state.step ?? -1) === step && !isDecided;
}

function isSame(first: DeliveryState, state: DeliveryState): boolean {
  const waitsOf = ({ waits }: DeliveryState) => waits.map(({ key }) => key).join(" ");
  return (
    state.isPausedByPerson &&
    isOf(state, { runKey: first.runKey, step: first.step ?? -1 }) &&
    state.stepsKey === first.stepsKey &&
    waitsOf(state) === waitsOf(first)
  );
}
