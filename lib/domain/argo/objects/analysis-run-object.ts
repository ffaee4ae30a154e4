import { z } from "zod";
import type { AnalysisRunSpec } from "#lib/domain/argo/analysis/types.ts";
import {
  ArgumentObject,
  Count,
  DryRunObject,
  MetricObject,
  MetricResultObject,
  Text,
} from "#lib/domain/argo/objects/analysis-run-parts.ts";
import { takeLists } from "#lib/domain/argo/objects/take-run-lists.ts";
import type { RunType } from "#lib/domain/delivery/measuring.ts";
import { ObjectMeta, optional, type Parsed, parseKubeObject } from "#lib/domain/kube/kube-object.ts";

const Summary = z.looseObject({ count: Count, successful: Count, failed: Count, inconclusive: Count, error: Count });

/** An Argo `AnalysisRun`, as far as Gatehouse reads it. */
export const AnalysisRunObject = z.looseObject({
  kind: z.literal("AnalysisRun"),
  metadata: ObjectMeta,
  spec: z.looseObject({
    metrics: optional(z.array(MetricObject)).transform((list) => list ?? []),
    args: optional(z.array(ArgumentObject)),
    terminate: optional(z.boolean()).transform((value) => value ?? false),
    dryRun: optional(z.array(DryRunObject)),
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

/** Parses like `AnalysisRunObject`, but faster for the lists, which may be long. */
export function parseAnalysisRun(object: unknown): Parsed<AnalysisRunObject> {
  const taken = takeLists(object);
  const parsed = parseKubeObject(AnalysisRunObject, taken.rest, taken.placeOf);
  return parsed.ok ? { ok: true, value: taken.putBack(parsed.value) } : parsed;
}

const RuleList = optional(z.array(z.looseObject({ metricName: z.string(), limit: optional(z.number()) })));
const RunSpec = AnalysisRunObject.shape.spec.extend({ measurementRetention: RuleList });

/** Parses the rules of a run as stored; undefined if they cannot be read. */
export function parseRunSpec(spec: unknown): AnalysisRunSpec | undefined {
  const taken = takeLists({ spec });
  const { success, data } = z.looseObject({ spec: RunSpec }).safeParse(taken.rest);
  return success ? taken.putBack(data).spec : undefined;
}

/** Returns what started the run: the `rollout-type` label, else its owner's kind; Manual if that is another one. */
export function runTypeOf(run: AnalysisRunObject): RunType {
  const label = run.metadata.labels["rollout-type"];
  if (label === "Step" || label === "Background" || label === "PrePromotion" || label === "PostPromotion") return label;
  const owners = run.metadata.ownerReferences ?? [];
  if (owners.some((owner) => owner.kind === "Experiment")) return "Experiment";
  return owners.some((owner) => owner.kind === "Rollout") ? "Background" : "Manual";
}
