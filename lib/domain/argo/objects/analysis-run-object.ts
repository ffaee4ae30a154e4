import { z } from "zod";
import type { AnalysisRunSpec } from "#lib/domain/argo/analysis/types.ts";
import { ObjectMeta, optional, type Parsed, parseKubeObject } from "#lib/domain/kube/kube-object.ts";

const Count = optional(z.number()).transform((value) => value ?? 0);
const Text = optional(z.string()).transform((value) => value ?? "");
const IntOrString = optional(z.union([z.number(), z.string()]));

export const MetricObject = z.looseObject({
  name: z.string(),
  interval: optional(z.string()),
  initialDelay: optional(z.string()),
  count: IntOrString,
  successCondition: optional(z.string()),
  failureCondition: optional(z.string()),
  failureLimit: IntOrString,
  inconclusiveLimit: IntOrString,
  consecutiveErrorLimit: IntOrString,
  consecutiveSuccessLimit: IntOrString,
  provider: optional(z.record(z.string(), z.unknown())),
});
export type MetricObject = z.infer<typeof MetricObject>;

export const MeasurementObject = z.looseObject({
  phase: Text,
  message: Text,
  value: optional(z.string()),
  startedAt: optional(z.string()),
  finishedAt: optional(z.string()),
});
export type MeasurementObject = z.infer<typeof MeasurementObject>;

export const MetricResultObject = z.looseObject({
  name: z.string(),
  phase: Text,
  message: Text,
  measurements: optional(z.array(MeasurementObject)).transform((list) => list ?? []),
  count: Count,
  successful: Count,
  failed: Count,
  inconclusive: Count,
  error: Count,
  consecutiveError: Count,
  consecutiveSuccess: Count,
  dryRun: optional(z.boolean()),
  metadata: optional(z.record(z.string(), z.string())),
});
export type MetricResultObject = z.infer<typeof MetricResultObject>;

const Summary = z.looseObject({ count: Count, successful: Count, failed: Count, inconclusive: Count, error: Count });

/** An Argo `AnalysisRun`, as far as Gatehouse reads it. */
export const AnalysisRunObject = z.looseObject({
  kind: z.literal("AnalysisRun"),
  metadata: ObjectMeta,
  spec: z.looseObject({
    metrics: optional(z.array(MetricObject)).transform((list) => list ?? []),
    args: optional(
      z.array(
        z.looseObject({
          name: z.string(),
          value: optional(z.string()),
          valueFrom: optional(z.looseObject({ secretKeyRef: optional(z.looseObject({})) })),
        }),
      ),
    ),
    terminate: optional(z.boolean()).transform((value) => value ?? false),
    dryRun: optional(z.array(z.looseObject({ metricName: z.string() }))),
  }),
  status: optional(
    z.looseObject({
      phase: Text,
      message: Text,
      startedAt: optional(z.string()),
      completedAt: optional(z.string()),
      metricResults: optional(z.array(MetricResultObject)),
      runSummary: optional(Summary),
      dryRunSummary: optional(Summary),
    }),
  ),
});
export type AnalysisRunObject = z.infer<typeof AnalysisRunObject>;

export function parseAnalysisRun(object: unknown): Parsed<AnalysisRunObject> {
  return parseKubeObject(AnalysisRunObject, object);
}

const RuleList = optional(z.array(z.looseObject({ metricName: z.string(), limit: optional(z.number()) })));
const RunSpec = AnalysisRunObject.shape.spec.extend({ measurementRetention: RuleList });

/** The rules of a run as stored; undefined where they cannot be read. */
export function parseRunSpec(spec: unknown): AnalysisRunSpec | undefined {
  return RunSpec.safeParse(spec).data;
}

export type RunType = "Step" | "Background" | "PrePromotion" | "PostPromotion" | "Experiment" | "Manual";

/** What started the run: the `rollout-type` label, else its owner's kind; Manual where nobody owns it. */
export function runTypeOf(run: AnalysisRunObject): RunType {
  const label = run.metadata.labels["rollout-type"];
  if (label === "Step" || label === "Background" || label === "PrePromotion" || label === "PostPromotion") return label;
  const owners = run.metadata.ownerReferences ?? [];
  if (owners.some((owner) => owner.kind === "Experiment")) return "Experiment";
  return owners.some((owner) => owner.kind === "Rollout") ? "Background" : "Manual";
}
