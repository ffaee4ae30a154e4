import { classifyMoment, classifyPhaseText } from "#components/ui/classify-state.ts";
import type { StateKey } from "#components/ui/state-tokens.ts";
import type { TimelineEvent } from "#lib/contract/rollout.ts";

/** The state that an event tells of; undefined for one that is a step on the way and no state. */
export function classifyEvent({
  kind,
  phase,
  text,
}: Pick<TimelineEvent, "kind" | "phase" | "text">): StateKey | undefined {
  switch (kind) {
    case "abort":
      return "failed";
    case "pause":
      if (text.endsWith(" is Inconclusive")) return "inconclusive";
      return /^(Waits|Paused by a person)/.test(text) ? "waiting" : "timed";
    case "run": {
      // The phase of the event is the rollout's; how the run ended is the last word of its text.
      const ended = / is (Successful|Failed|Error|Inconclusive)$/.exec(text)?.[1];
      return ended === undefined ? undefined : classifyPhaseText(ended).state;
    }
    case "phase":
      return phase === null
        ? undefined
        : classifyMoment({ phase, holds: [text.slice(text.lastIndexOf(": ") + 2)] }).state;
    default:
      return undefined;
  }
}
