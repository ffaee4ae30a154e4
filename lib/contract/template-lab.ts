import { z } from "zod";

const Position = z.object({ line: z.number().int(), column: z.number().int() });

export const LintRequest = z.strictObject({
  source: z.string().max(50_000).describe("YAML of an AnalysisTemplate or a ClusterAnalysisTemplate, or of its spec."),
  rollout: z
    .string()
    .max(1100)
    .optional()
    .describe("Previews the runs that this rollout would create with it: cluster/namespace/Kind/name."),
});
export type LintRequest = z.infer<typeof LintRequest>;

export const TemplateProblem = z.object({
  severity: z.enum(["error", "warning"]),
  text: z.string(),
  from: Position.describe("Both count from 1."),
  to: Position.describe("After the last character."),
});
export type TemplateProblem = z.infer<typeof TemplateProblem>;

export const LintAnswer = z.object({
  problems: z.array(TemplateProblem).describe("At most 200."),
  moreProblems: z.number().int().describe("How many problems are left out."),
  metrics: z
    .array(
      z.object({
        name: z.string(),
        provider: z.string().nullable(),
        successCondition: z.string().nullable(),
        failureCondition: z.string().nullable(),
      }),
    )
    .nullable()
    .describe("Null if the text cannot be read as a template."),
  runs: z
    .array(
      z.object({
        where: z
          .string()
          .describe("Where the rollout names the template, such as `step 3`. Places that give the same run are one."),
        spec: z.unknown().describe("The spec of the run; null if the controller would refuse it."),
        metadata: z
          .object({ labels: z.record(z.string(), z.string()), annotations: z.record(z.string(), z.string()) })
          .nullable()
          .describe("The rollout's analysisRunMetadata for the run; null without any."),
        error: z
          .string()
          .nullable()
          .describe("Upstream's text. It begins with `InvalidSpec: ` if the rollout itself becomes invalid."),
      }),
    )
    .nullable()
    .describe("At most 50, of 1 MB. Null if no rollout was given, or the template cannot be read."),
  moreRuns: z.number().int().describe("How many places beyond those of `runs` may give other runs."),
});
export type LintAnswer = z.infer<typeof LintAnswer>;
