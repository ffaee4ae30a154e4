import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import type { ScheduledAction } from "#lib/contract/scheduled-action.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

const path = "/api/v1/scheduled-actions";

/** Loads what is to be done later, and what was not done in the last day: on one rollout, or on all within reach. */
export function useScheduledActions(rollout?: ObjectRef) {
  const { cluster, namespace, name } = rollout ?? {};
  const filters = { cluster, namespace, name };
  return useQuery({
    queryKey: queryKeys.scheduledActionList(filters),
    queryFn: ({ signal }) => request<{ items: ScheduledAction[] }>({ path, query: filters, signal }),
  });
}

export function useWithdrawScheduled(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<ScheduledAction>({ method: "DELETE", path: `${path}/${encodeURIComponent(id)}` }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.scheduledActions() }),
  });
}
