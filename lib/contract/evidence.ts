import { z } from "zod";
import { AnalysisPhase } from "#lib/contract/common.ts";

/** What one metric says, as a row with a spark line: its newest finished measurements, oldest first. */
export const MetricEvidence = z.object({
  runUid: z.string(),
  metric: z.string(),
  phase: AnalysisPhase,
  values: z.array(z.number().nullable()),
  last: z.string().nullable().describe("The newest value as recorded."),
  condition: z.string().nullable(),
  summary: z.string().describe("Such as `3 of 5 measurements inconclusive, limit 2`."),
});
export type MetricEvidence = z.infer<typeof MetricEvidence>;
