import { z } from "zod";
import { optional } from "#lib/domain/kube/kube-object.ts";
import { computeChecksum } from "./checksum.ts";
import { computeNextWeight } from "./next-weight.ts";

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
