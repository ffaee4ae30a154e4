import { useMutation, useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import { rolloutApiPath } from "#lib/client/rollout-path.ts";
import type { AcknowledgeRequest, InboxAnswer } from "#lib/contract/inbox.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

export function useAcknowledge() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ rollout, body }: { rollout: ObjectRef; body: AcknowledgeRequest }) =>
      request<InboxAnswer>({ method: "POST", path: `${rolloutApiPath(rollout)}/acknowledgement`, body }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.inbox() }),
  });
}

export function useWithdrawAcknowledgement() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (rollout: ObjectRef) =>
      request<InboxAnswer>({ method: "DELETE", path: `${rolloutApiPath(rollout)}/acknowledgement` }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.inbox() }),
  });
}
