import { digestOf } from "#lib/domain/storable/digest-of.ts";
import { isRecord } from "#lib/util/is-record.ts";

/**
 * Hashes the pod template of a live Deployment or DaemonSet, as the API server returned it: 64 lowercase hex digits.
 * Undefined if it has none. An approval to start is bound to it, since Flagger's checksum is that of the previous
 * revision until the start.
 */
export function hashPodTemplate(workload: unknown): string | undefined {
  if (!isRecord(workload) || !isRecord(workload.spec) || !isRecord(workload.spec.template)) return undefined;
  return digestOf(workload.spec.template);
}
