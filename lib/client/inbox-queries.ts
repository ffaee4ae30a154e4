import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import { rolloutApiPath } from "#lib/client/rollout-path.ts";
import type { AcknowledgeRequest, InboxAnswer } from "#lib/contract/inbox.ts";
import type { Claim, ClaimRequest, Snooze, SnoozeRequest } from "#lib/contract/wait-handling.ts";
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

export function useClaim() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ rollout, body }: { rollout: ObjectRef; body: ClaimRequest }) =>
      request<Claim>({ method: "POST", path: `${rolloutApiPath(rollout)}/claim`, body }),
    onSettled: (_, __, { rollout }) => refetchHandling(client, rollout),
  });
}

export function useReleaseClaim() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (rollout: ObjectRef) => request<Claim>({ method: "DELETE", path: `${rolloutApiPath(rollout)}/claim` }),
    onSettled: (_, __, rollout) => refetchHandling(client, rollout),
  });
}

export function useSnooze() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ rollout, body }: { rollout: ObjectRef; body: SnoozeRequest }) =>
      request<Snooze>({ method: "POST", path: `${rolloutApiPath(rollout)}/snooze`, body }),
    onSettled: (_, __, { rollout }) => refetchHandling(client, rollout),
  });
}

export function useWake() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (rollout: ObjectRef) =>
      request<Snooze>({ method: "DELETE", path: `${rolloutApiPath(rollout)}/snooze` }),
    onSettled: (_, __, rollout) => refetchHandling(client, rollout),
  });
}

async function refetchHandling(client: QueryClient, rollout: ObjectRef): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: queryKeys.inbox() }),
    client.invalidateQueries({ queryKey: queryKeys.rollout(rollout), exact: true }),
  ]);
}
