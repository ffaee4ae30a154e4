import { z } from "zod";
import { Abort, AbortListQuery } from "#lib/contract/audit.ts";
import { AnalysisPhase, listOf, RolloutPhase, Timestamp } from "#lib/contract/common.ts";
import { get } from "#lib/contract/endpoint.ts";
import { ExperimentTemplate } from "#lib/contract/experiment.ts";
import { FindingSeverity } from "#lib/contract/finding.ts";
import { AllowedAction, Release, ReleaseAct, ReleaseRun, RolloutDetail, RolloutStep } from "#lib/contract/rollout.ts";
import { ReleaseListQuery } from "#lib/contract/rollout-lists.ts";
import { activities } from "#lib/domain/delivery/observation.ts";

export const Activity = z
  .enum(activities)
  .describe("held: a person paused it in its spec; pausing: a pause with an end; waiting: for a person.");
export type Activity = z.infer<typeof Activity>;

/** A release from one moment until the next one. */
export const CourseMoment = z.object({
  at: Timestamp.describe("When the recorder saw it."),
  phase: RolloutPhase,
  message: z.string(),
  step: z.number().int().nullable().describe("Completed steps."),
  stepCount: z.number().int(),
  stepText: z.string().nullable().describe("The current step; null past the last one."),
  weight: z.number().nullable().describe("Percent that the strategy asks for; null if it has no weights."),
  activity: Activity,
  waits: z.array(z.string()).describe("The reasons for the wait, in sentences."),
});
export type CourseMoment = z.infer<typeof CourseMoment>;

/** The version that was stable when the release began. */
export const ReleaseBase = z.object({
  runKey: z.string(),
  revision: z.number().int().nullable(),
  images: z.array(z.string()).nullable().describe("Null if they are not known."),
  releaseId: z.string().nullable().describe("The release that made it stable; null if it was not recorded."),
});
export type ReleaseBase = z.infer<typeof ReleaseBase>;

const PodTemplate = z
  .record(z.string(), z.unknown())
  .nullable()
  .describe("Redacted, without the label that names its hash; null if it was not recorded.");

/** An Experiment that a step of the release ran. */
export const ReleaseExperiment = z.object({
  uid: z.string(),
  name: z.string(),
  phase: AnalysisPhase,
  message: z.string(),
  createdAt: Timestamp,
  completedAt: Timestamp.nullable(),
  goneAt: Timestamp.nullable().describe("When it was seen to be gone."),
  templates: z
    .array(ExperimentTemplate.pick({ name: true, status: true, images: true }))
    .describe("The versions that it runs side by side; empty if they cannot be read."),
  runs: z.array(ReleaseRun).describe("Its analysis runs, oldest first."),
});
export type ReleaseExperiment = z.infer<typeof ReleaseExperiment>;

export const ReleaseCourse = z.object({
  release: Release,
  base: ReleaseBase.nullable().describe("Null for the first release, and if it is not known."),
  templates: z.object({
    base: PodTemplate,
    release: PodTemplate,
    since: Timestamp.nullable().describe(
      "If a template is missing: since when the templates of the rollout's workload are recorded. Null if they are not, or if no template is missing.",
    ),
  }),
  from: Timestamp,
  to: Timestamp.nullable().describe("Null while it is under way."),
  moments: z.array(CourseMoment).describe("Oldest first, at most 2,000."),
  isCut: z.boolean().describe("There are more moments than are listed."),
  steps: z
    .array(RolloutStep.pick({ index: true, kind: true, text: true, pluginStatuses: true }))
    .describe("Empty if they are not known."),
  time: z
    .object({
      total: z.number(),
      activities: z.object({
        progressing: z.number(),
        analysing: z.number(),
        pausing: z.number(),
        waiting: z.number(),
        held: z.number(),
      }),
      frozen: z
        .number()
        .describe(
          "Of the time that it waited or was held: while a freeze of a person, or a freeze window of the config, was in force.",
        ),
    })
    .describe("Seconds. The activities add up to the total."),
  policiesKnownFrom: Timestamp.nullable().describe(
    "From then on, freeze windows count as the config of the time had them; before, as the current one has them. Null: all as the current one has them.",
  ),
  runs: z.array(ReleaseRun).describe("Its analyses, without those of Experiments, oldest first, at most 200."),
  experiments: z.array(ReleaseExperiment).describe("Oldest first, at most 20."),
  acts: z.array(ReleaseAct).describe("What people and other clients did, oldest first, at most 100."),
  findings: z.array(
    z.object({
      id: z.string(),
      severity: FindingSeverity,
      title: z.string(),
      since: Timestamp,
      closedAt: Timestamp.nullable(),
    }),
  ),
  warnings: z
    .array(
      z.object({
        uid: z.string(),
        involved: z.object({ kind: z.string(), name: z.string() }),
        reason: z.string(),
        message: z.string(),
        count: z.number().int(),
        firstAt: Timestamp,
        lastAt: Timestamp,
      }),
    )
    .describe("Warnings of the cluster about its objects in its time, oldest first, at most 100."),
  attempts: z
    .array(Release.pick({ id: true, attempt: true, state: true, startedAt: true, endedAt: true }))
    .describe("All attempts of its revision, oldest first."),
});
export type ReleaseCourse = z.infer<typeof ReleaseCourse>;

export const MomentQuery = z.strictObject({
  at: Timestamp.optional().describe("The moment, in UTC; by default its end, or now while it is under way."),
});
export type MomentQuery = z.infer<typeof MomentQuery>;

/** A metric as it stood at a moment. */
export const MomentMetric = z.object({
  name: z.string(),
  measurements: z.number().int(),
  successful: z.number().int(),
  failed: z.number().int(),
  inconclusive: z.number().int(),
  error: z.number().int(),
  last: z
    .object({ value: z.string().nullable(), phase: AnalysisPhase, at: Timestamp })
    .nullable()
    .describe("The newest measurement that had ended."),
  unit: z.string().nullable().describe("Of its values, as of the run's metric."),
});
export type MomentMetric = z.infer<typeof MomentMetric>;

/** A release as it stood at a moment, from the data recorded by then. */
export const ReleaseMoment = z.object({
  at: Timestamp.describe("The moment that is shown: within the time of the release."),
  observedAt: Timestamp.describe("The observation that it rests on: the newest until then."),
  moment: CourseMoment,
  replicas: RolloutDetail.shape.replicas.nullable().describe("As of the observation; null if it was not recorded."),
  steps: z.array(RolloutStep),
  follows: RolloutDetail.shape.follows,
  runs: z
    .array(
      ReleaseRun.pick({ uid: true, name: true, type: true, stepIndex: true }).extend({
        phase: AnalysisPhase.describe("Running until it had ended."),
        metrics: z.array(MomentMetric),
      }),
    )
    .describe("The analyses that had begun, newest first."),
  actions: z
    .array(
      AllowedAction.pick({ action: true, label: true, protective: true, allowed: true, reason: true, effect: true }),
    )
    .nullable()
    .describe(
      "Actions that the state of the rollout allowed, without rights, policies and freshness; null if its object was not recorded.",
    ),
  notes: z.array(z.string()).describe("Unknown facts about this moment, in sentences."),
});
export type ReleaseMoment = z.infer<typeof ReleaseMoment>;

/** The part of the endpoint table that is about releases. */
export const releaseEndpoints = {
  listReleases: get("/api/v1/releases", "Releases of all rollouts, newest first", {
    query: ReleaseListQuery,
    response: listOf(Release),
  }),
  listAborts: get(
    "/api/v1/aborts",
    "Aborted releases, the last first, each with who aborted it: a person, another client, or the controller",
    { query: AbortListQuery, response: listOf(Abort) },
  ),
  getRelease: get("/api/v1/releases/{id}", "One release", {
    params: z.strictObject({ id: z.string() }),
    query: z.strictObject({}),
    response: Release,
  }),
  getReleaseCourse: get(
    "/api/v1/releases/{id}/course",
    "The course of a release: moments, analyses, acts, findings, and where the time went",
    { params: z.strictObject({ id: z.string() }), query: z.strictObject({}), response: ReleaseCourse },
  ),
  getReleaseMoment: get(
    "/api/v1/releases/{id}/moment",
    "A release as it stood at one moment, with what could have been done",
    { params: z.strictObject({ id: z.string() }), query: MomentQuery, response: ReleaseMoment },
  ),
} as const;
