import type { Attention } from "#lib/contract/rollout.ts";

/** The reasons why a rollout waits, as the inbox filter names them. */
export const attentionTitles: Readonly<Record<Attention["reason"], string>> = {
  inconclusive: "Inconclusive",
  gate: "Waiting at a gate",
  pause: "Paused, waiting for a person",
  blueGreenPromotion: "Waiting for promotion",
  degraded: "Degraded",
  finding: "Findings",
};
