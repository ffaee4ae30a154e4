import { z } from "zod";
import { AnalysisPhase, Timestamp } from "#lib/contract/common.ts";

/** One metric as a row with a sparkline: its newest finished measurements, oldest first. */
export const MetricEvidence = z.object({
  runUid: z.string(),
  metric: z.string(),
  phase: AnalysisPhase,
  values: z.array(z.number().nullable()),
  last: z.string().nullable().describe("The newest value as recorded."),
  unit: z.string().nullable().describe("Of the values and thresholds, as of the run's metric."),
  lastPhase: AnalysisPhase.nullable().describe(
    "The phase of the newest finished measurement; null without one, or if it was not recorded.",
  ),
  metadata: z
    .record(z.string(), z.string())
    .optional()
    .describe("Notes of the source about the newest value, each text cut; absent without any."),
  condition: z.string().nullable(),
  pass: z
    .string()
    .nullable()
    .describe("When a value passes: `≥ 400`, or `≥ 95 %` of a ratio, else the condition; null if none is set."),
  fail: z.string().nullable().describe("When a value fails, likewise."),
  thresholds: z
    .array(
      z.object({
        condition: z.enum(["success", "failure"]),
        value: z.number(),
        inclusive: z.boolean(),
        region: z.enum(["above", "below", "at", "other"]).describe("On which side of the line the condition is true."),
      }),
    )
    .describe("The threshold lines of the pass and fail conditions."),
  limit: z
    .object({ what: z.enum(["inconclusive", "failed", "errors in a row"]), used: z.number(), limit: z.string() })
    .nullable()
    .describe("The limit that decided the metric's phase, as written in its rules."),
  summary: z.string().describe("Such as `3 of 5 measurements were inconclusive (2 allowed)`."),
});
export type MetricEvidence = z.infer<typeof MetricEvidence>;

/** A run newer than the one that decided is in progress. */
export const MeasuringAgain = z.object({ runUid: z.string(), since: Timestamp });
export type MeasuringAgain = z.infer<typeof MeasuringAgain>;
