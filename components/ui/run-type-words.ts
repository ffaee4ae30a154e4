import type { AnalysisRunSummary } from "#lib/contract/analysis-run.ts";

/** The purpose of a run, in a word or two. */
export const runTypeWords: Record<AnalysisRunSummary["type"], string> = {
  Step: "step",
  Background: "background",
  PrePromotion: "before promotion",
  PostPromotion: "after promotion",
  Experiment: "experiment",
  Manual: "other",
  Release: "release",
};

/** Names the place of a run within its release: "step 4", "background". */
export function nameRunPlace({ type, stepIndex }: Pick<AnalysisRunSummary, "type" | "stepIndex">): string {
  return type === "Step" && stepIndex !== null ? `step ${stepIndex + 1}` : runTypeWords[type];
}
