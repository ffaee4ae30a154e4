import { classifyMoment, classifyPhaseText } from "#components/ui/classify-state.ts";
import type { StateKey } from "#components/ui/state-tokens.ts";
import type { TimelineEvent } from "#lib/contract/timeline.ts";

/** Returns the state that an event reports; undefined for an intermediate step that is not a state. */
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
      // The event's phase is the rollout's; the last word of its text says how the run ended.
      const ended = / is (Successful|Failed|Error|Inconclusive)$/.exec(text)?.[1];
      return ended === undefined ? undefined : classifyPhaseText(ended).state;
    }
    case "phase":
      // Its pods may still be changing; the release is decided.
      if (text.startsWith("Promoted")) return "successful";
      return phase === null
        ? undefined
        : classifyMoment({ phase, holds: [text.slice(text.lastIndexOf(": ") + 2)] }).state;
    default:
      return undefined;
  }
}
