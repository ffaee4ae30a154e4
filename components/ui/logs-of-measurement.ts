import type { Measurement } from "#lib/contract/analysis-run.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

/** Returns whether a measurement leads to the lines that the pods wrote around it: every one that did not succeed. */
export function hasLogs({ phase }: Pick<Measurement, "phase">): boolean {
  return phase === "Failed" || phase === "Error" || phase === "Inconclusive";
}

/** Returns the moment whose lines belong to a measurement, ISO 8601. */
export function timeOfLogs({ finishedAt, startedAt }: Pick<Measurement, "finishedAt" | "startedAt">): string {
  return finishedAt ?? startedAt;
}

/**
 * Returns the name of the Job that took a measurement, by what Argo Rollouts notes; undefined if none did, or if it ran
 * in another namespace, whose logs are not the rollout's.
 */
export function jobOf(
  { metadata = {} }: Pick<Measurement, "metadata">,
  rollout: Pick<ObjectRef, "namespace">,
): string | undefined {
  const { "job-name": name, "job-namespace": namespace = rollout.namespace } = metadata;
  return namespace === rollout.namespace ? name : undefined;
}
