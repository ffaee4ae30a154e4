import type { ShownState } from "#components/ui/classify-state.ts";
import type { Standing } from "#lib/domain/delivery/version-set.ts";

const shown: Record<Standing, ShownState> = {
  inconclusive: { state: "inconclusive", word: "Inconclusive" },
  waiting: { state: "waiting", word: "Waiting for a person" },
  degraded: { state: "failed", word: "Degraded" },
  aborted: { state: "failed", word: "Aborted" },
  underway: { state: "running", word: "In progress" },
  leaving: { state: "unknown", word: "Being replaced" },
  notBegun: { state: "unknown", word: "Not begun" },
  unknown: { state: "unknown", word: "Unknown" },
  promoted: { state: "successful", word: "Promoted" },
};

/** Classifies how far a rollout has got with a version. */
export function classifyStanding(standing: Standing): ShownState {
  return shown[standing];
}
