import { z } from "zod";
import type { ViewChange } from "#lib/domain/delivery/acting.ts";
import type { CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import { listHooks, strategyOf, thresholdOf } from "#lib/domain/flagger/objects/canary-spec.ts";
import { digestOf } from "#lib/domain/storable/digest-of.ts";

/**
 * Exactly the fields that a decision about a Canary depends on. Failed checks below the threshold, iterations, times,
 * resourceVersion and replica counts change all the time and are left out. The spec is a hash, so it contains no
 * secret.
 */
export const CanaryDecisionView = z.object({
  uid: z.string(),
  spec: z.string(),
  phase: z.string(),
  lastAppliedSpec: z.string(),
  trackedConfigs: z.record(z.string(), z.string()),
  suspend: z.boolean(),
  skipAnalysis: z.boolean(),
  /** The type of the hook that the phase waits for, or may wait for; null if none. */
  gate: z.string().nullable(),
  /** Percent; null unless each step needs an approval. */
  weight: z.number().nullable(),
  /** Flagger rolls back at its next check. */
  thresholdReached: z.boolean(),
});
export type CanaryDecisionView = z.infer<typeof CanaryDecisionView>;

export function computeCanaryDecisionView(canary: CanaryObject): CanaryDecisionView {
  const { metadata, spec, status } = canary;
  const gate = findGate(canary);
  return {
    uid: metadata.uid,
    spec: digestOf(spec),
    phase: status.phase,
    lastAppliedSpec: status.lastAppliedSpec,
    trackedConfigs: status.trackedConfigs,
    suspend: spec.suspend,
    skipAnalysis: spec.skipAnalysis,
    gate,
    weight: gate === "confirm-traffic-increase" ? (status.canaryWeight ?? null) : null,
    thresholdReached: (status.failedChecks ?? 0) >= thresholdOf(canary),
  };
}

/** Returns 64 lowercase hex digits over the decision view. Compute it from the object as the cluster gave it. */
export function computeCanaryViewDigest(canary: CanaryObject): string {
  return digestOf(computeCanaryDecisionView(canary));
}

/** The status does not show a wait for a step: any check of the analysis may be one if there is such a hook. */
function findGate(canary: CanaryObject): string | null {
  switch (canary.status.phase) {
    case "Waiting":
      return "confirm-rollout";
    case "WaitingPromotion":
      return "confirm-promotion";
    case "Progressing": {
      const asks = listHooks(canary).some(({ type }) => type === "confirm-traffic-increase");
      return asks && strategyOf(canary) === "Canary" ? "confirm-traffic-increase" : null;
    }
    default:
      return null;
  }
}

type Field = keyof CanaryDecisionView;

/** The path of each field, and its words: the most important first. */
const fields: readonly (readonly [field: Field, path: string, words: string])[] = [
  ["uid", "metadata.uid", "The object itself (deleted and created again)"],
  ["phase", "status.phase", "The phase"],
  ["lastAppliedSpec", "status.lastAppliedSpec", "The revision"],
  ["trackedConfigs", "status.trackedConfigs", "The tracked ConfigMaps and Secrets"],
  ["gate", "spec.analysis.webhooks", "The gate that may wait"],
  ["weight", "status.canaryWeight", "The weight"],
  ["thresholdReached", "status.failedChecks", "Whether enough checks failed for a rollback"],
  ["suspend", "spec.suspend", "Whether it is suspended"],
  ["skipAnalysis", "spec.skipAnalysis", "Whether the analysis is skipped"],
  ["spec", "spec", "The spec"],
];

/**
 * Lists the differences between the view that a person saw and the present one. If `seen` is unknown, every field with
 * a value now.
 */
export function diffCanaryViews(seen: CanaryDecisionView | undefined, now: CanaryDecisionView): ViewChange[] {
  return fields.flatMap(([field, path, words]) => {
    const after = now[field];
    const before = seen === undefined ? null : seen[field];
    if (JSON.stringify(before) === JSON.stringify(after)) return [];
    // `suspend` and `skipAnalysis` are part of the spec too, and already listed.
    if (field === "spec" && seen !== undefined && changesListedField(seen, now)) return [];
    return [{ field: path, seen: before, now: after, text: `${words}: ${formatChange(field, before, after)}.` }];
  });
}

function changesListedField(seen: CanaryDecisionView, now: CanaryDecisionView): boolean {
  return seen.suspend !== now.suspend || seen.skipAnalysis !== now.skipAnalysis;
}

function formatChange(field: Field, before: unknown, after: unknown): string {
  if (field === "spec" || field === "trackedConfigs") return before === null ? "not known to be unchanged" : "changed";
  return before === null ? format(after) : `was ${format(before)}, is ${format(after)}`;
}

function format(value: unknown): string {
  if (value === null || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "number" ? `${value} %` : String(value);
}
