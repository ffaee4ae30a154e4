import type { Measurement } from "#lib/contract/analysis-run.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

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
