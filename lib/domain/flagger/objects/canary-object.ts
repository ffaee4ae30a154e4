import { z } from "zod";
import { ObjectMeta, optional, type Parsed, parseKubeObject } from "#lib/domain/kube/kube-object.ts";

const Count = optional(z.number());
const Text = optional(z.string()).transform((text) => text ?? "");
const Flag = optional(z.boolean()).transform((flag) => flag ?? false);

const Webhook = z.looseObject({ name: Text, type: Text, url: Text });

const Metric = z.looseObject({
  name: Text,
  interval: optional(z.string()),
  threshold: Count,
  thresholdRange: optional(z.looseObject({ min: Count, max: Count })),
  templateRef: optional(z.looseObject({ name: Text, namespace: optional(z.string()) })),
});

const Analysis = z.looseObject({
  interval: Text,
  threshold: Count,
  maxWeight: Count,
  stepWeight: Count,
  stepWeights: optional(z.array(z.number())),
  stepWeightPromotion: Count,
  iterations: Count,
  mirror: Flag,
  primaryReadyThreshold: Count,
  canaryReadyThreshold: Count,
  match: optional(z.array(z.looseObject({}))),
  metrics: optional(z.array(Metric)),
  webhooks: optional(z.array(Webhook)),
});
export type CanaryAnalysis = z.infer<typeof Analysis>;

const Condition = z.looseObject({
  type: Text,
  status: Text,
  reason: Text,
  message: Text,
  lastUpdateTime: optional(z.string()),
  lastTransitionTime: optional(z.string()),
});

const Status = z.looseObject({
  phase: Text,
  /** Undefined until Flagger has written a status. */
  canaryWeight: Count,
  failedChecks: Count,
  iterations: Count,
  lastAppliedSpec: Text,
  lastPromotedSpec: Text,
  lastTransitionTime: optional(z.string()),
  trackedConfigs: optional(z.record(z.string(), z.string())).transform((configs) => configs ?? {}),
  conditions: optional(z.array(Condition)).transform((conditions) => conditions ?? []),
});

/** The parts of a Flagger `Canary` that Gatehouse reads; other fields are kept unchanged. */
export const CanaryObject = z.looseObject({
  kind: z.literal("Canary"),
  metadata: ObjectMeta,
  spec: z.looseObject({
    provider: Text,
    targetRef: optional(z.looseObject({ apiVersion: Text, kind: Text, name: Text })).transform(
      (target) => target ?? { apiVersion: "", kind: "", name: "" },
    ),
    service: optional(z.looseObject({ name: Text })),
    progressDeadlineSeconds: Count,
    skipAnalysis: Flag,
    suspend: Flag,
    revertOnDeletion: Flag,
    analysis: optional(Analysis),
    /** Deprecated by Flagger, and still read by it if `analysis` is missing. */
    canaryAnalysis: optional(Analysis),
  }),
  status: optional(Status).transform((status) => status ?? Status.parse({})),
});
export type CanaryObject = z.infer<typeof CanaryObject>;

export function parseCanary(object: unknown): Parsed<CanaryObject> {
  return parseKubeObject(CanaryObject, object);
}

/** `CanaryPhase` of pkg/apis/flagger/v1beta1/status.go, Flagger 1.44.0. */
const knownPhases: readonly string[] = [
  "",
  "Initializing",
  "Initialized",
  "Waiting",
  "Progressing",
  "WaitingPromotion",
  "Promoting",
  "Finalising",
  "Succeeded",
  "Failed",
  "Terminating",
  "Terminated",
];

/** In these phases Flagger checks a version, and asks about steps, promotion and rollback. */
export const analysingPhases: readonly string[] = ["Progressing", "WaitingPromotion"];

/** Returns whether it is a phase of Flagger 1.44, or none yet; forks have others. */
export function isKnownPhase(phase: string): boolean {
  return knownPhases.includes(phase);
}

type Stored = { spec?: { targetRef?: { kind?: unknown } | null } | null; status?: Record<string, unknown> | null };

/**
 * Returns a stored Canary without `status.lastTransitionTime`, which Flagger sets at every check, also of a canary that
 * waits (`SetStatusPhase` and others in pkg/canary/status.go of flagger 1.44.0): in recordings of real controllers it is
 * all that differs in most versions. Only the deadline of a DaemonSet is counted from it.
 */
export function withoutTicks(stored: unknown): unknown {
  const { spec, status } = stored as Stored;
  if (spec?.targetRef?.kind === "DaemonSet" || typeof status !== "object" || status === null) return stored;
  const { lastTransitionTime: _, ...kept } = status;
  return { ...(stored as Stored), status: kept };
}
