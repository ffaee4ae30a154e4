import { z } from "zod";
import { AnalysisRunSummary } from "#lib/contract/analysis-run.ts";
import { AnalysisPhase, ListQuery, pages, RolloutRef, sortedBy, Timestamp, timeSpanOf } from "#lib/contract/common.ts";

export const ExperimentSummary = z.object({
  uid: z.string(),
  cluster: z.string(),
  namespace: z.string(),
  name: z.string(),
  rollout: RolloutRef.nullable().describe("The rollout that started it, if any."),
  revision: z.number().int().nullable(),
  podHash: z.string().nullable(),
  phase: AnalysisPhase,
  message: z.string(),
  createdAt: Timestamp,
  availableAt: Timestamp.nullable().describe("Since when all its ReplicaSets were available."),
  completedAt: Timestamp.nullable(),
  presence: z.enum(["live", "deleted", "unobserved"]),
  runs: z.object({ total: z.number().int(), byPhase: z.record(z.string(), z.number().int()) }),
  updatedAt: Timestamp,
});
export type ExperimentSummary = z.infer<typeof ExperimentSummary>;

/** One of the ReplicaSets that an Experiment runs. */
export const ExperimentTemplate = z.object({
  name: z.string(),
  desired: z.number().int(),
  status: z.string().describe("The controller's own word, such as `Progressing`; empty without one."),
  message: z.string(),
  replicas: z.number().int(),
  ready: z.number().int(),
  available: z.number().int(),
  images: z.array(z.string()).describe("Of its containers."),
  replicaSet: z.string().describe("The name of its ReplicaSet."),
});
export type ExperimentTemplate = z.infer<typeof ExperimentTemplate>;

export const ExperimentAnalysis = z.object({
  name: z.string(),
  template: z.object({ kind: z.enum(["AnalysisTemplate", "ClusterAnalysisTemplate"]), name: z.string() }),
  required: z.boolean().describe("requiredForCompletion: the Experiment ends with it."),
  phase: AnalysisPhase.describe("Of its run, if that is recorded; else by the Experiment's status."),
  message: z.string(),
  measures: z
    .string()
    .nullable()
    .describe("The one template whose pods it measures, by its arguments; null if that is not certain."),
  run: z
    .object({ name: z.string(), uid: z.string().nullable().describe("Null until the recorder has seen it.") })
    .nullable(),
});
export type ExperimentAnalysis = z.infer<typeof ExperimentAnalysis>;

export const ExperimentDetail = ExperimentSummary.extend({
  duration: z.string().nullable(),
  progressDeadlineSeconds: z.number().nullable(),
  terminated: z.boolean().describe("spec.terminate: it was terminated early."),
  templates: z.array(ExperimentTemplate),
  analyses: z.array(ExperimentAnalysis),
  analysisRuns: z
    .array(AnalysisRunSummary)
    .describe("The runs that it owns, live and past, newest first; at most 200."),
});
export type ExperimentDetail = z.infer<typeof ExperimentDetail>;

export const experimentSorts = ["createdAt", "name", "phase"] as const;

export const ExperimentListQuery = ListQuery.extend({
  cluster: z.string().optional(),
  namespace: z.string().optional(),
  rollout: z.string().optional().describe("The rollout's name."),
  phase: AnalysisPhase.optional(),
  q: z.string().max(200).optional().describe("Matches name, namespace or rollout, case-insensitively."),
  ...timeSpanOf("Experiments that were created"),
  sort: sortedBy(experimentSorts, "-createdAt"),
});
export type ExperimentListQuery = z.infer<typeof ExperimentListQuery>;

export const ExperimentExportQuery = ExperimentListQuery.omit(pages);
export type ExperimentExportQuery = z.infer<typeof ExperimentExportQuery>;
