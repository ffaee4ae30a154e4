import { z } from "zod";
import { optional } from "#lib/domain/kube/kube-object.ts";
import { computeChecksum } from "./checksum.ts";

const Analysis = z.looseObject({
  stepWeight: optional(z.number()),
  stepWeights: optional(z.array(z.number())),
  maxWeight: optional(z.number()),
});

const Status = z.looseObject({
  phase: optional(z.string()),
  canaryWeight: optional(z.number()),
  lastAppliedSpec: optional(z.string()),
  trackedConfigs: optional(z.record(z.string(), z.string())),
});

/** The fields of a `Canary` that gates are judged by. */
const CanaryObject = z.looseObject({
  kind: z.literal("Canary"),
  metadata: z.looseObject({ uid: z.string().min(1), name: z.string(), namespace: z.string() }),
  spec: z.looseObject({
    targetRef: z.looseObject({ kind: z.string(), name: z.string().min(1) }),
    analysis: optional(Analysis),
  }),
  status: optional(Status),
});

/** The fields of a Canary that its gates depend on. */
export type WatchedCanary = {
  uid: string;
  phase: string;
  /** Undefined if the object was redacted: then only the live object has it. */
  checksum: string | undefined;
  /** Percent of traffic on the canary, by its status. */
  weight: number;
  /** Percent after the next step; undefined if the next step is the promotion. */
  nextWeight: number | undefined;
  target: { kind: string; name: string };
};

/** Parses a Canary, recorded or live; undefined if it is not usable. */
export function readWatchedCanary(object: unknown): WatchedCanary | undefined {
  const parsed = CanaryObject.safeParse(object);
  if (!parsed.success) return undefined;
  const { metadata, spec, status } = parsed.data;
  const weight = status?.canaryWeight ?? 0;
  return {
    uid: metadata.uid,
    phase: status?.phase ?? "",
    checksum: isWhole(status?.trackedConfigs) ? computeChecksum(status ?? {}) : undefined,
    weight,
    nextWeight: computeNextWeight({ weight, analysis: spec.analysis ?? {} }),
    target: { kind: spec.targetRef.kind, name: spec.targetRef.name },
  };
}

/**
 * Returns whether all values are digests. In stored objects, the digest of a Secret is redacted if the Secret's name
 * ends in a word such as `token`.
 */
function isWhole(trackedConfigs: Record<string, string> | undefined): boolean {
  return Object.values(trackedConfigs ?? {}).every((digest) => /^[0-9a-f]*$/.test(digest));
}

const totalWeight = 100;

export type StepAnalysis = {
  stepWeight?: number | undefined;
  stepWeights?: readonly number[] | undefined;
  maxWeight?: number | undefined;
};

/**
 * Computes the percent after the next step of a weight canary; undefined if the promotion is next. Mirrors
 * `nextStepWeight` and `maxWeight` of pkg/controller/scheduler.go, Flagger 1.44.0.
 */
export function computeNextWeight({
  weight,
  analysis,
}: {
  weight: number;
  analysis: StepAnalysis;
}): number | undefined {
  const { stepWeight = 0, stepWeights = [], maxWeight = 0 } = analysis;
  if (weight >= computeMaxWeight({ stepWeights, maxWeight })) return undefined;
  if (stepWeight > 0 || stepWeights.length === 0) return Math.min(totalWeight, weight + stepWeight);
  const next = weight === 0 ? stepWeights[0] : stepWeights[findStep(stepWeights, weight) + 1];
  // From a weight that is not in the list, the controller goes to the end at once.
  return Math.min(totalWeight, next ?? totalWeight);
}

function computeMaxWeight({ stepWeights, maxWeight }: { stepWeights: readonly number[]; maxWeight: number }): number {
  const last = stepWeights.at(-1);
  if (last !== undefined) return Math.min(totalWeight, last);
  return maxWeight > 0 ? maxWeight : totalWeight;
}

/** Returns the place of the weight in the list; the end of the list if it is not there. */
function findStep(stepWeights: readonly number[], weight: number): number {
  const at = stepWeights.indexOf(weight);
  return at === -1 ? stepWeights.length : at;
}
