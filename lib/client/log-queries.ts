import { useQuery } from "@tanstack/react-query";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import { rolloutApiPath } from "#lib/client/rollout-path.ts";
import type { RolloutLogs } from "#lib/contract/log.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

const everyMs = 15_000;

/**
 * Loads the pods whose logs can be read, from the cluster itself: they have no change events. `job` names the Job of an
 * analysis run whose pods are wanted too.
 */
export function useRolloutLogs(rollout: ObjectRef, job: string | null) {
  return useQuery({
    queryKey: queryKeys.rolloutLogs(rollout, job),
    queryFn: ({ signal }) => request<RolloutLogs>({ path: `${rolloutApiPath(rollout)}/logs`, query: { job }, signal }),
    refetchInterval: everyMs,
    retry: false,
  });
}
