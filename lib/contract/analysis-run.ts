import { z } from "zod";
import {
  AnalysisPhase,
  Link,
  ListQuery,
  listOf,
  PointInTime,
  pages,
  RolloutRef,
  sortedBy,
  Timestamp,
  timeSpanOf,
} from "#lib/contract/common.ts";
import { MetricEvidence } from "#lib/contract/evidence.ts";
import { TemplateKind } from "#lib/contract/template.ts";
import { findingKinds, verdictCheckStates } from "#lib/domain/delivery/verdict-check.ts";
import { runFigureNames } from "#lib/domain/insights/figures.ts";

const DurationSeconds = z
  .number()
  .nullable()
  .describe("By the cluster's clock; null if it has no end or the end is before the start.");

/** A threshold line that a condition implies; other conditions are shown as text. */
export const Threshold = z.object({
  condition: z.enum(["success", "failure"]),
  accessor: z.string(),
  operator: z.enum(["<", "<=", ">", ">=", "==", "!="]),
  value: z.number(),
  text: z.string().describe("The number as written in the condition."),
  inclusive: z.boolean(),
  region: z.enum(["above", "below", "at", "other"]).describe("The side of the value on which the condition holds."),
});
export type Threshold = z.infer<typeof Threshold>;

export const ParsedValue = z.object({
  kind: z.enum(["number", "nan", "+inf", "-inf", "array", "object", "string", "empty", "unparsable"]),
  number: z.number().optional(),
});
export type ParsedValue = z.infer<typeof ParsedValue>;

const bounds =
  "Redacted; at most 64 texts with 16 Ki characters. A text that was cut ends with a note, and `…` says how many were left out.";

export const Measurement = z.object({
  metric: z.string(),
  seq: z.number().int().describe("Counts finished measurements of the metric from 1."),
  startedAt: Timestamp,
  finishedAt: Timestamp.nullable(),
  durationSeconds: DurationSeconds,
  phase: AnalysisPhase,
  value: z.string().nullable().describe("The text as received; null if the measurement has none."),
  parsed: ParsedValue,
  message: z.string(),
  superseded: z
    .boolean()
    .describe("The controller retook it: another measurement with the same seq counts instead. Both are kept."),
  explanation: z
    .string()
    .optional()
    .describe("Why it has its phase, with the numbers compared; absent if that takes too long to compute."),
  metadata: z
    .record(z.string(), z.string())
    .optional()
    .describe(`Notes of the metric's source, often the reason; absent without any, and with points. ${bounds}`),
});
export type Measurement = z.infer<typeof Measurement>;

/** Result of replaying the recorded rules on the recorded measurements. */
export const VerdictCheck = z.object({
  state: z.enum(verdictCheckStates).describe("ended-early: spec.terminate ended the run before its rules did."),
  findings: z.array(
    z.object({
      kind: z
        .enum(findingKinds)
        .describe("contradiction: the rules do not give the recorded result; flag: they do, but it proves little."),
      rule: z.string(),
      metric: z.string().optional(),
      seq: z.number().int().optional(),
      phase: AnalysisPhase.optional().describe("The result that the measurements give, if the recorded one differs."),
      text: z.string(),
    }),
  ),
  checkedAt: Timestamp,
});
export type VerdictCheck = z.infer<typeof VerdictCheck>;

/** `count` measurements after `afterSeq` were never seen. */
export const Gap = z.object({
  afterSeq: z.number().int(),
  count: z.number().int(),
  open: z
    .boolean()
    .optional()
    .describe("How many is not known, as for a run that disappeared unobserved: the count is a minimum and may be 0."),
});
export type Gap = z.infer<typeof Gap>;

export const RunMetric = z.object({
  name: z.string(),
  provider: z.string().nullable(),
  phase: AnalysisPhase,
  replayedPhase: AnalysisPhase.nullable().describe("What its measurements give, if that contradicts `phase`."),
  message: z.string(),
  dryRun: z.boolean(),
  successCondition: z.string().nullable(),
  failureCondition: z.string().nullable(),
  thresholds: z.array(Threshold),
  conditionsDrawn: z.boolean().describe("Whether the thresholds express the conditions completely."),
  counters: z.object({
    count: z.number().int(),
    successful: z.number().int(),
    failed: z.number().int(),
    inconclusive: z.number().int(),
    error: z.number().int(),
    consecutiveError: z.number().int(),
    consecutiveSuccess: z.number().int(),
  }),
  limits: z.object({
    count: z.string().nullable(),
    interval: z.string().nullable(),
    initialDelay: z.string().nullable(),
    failureLimit: z.string(),
    inconclusiveLimit: z.string(),
    consecutiveErrorLimit: z.string(),
    consecutiveSuccessLimit: z.string(),
  }),
  query: z.string().nullable().describe("The resolved query, redacted; null if unknown."),
  metadata: z
    .record(z.string(), z.string())
    .describe(`The controller's notes about the metric, such as its resolved query. ${bounds}`),
  unit: z
    .string()
    .nullable()
    .describe(
      "Of its values, such as `ms`: from the config, else from the query; null if not certain. `ratio` is a fraction of 1, which pages show in percent.",
    ),
  gaps: z.array(Gap),
  inconsistent: z.boolean().describe("Counters and list disagree; measurements are sorted by startedAt."),
  recorded: z.number().int().describe("Stored measurements, without retaken ones."),
  takenAgain: z.number().int().describe("Measurements that the controller retook; they do not count."),
  explanation: z.string(),
  links: z.array(Link).describe("With the metric's query and the time of the run."),
});
export type RunMetric = z.infer<typeof RunMetric>;

export const AnalysisRunSummary = z.object({
  uid: z.string(),
  cluster: z.string(),
  namespace: z.string(),
  name: z.string(),
  rollout: RolloutRef.nullable().describe("The rollout that owns the run, if any."),
  type: z
    .enum(["Step", "Background", "PrePromotion", "PostPromotion", "Experiment", "Manual", "Release"])
    .describe("Release: the controller's own analysis of a whole release."),
  stepIndex: z.number().int().nullable(),
  revision: z.number().int().nullable(),
  podHash: z.string().nullable(),
  phase: AnalysisPhase,
  message: z.string(),
  startedAt: Timestamp.nullable(),
  completedAt: Timestamp.nullable(),
  durationSeconds: DurationSeconds,
  firstSeenAt: Timestamp.describe("By Gatehouse's own clock; the other times are the cluster's."),
  terminated: z.boolean().describe("spec.terminate: the run was terminated early, so Successful is weaker evidence."),
  presence: z
    .enum(["live", "deleted", "unobserved", "derived"])
    .describe("deleted: gone from the cluster, kept in Gatehouse; derived: from messages, it is no object."),
  measurements: z.number().int(),
  lostMeasurements: z.number().int(),
  measurementsExpired: z.boolean(),
  contradiction: z.boolean().describe("The verdict check found that the recorded measurements contradict the verdict."),
});
export type AnalysisRunSummary = z.infer<typeof AnalysisRunSummary>;

/** Something that happened to the rollout while the run took place. */
export const RunMark = z.object({
  at: Timestamp,
  kind: z
    .enum(["step", "pause", "resume", "person", "abort", "retry", "revision"])
    .describe("person: an action, through Gatehouse or not; revision: a version begins."),
  text: z.string(),
  did: z.string().nullable().describe('Of an action, its words, such as "aborted it" or "asked to abort it".'),
  auditSeq: z.number().int().nullable().describe("Of an action, its intent."),
  outcomeSeq: z.number().int().nullable().describe("Of an action: the entry of its outcome, once there is one."),
});
export type RunMark = z.infer<typeof RunMark>;

export const AnalysisRunDetail = AnalysisRunSummary.extend({
  verdict: z.string().describe("The verdict in words, with numbers."),
  start: z.string().nullable().describe("When measuring starts, if not at once."),
  verdictCheck: VerdictCheck.nullable().describe("Null for a run that has not ended or is not checked yet."),
  metrics: z.array(RunMetric),
  args: z.array(z.object({ name: z.string(), value: z.string().nullable(), secret: z.boolean() })),
  templates: z
    .array(
      z.object({
        id: z.string().describe("As in /templates."),
        namespace: z.string().nullable(),
        kind: TemplateKind,
        name: z.string(),
        version: z.number().int(),
        current: z.boolean().describe("Whether the template is unchanged since."),
      }),
    )
    .describe("The recorded template versions that it was built from, matched by time and content."),
  experiment: z
    .object({ uid: z.string(), name: z.string() })
    .nullable()
    .describe("The Experiment that owns the run, if there is one and it is recorded."),
  createdBy: z
    .object({ kind: z.string(), name: z.string() })
    .nullable()
    .describe(
      "The object of another controller that the run belongs to, such as Kargo's Stage; null if none is known.",
    ),
  runSummary: z.record(z.string(), z.number().int()).nullable(),
  dryRunSummary: z.record(z.string(), z.number().int()).nullable(),
  weights: z
    .array(z.object({ at: Timestamp, weight: z.number() }))
    .describe("The set weight of the run's own revision over the time of the run, as observed."),
  marks: z.array(RunMark).describe("What happened to the rollout in the meantime, oldest first; at most 100."),
  evidence: z.array(MetricEvidence).describe("Its metrics as rows, the same as in dialogs."),
  links: z.array(Link),
});
export type AnalysisRunDetail = z.infer<typeof AnalysisRunDetail>;

export const runSorts = ["startedAt", "name", "phase"] as const;

export const AnalysisRunListQuery = ListQuery.extend({
  cluster: z.string().optional(),
  namespace: z.string().optional(),
  kind: z.string().optional().describe("Kind of the rollout."),
  rollout: z.string().optional().describe("The rollout's name."),
  phase: AnalysisPhase.optional(),
  type: AnalysisRunSummary.shape.type.optional(),
  metric: z.string().optional().describe("The name of one of its metrics."),
  template: z
    .string()
    .optional()
    .describe("The name of a template with a version, in force when the run began, whose metrics are all in the run."),
  ofTemplate: z
    .string()
    .max(1100)
    .optional()
    .describe("Runs with a metric of this template that has a verdict: cluster/namespace/Kind/name, or none."),
  figure: z.enum(runFigureNames).optional().describe("Runs with a metric that a figure of the insights counts."),
  q: z.string().max(200).optional().describe("Matches name, namespace or rollout, case-insensitively."),
  ...timeSpanOf("Runs that were created"),
  sort: sortedBy(runSorts, "-startedAt").describe(
    "The order; a minus reverses it. Without it: -startedAt. startedAt is the creation, which every run has.",
  ),
});
export type AnalysisRunListQuery = z.infer<typeof AnalysisRunListQuery>;

export const AnalysisRunExportQuery = AnalysisRunListQuery.omit(pages);
export type AnalysisRunExportQuery = z.infer<typeof AnalysisRunExportQuery>;

export const MeasurementQuery = z.strictObject({
  metric: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(10_000).default(1000),
  cursor: z.string().max(500).optional(),
  points: z.coerce
    .number()
    .int()
    .min(2)
    .max(10_000)
    .optional()
    .describe(
      "Thins each metric that has more measurements, in ascending order. Of equal stretches, a quarter as many as this, it keeps for each phase the first and last, the least and greatest, and the first without a number. It also keeps the newest six, those beside a gap, and all that are not Successful unless these are more than this.",
    ),
  since: z
    .string()
    .max(8000)
    .optional()
    .describe(
      "`latest` of an earlier answer. Only with points: the measurements after it, and the newest before it, which a controller may retake. For each metric in the answer they replace all from the first seq in it on.",
    ),
  from: PointInTime.optional().describe("Only with points: measurements that ended at or after this time."),
  to: PointInTime.optional().describe("Only with points: measurements that ended at or before this time."),
  order: z.enum(["asc", "desc"]).default("asc").describe("By metric and seq, or in reverse. Not with points."),
  only: z.enum(["unsuccessful"]).optional().describe("unsuccessful: those of any other phase than Successful."),
});
export type MeasurementQuery = z.infer<typeof MeasurementQuery>;

/** What a thinned answer leaves out of a metric. */
export const LeftOut = z.object({
  metric: z.string(),
  count: z.number().int().describe("Measurements that were left out."),
  unsuccessful: z.number().int().describe("The number of these that are not Successful."),
});
export type LeftOut = z.infer<typeof LeftOut>;

export const MeasurementList = listOf(Measurement).extend({
  leftOut: z
    .array(LeftOut)
    .optional()
    .describe("With points: the metrics with measurements left out. With `since`, only new ones are counted."),
  latest: z
    .string()
    .nullable()
    .optional()
    .describe("With points: the position for `since`; null if the run has too many metrics for one."),
});
export type MeasurementList = z.infer<typeof MeasurementList>;

/** The values of one metric in an earlier run, thinned out: the least and the greatest of short stretches of time. */
export const EarlierSeries = z.object({
  uid: z.string(),
  name: z.string(),
  phase: AnalysisPhase,
  revision: z.number().int().nullable(),
  startedAt: Timestamp,
  metric: z.string(),
  points: z
    .array(
      z.object({
        seq: z.number().describe("The number of the measurement; the mean, if the point stands for several."),
        offsetSeconds: z.number().describe("Since the start of that run."),
        low: z.number(),
        high: z.number(),
      }),
    )
    .describe("In order; at most 121. Numbers only: measurements without one are left out."),
});
export type EarlierSeries = z.infer<typeof EarlierSeries>;

export const EarlierSeriesList = z.object({
  items: z.array(EarlierSeries).describe("Per metric the last five runs that measured it, newest first."),
});
export type EarlierSeriesList = z.infer<typeof EarlierSeriesList>;

export const RunExportQuery = z.strictObject({
  format: z.enum(["csv", "json"]).default("csv").describe("json: the run as in getRun, and its measurements."),
  metric: z.string().optional().describe("Only the measurements of this metric."),
});
export type RunExportQuery = z.infer<typeof RunExportQuery>;
