import type { CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import { digestOf } from "#lib/domain/storable/digest-of.ts";

const digestLength = 12;

/**
 * Returns the key of the wanted revision: the hash that Flagger has applied last, and a digest of the tracked
 * ConfigMaps and Secrets if it tracks any. Empty until Flagger has applied one. Not unique for all time: Flagger's
 * hash has 32 bits.
 */
export function runKeyOf({ status }: Pick<CanaryObject, "status">): string {
  const { lastAppliedSpec, trackedConfigs } = status;
  if (lastAppliedSpec === "" || Object.keys(trackedConfigs).length === 0) return lastAppliedSpec;
  return `${lastAppliedSpec}-${digestOf(trackedConfigs).slice(0, digestLength)}`;
}

/** Returns Flagger's hash of the pod template that a key names: revisions that differ in their configs share it. */
export function specOf(runKey: string): string {
  return runKey.replace(configDigest, "");
}

const configDigest = new RegExp(`-[0-9a-f]{${digestLength}}$`);

/**
 * Returns the key of the promoted revision; null until there is one. During a run it has no digest: the status no
 * longer has the configs that were promoted.
 */
export function stableKeyOf(canary: Pick<CanaryObject, "status">): string | null {
  const { lastAppliedSpec, lastPromotedSpec, phase } = canary.status;
  if (lastPromotedSpec === "") return null;
  const isSettled = phase === "Initialized" || phase === "Succeeded" || phase === "Waiting";
  return isSettled && lastAppliedSpec === lastPromotedSpec ? runKeyOf(canary) : lastPromotedSpec;
}
