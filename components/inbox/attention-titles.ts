import type { Attention } from "#lib/contract/rollout.ts";

/** What a rollout waits for, as the filter of the inbox names it. */
export const attentionTitles: Readonly<Record<Attention["reason"], string>> = {
  inconclusive: "Inconclusive",
  gate: "Waiting at a gate",
  pause: "Paused, waiting for a person",
  blueGreenPromotion: "Waiting for promotion",
  degraded: "Degraded",
  finding: "Findings",
};
