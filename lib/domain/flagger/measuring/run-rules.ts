import { z } from "zod";
import type { CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import { analysisOf, iterationsOf, strategyOf, thresholdOf } from "#lib/domain/flagger/objects/canary-spec.ts";
import { optional } from "#lib/domain/kube/kube-object.ts";
import type { AnalysisSpec } from "./analysis-spec.ts";

const Count = optional(z.number());

const Metric = z.looseObject({
  name: z.string(),
  interval: optional(z.string()),
  thresholdRange: optional(z.looseObject({ min: Count, max: Count })),
  threshold: Count,
  templateRef: optional(z.looseObject({ name: z.string(), namespace: optional(z.string()) })),
  query: optional(z.string()),
});

/** The rules of a run as they are stored: those of a Canary's analysis that its checks follow from. */
const RunRules = z.looseObject({
  metrics: z.array(Metric),
  interval: optional(z.string()),
  threshold: Count,
  iterations: Count,
  stepWeight: Count,
  stepWeights: optional(z.array(z.number())),
  maxWeight: Count,
  mirror: optional(z.boolean()),
  match: optional(z.array(z.unknown())),
});
export type RunRules = z.infer<typeof RunRules> & AnalysisSpec;

/** Reads stored rules; undefined if they cannot be read. */
export function readRunRules(stored: unknown): RunRules | undefined {
  return RunRules.safeParse(stored).data;
}

/**
 * Returns the rules that Flagger applies to a Canary, as a run is stored with them: without webhooks and alerts, with the
 * rounds and the threshold that count. Undefined without an analysis.
 */
export function rulesOf(canary: CanaryObject): RunRules | undefined {
  const analysis = analysisOf(canary);
  if (analysis === undefined) return undefined;
  const { interval, stepWeight, stepWeights, maxWeight, mirror, match } = analysis;
  const isByRequest = strategyOf(canary) === "ABTesting";
  return readRunRules({
    metrics: analysis.metrics ?? [],
    ...(interval === "" ? {} : { interval }),
    threshold: thresholdOf(canary),
    iterations: iterationsOf(canary),
    ...{ stepWeight, stepWeights, maxWeight, mirror },
    match: isByRequest ? match : [],
  });
}
