import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useItemList } from "#lib/client/list-queries.ts";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import { rolloutApiPath } from "#lib/client/rollout-path.ts";
import type { Approval, ApprovalDecision, ApprovalRequest } from "#lib/contract/approval.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

/** Loads requests that are pending, or approved but unused: for one rollout, or for all within reach. */
export function useOpenApprovals(rollout?: ObjectRef, enabled = true) {
  const { cluster, namespace, name } = rollout ?? {};
  const filters = { state: "open", cluster, namespace, name };
  return useItemList<Approval>({
    queryKey: queryKeys.approvals(filters),
    path: "/api/v1/approvals",
    filters,
    pageSize: 200,
    enabled,
  });
}

export function useRequestApproval() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ rollout, body }: { rollout: ObjectRef; body: ApprovalRequest }) =>
      request<Approval>({ method: "POST", path: `${rolloutApiPath(rollout)}/approvals`, body }),
    onSettled: () => client.invalidateQueries({ queryKey: ["approvals"] }),
  });
}

export function useDecideApproval() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, body }: { id: string; body: ApprovalDecision }) =>
      request<Approval>({ method: "POST", path: `/api/v1/approvals/${encodeURIComponent(id)}/decision`, body }),
    onSettled: () => client.invalidateQueries({ queryKey: ["approvals"] }),
  });
}
