import type { ShownState } from "#components/ui/classify-state.ts";
import { type Standing, standingWords } from "#lib/domain/delivery/version-set.ts";
import { capital } from "#lib/util/words.ts";

const states: Record<Standing, ShownState["state"]> = {
  inconclusive: "inconclusive",
  waiting: "waiting",
  degraded: "failed",
  aborted: "failed",
  underway: "running",
  leaving: "unknown",
  notBegun: "unknown",
  unknown: "unknown",
  promoted: "successful",
};

/** Classifies how far a rollout has got with a version. */
export function classifyStanding(standing: Standing): ShownState {
  return { state: states[standing], word: capital(standingWords[standing]) };
}
