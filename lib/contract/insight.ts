import { z } from "zod";
import { RolloutRef, Timestamp } from "#lib/contract/common.ts";
import { get } from "#lib/contract/endpoint.ts";

const Count = z.number().int();
const Seconds = z.number().nullable().describe("Null if nothing was counted.");

export const Rate = z
  .object({
    count: Count,
    of: Count,
    rate: z.number().nullable().describe("From 0 to 1; null if there is nothing to count."),
    low: z.number().nullable().describe("Bounds of the 95 % Wilson score interval."),
    high: z.number().nullable(),
  })
  .describe("A share, with the numbers behind it.");
export type Rate = z.infer<typeof Rate>;

const Spread = z.object({ count: Count.describe("Releases that the two are of."), median: Seconds, p90: Seconds });

/** Figures of the releases that began within a period. Times in seconds. */
export const ReleaseFigures = z.object({
  releases: Count,
  promoted: Count,
  aborted: Count,
  superseded: Count,
  unknown: Count.describe("Their end was not observed."),
  open: Count.describe("Under way: not part of any rate."),
  undone: Count.describe("Promoted, then replaced within 24 h by a version that was promoted before."),
  aborts: Rate,
  inconclusive: Rate.describe("Releases with an Inconclusive analysis."),
  changeFailure: Rate.describe("Aborted or undone, of those promoted or aborted."),
  perDay: z.number().nullable().describe("Full promotions per recorded day; null if less than a day was recorded."),
  leadTime: Spread.extend({ unknown: Count.describe("Promoted, without a commit time.") }).describe(
    "From the commit to the full promotion.",
  ),
  recovery: Spread.extend({ open: Count.describe("Failed, and nothing was fully promoted since.") }),
  waiting: Spread.extend({
    unknown: Count.describe("Ended, and not known whether they waited."),
    ended: Count,
    totalSeconds: z.number(),
    frozenSeconds: z
      .number()
      .describe("Of the total: while a freeze of a person, or a freeze window of the current config, was in force."),
  }).describe("Time waiting for people, of the ended releases that waited."),
});
export type ReleaseFigures = z.infer<typeof ReleaseFigures>;

const Period = z.object({ from: Timestamp, to: Timestamp });

export const ReleaseInsights = z.object({
  period: Period,
  recordedSince: Timestamp.nullable().describe("Since when a rollout that is counted is known; null without one."),
  figures: ReleaseFigures,
  before: ReleaseFigures.nullable().describe(
    "Of the period of the same length before; null if the record does not cover it.",
  ),
  previous: Period,
  days: z
    .array(
      z.object({
        day: z.string().describe("As in 2026-03-01, in the time zone of the request."),
        from: Timestamp,
        to: Timestamp,
        promoted: Count,
        aborted: Count,
        superseded: Count,
        unknown: Count,
        open: Count,
      }),
    )
    .describe("Every day of the period, by when releases began."),
  rollouts: z
    .array(z.object({ rollout: RolloutRef, figures: ReleaseFigures }))
    .describe("Those with the most failed releases first, then the most releases; at most 200."),
  rolloutCount: Count,
  hours: z
    .array(z.object({ hour: Count, releases: Count, median: Seconds }))
    .describe("The 24 hours of a day: releases that began to wait for a person in it, and the median of those waits."),
});
export type ReleaseInsights = z.infer<typeof ReleaseInsights>;

/** Overridden Inconclusive results that held a release, by how the release ended. */
export const OverrideCounts = z.object({
  runs: Count,
  stayed: Count.describe("Fully promoted, and not undone within 24 h."),
  undone: Count,
  aborted: Count,
  other: Count.describe("Superseded, or the end is not known."),
});

const RunCounts = {
  runs: Count,
  successful: Count,
  failed: Count,
  inconclusive: Count,
  error: Count,
  waits: z.object({ runs: Count, seconds: z.number() }).describe("Waits for a person that it caused."),
  overrides: OverrideCounts,
};

const InsightTemplate = z
  .object({ id: z.string(), cluster: z.string(), namespace: z.string().nullable(), kind: z.string(), name: z.string() })
  .nullable()
  .describe("Null: made from no template, or it was not recorded.");

export const MetricFigures = z.object({
  cluster: z.string(),
  template: InsightTemplate,
  metric: z.string(),
  unit: z
    .string()
    .nullable()
    .describe("Of its values, as of a run's metric; null if it is not certain, or not the same in all runs."),
  ...RunCounts,
  measurements: Count.describe("All that were taken, errors included."),
  inconclusiveMeasurements: Count,
  errorMeasurements: Count,
  nans: z.object({
    runs: Count,
    measurements: Count,
    of: Count.describe("Measurements of the runs in which NaN was counted."),
    unknownRuns: Count.describe("Their measurements were deleted, or are not counted yet."),
  }),
  margin: z
    .object({
      runs: Count,
      median: z.number().describe("The median, over the runs, of a run's median distance."),
      low: z.number().describe("The 10th percentile, over the runs, of a run's 10th percentile."),
    })
    .nullable()
    .describe("Distance of the values from the nearest limit, in the metric's own unit; null without a numeric limit."),
});
export type MetricFigures = z.infer<typeof MetricFigures>;

export const TemplateFigures = z.object({ cluster: z.string(), template: InsightTemplate, ...RunCounts });
export type TemplateFigures = z.infer<typeof TemplateFigures>;

export const AnalysisInsights = z.object({
  period: Period,
  pendingRuns: Count.describe("Ended runs that are not counted yet: the recorder derives their figures soon."),
  metrics: z.array(MetricFigures).describe("Those that people waited for longest first; at most 200."),
  metricCount: Count,
  templates: z.array(TemplateFigures).describe("In the same order; at most 200."),
  templateCount: Count,
});
export type AnalysisInsights = z.infer<typeof AnalysisInsights>;

const Name = z.string().min(1).max(253);

/** Takes a time zone of the IANA database. */
export const TimeZone = z.string().max(60).refine(isZoneName, "must be a time zone such as Europe/Berlin");

const InsightQuery = z.strictObject({
  cluster: Name.optional(),
  namespace: Name.optional(),
  kind: Name.optional().describe("Kind of the rollout."),
  rollout: Name.optional().describe("The rollout's name."),
  from: z.iso.datetime({ offset: true }).optional().describe("Default: 30 days before the end."),
  to: z.iso.datetime({ offset: true }).optional().describe("Default: now. At most 400 days after from."),
});

export const ReleaseInsightQuery = InsightQuery.extend({
  timeZone: TimeZone.default("UTC").describe("Of the days and hours."),
});
export type ReleaseInsightQuery = z.infer<typeof ReleaseInsightQuery>;

export const AnalysisInsightQuery = InsightQuery.extend({
  template: z.string().max(1100).optional().describe("cluster/namespace/Kind/name; `none`: of no known template."),
  metric: Name.optional(),
});
export type AnalysisInsightQuery = z.infer<typeof AnalysisInsightQuery>;

/** The part of the endpoint table for figures computed from the recorded data. */
export const insightEndpoints = {
  getReleaseInsights: get(
    "/api/v1/insights/releases",
    "Figures of releases in a period: outcomes, DORA figures, time waiting for people",
    { query: ReleaseInsightQuery, response: ReleaseInsights },
  ),
  getAnalysisInsights: get(
    "/api/v1/insights/analysis",
    "Figures of metrics and templates in a period, those that people waited for longest first",
    { query: AnalysisInsightQuery, response: AnalysisInsights },
  ),
} as const;

/** Returns whether a text is the name of a time zone, as in `Europe/Berlin`; false for offsets such as `+02:00`. */
export function isZoneName(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
