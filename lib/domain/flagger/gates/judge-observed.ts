import { isKnownPhase } from "#lib/domain/flagger/objects/canary-phase.ts";
import type { HookAnswer, HookReason } from "./hook-answer.ts";
import type { HookType } from "./hook-types.ts";

/** Differences of the two clocks below this are not told. */
const skewToleranceMs = 60_000;

export type EventFacts = {
  phase: string;
  /** The same message was stored before. */
  isDuplicate: boolean;
  isKnownCanary: boolean;
  /** The controller's clock ahead of ours. */
  skewMs: number;
};

/** Answers an event that has been stored. */
export function judgeEvent({ phase, isDuplicate, isKnownCanary, skewMs }: EventFacts): HookAnswer {
  if (isDuplicate) return { httpStatus: 202, decision: "duplicate", reason: "same_name_message_timestamp" };
  return { httpStatus: 202, decision: "recorded", reason: explainEvent({ phase, isKnownCanary, skewMs }) };
}

/** Returns whether a message's own time cannot be compared with ours. */
function isSkewed(skewMs: number): boolean {
  return Math.abs(skewMs) > skewToleranceMs;
}

function explainEvent({ phase, isKnownCanary, skewMs }: Omit<EventFacts, "isDuplicate">): HookReason {
  if (!isKnownCanary) return "unknown_canary";
  if (!isKnownPhase(phase)) return "unknown_phase_kept_verbatim";
  if (isSkewed(skewMs)) return skewMs > 0 ? "source_clock_ahead" : "source_clock_behind";
  return "new";
}

/** Answers `pre-rollout`, `rollout` and `post-rollout`, whose 200 advances nothing that would not advance anyway. */
export function judgeObserved(type: HookType, phase: string): HookAnswer {
  return { httpStatus: 200, decision: "recorded", reason: explainObserved(type, phase) };
}

function explainObserved(type: HookType, phase: string): HookReason {
  if (type === "post-rollout" && phase === "Succeeded") return "run_closed_succeeded";
  if (type === "post-rollout" && phase === "Failed") return "run_closed_failed";
  return "observe_only";
}
