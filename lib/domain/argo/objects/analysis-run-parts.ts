import { z } from "zod";
import { optional } from "#lib/domain/kube/kube-object.ts";

/** Far more than a controller counts in years. Sums of two fit the database, and sums of a whole run stay exact. */
export const mostCounted = 100_000_000;
export const Count = optional(z.int().min(0).max(mostCounted)).transform((value) => value ?? 0);
export const Text = optional(z.string()).transform((value) => value ?? "");
const Texts = optional(z.record(z.string(), z.string()));
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
  metadata: Texts,
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
  metadata: Texts,
});
export type MetricResultObject = z.infer<typeof MetricResultObject>;

export const ArgumentObject = z.looseObject({
  name: z.string(),
  value: optional(z.string()),
  valueFrom: optional(z.looseObject({ secretKeyRef: optional(z.looseObject({})) })),
});
export type ArgumentObject = z.infer<typeof ArgumentObject>;

export const DryRunObject = z.looseObject({ metricName: z.string() });
export type DryRunObject = z.infer<typeof DryRunObject>;
