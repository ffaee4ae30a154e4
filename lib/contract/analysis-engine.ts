import { z } from "zod";
import { runPhases } from "#lib/domain/delivery/run-phase.ts";
import { typedValueTypes } from "#lib/expr/typed-value.ts";

const maxNesting = 200;

/** Any JSON except one nested so deeply that walking it would overflow the stack. */
const Json = z.unknown().refine((value) => isShallow(value), `nested deeper than ${maxNesting} levels`);

function isShallow(value: unknown): boolean {
  const open: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next.value !== "object" || next.value === null) continue;
    const depth = next.depth + 1;
    if (depth > maxNesting) return false;
    for (const child of Object.values(next.value)) open.push({ value: child, depth });
  }
  return true;
}

const Phase = z.enum(runPhases);
const Counter = z.number().int().min(0);
const IntOrString = z.union([z.number().int(), z.string()], { error: "a whole number, or text that holds one" });

/** A metric as the controller writes it. */
export const AnalysisMetric = z.strictObject({
  name: z.string(),
  interval: z.string().optional(),
  initialDelay: z.string().optional(),
  count: IntOrString.optional(),
  successCondition: z.string().optional(),
  failureCondition: z.string().optional(),
  failureLimit: IntOrString.optional(),
  inconclusiveLimit: IntOrString.optional(),
  consecutiveErrorLimit: IntOrString.optional(),
  consecutiveSuccessLimit: IntOrString.optional(),
  provider: z.record(z.string(), Json).optional(),
});

export const AssessedMeasurement = z.strictObject({
  phase: Phase,
  message: z.string().optional(),
  value: z.string().optional(),
  startedAt: z.string().optional(),
  finishedAt: z.string().optional(),
  resumeAt: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
});

const MetricResult = z.strictObject({
  name: z.string(),
  phase: Phase.optional(),
  message: z.string().optional(),
  measurements: z.array(AssessedMeasurement).optional(),
  count: Counter.optional(),
  successful: Counter.optional(),
  failed: Counter.optional(),
  inconclusive: Counter.optional(),
  error: Counter.optional(),
  consecutiveError: Counter.optional(),
  consecutiveSuccess: Counter.optional(),
  dryRun: z.boolean().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
});

/** An argument of a run or a template. */
export const AnalysisArgument = z.strictObject({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: z
    .strictObject({
      secretKeyRef: z.strictObject({ name: z.string().optional(), key: z.string().optional() }).optional(),
      fieldRef: z.strictObject({ fieldPath: z.string().max(1000).optional() }).optional(),
      podTemplateHashValue: z.enum(["Stable", "Latest"]).optional(),
    })
    .optional(),
});

const MetricRule = z.strictObject({ metricName: z.string() });
const RetentionRule = MetricRule.extend({ limit: z.number().int().optional() });

export const AnalysisRunSpec = z.strictObject({
  metrics: z.array(AnalysisMetric),
  args: z.array(AnalysisArgument).optional(),
  terminate: z.boolean().optional(),
  dryRun: z.array(MetricRule).optional(),
  dryRunMetricNames: z.array(z.string()).optional().describe("Names of the dry-run metrics; replaces dryRun."),
  measurementRetention: z.array(RetentionRule).optional(),
  ttlStrategy: z
    .strictObject({
      secondsAfterCompletion: z.number().int().optional(),
      secondsAfterFailure: z.number().int().optional(),
      secondsAfterSuccess: z.number().int().optional(),
    })
    .optional(),
});

export const AnalysisTemplateSpec = z.strictObject({
  name: z.string().optional().describe("Required if templates refer to each other."),
  metrics: z.array(AnalysisMetric).optional(),
  args: z.array(AnalysisArgument).optional(),
  dryRun: z.array(MetricRule).optional(),
  measurementRetention: z.array(RetentionRule).optional(),
  templates: z
    .array(z.strictObject({ templateName: z.string(), clusterScope: z.boolean().optional() }))
    .optional()
    .describe("References, resolved among the templates of this request."),
});

export const EvaluateRequest = z.strictObject({
  result: z
    .strictObject({ type: z.enum(typedValueTypes), value: Json.optional() })
    .describe("The provider's result with its Go type. A float64 may be the text NaN, +Inf or -Inf."),
  successCondition: z.string().optional(),
  failureCondition: z.string().optional(),
});
export type EvaluateRequest = z.infer<typeof EvaluateRequest>;

/** A phase with the text that the controller records next to it. */
export const PhaseVerdict = z.object({ phase: Phase, message: z.string().optional() });
export type PhaseVerdict = z.infer<typeof PhaseVerdict>;

/** Either one metric (`metric`, `result`, `terminating`) or a run (`spec`, `metricResults`). */
export const AssessRequest = z
  .strictObject({
    metric: AnalysisMetric.partial({ name: true }).optional(),
    result: MetricResult.partial({ name: true }).optional(),
    terminating: z.boolean().optional(),
    spec: AnalysisRunSpec.optional(),
    metricResults: z.array(MetricResult).optional(),
  })
  .superRefine((body, context) => {
    const isRun = body.spec !== undefined || body.metricResults !== undefined;
    const wanted = isRun ? (["spec", "metricResults"] as const) : (["metric", "result"] as const);
    const unwanted = isRun ? (["metric", "result", "terminating"] as const) : [];
    for (const key of wanted) {
      if (body[key] === undefined) context.addIssue({ code: "custom", path: [key], message: missingText(isRun) });
    }
    for (const key of unwanted) {
      if (body[key] !== undefined)
        context.addIssue({ code: "custom", path: [key], message: "cannot be combined with spec and metricResults" });
    }
  });
export type AssessRequest = z.infer<typeof AssessRequest>;

function missingText(isRun: boolean): string {
  return isRun ? "required to assess a run" : "required: send metric and result, or spec and metricResults";
}

const Summary = z.object({
  count: z.number().int(),
  successful: z.number().int(),
  failed: z.number().int(),
  inconclusive: z.number().int(),
  error: z.number().int(),
});

export const RunVerdict = z.object({
  phase: Phase,
  message: z.string(),
  metrics: z.record(z.string(), PhaseVerdict),
  runSummary: Summary.describe("Counts metrics, not measurements."),
  dryRunSummary: Summary,
});
export type RunVerdict = z.infer<typeof RunVerdict>;

export const AssessAnswer = z.union([RunVerdict, PhaseVerdict]);
export type AssessAnswer = z.infer<typeof AssessAnswer>;

export const ComposeRequest = z.strictObject({
  templates: z
    .array(AnalysisTemplateSpec)
    .describe("Specs of AnalysisTemplates, in the order in which the Rollout names them."),
  clusterTemplates: z.array(AnalysisTemplateSpec).optional(),
  args: z
    .array(AnalysisArgument)
    .optional()
    .describe("The Rollout's arguments; those that no template declares are dropped."),
  rollout: z.record(z.string(), Json).optional().describe("The Rollout that pod hashes and field paths are read from."),
});
export type ComposeRequest = z.infer<typeof ComposeRequest>;

export const ComposeAnswer = z.object({ spec: AnalysisRunSpec });
export type ComposeAnswer = z.infer<typeof ComposeAnswer>;

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
