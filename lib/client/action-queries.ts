import { useMutation, useQuery } from "@tanstack/react-query";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import { type RolloutName, rolloutApiPath } from "#lib/client/rollout-path.ts";
import type {
  Action,
  ActionAccepted,
  ActionParams,
  ActionPlanAnswer,
  ActionRequest,
  ActionState,
} from "#lib/contract/action.ts";
import type { ActionName } from "#lib/contract/rollout.ts";

export type ActInput = {
  rollout: RolloutName;
  request: ActionRequest;
  /** The same key for a repeated attempt of the same click, so that it cannot act twice. */
  idempotencyKey: string;
};

export function useAct() {
  return useMutation({
    mutationFn: ({ rollout, request: body, idempotencyKey }: ActInput) =>
      request<ActionAccepted>({
        method: "POST",
        path: `${rolloutApiPath(rollout)}/actions`,
        body,
        headers: { "idempotency-key": idempotencyKey },
      }),
  });
}

/** States that an action does not leave again. */
export function isSettled(state: ActionState): boolean {
  return state === "effective" || state === "not-effective" || state === "refused" || state === "partial";
}

/** Follows an action until it is settled; the change stream wakes it, the interval is for when the stream is down. */
export function useAction(id: string, enabled = true) {
  return useQuery({
    queryKey: queryKeys.action(id),
    queryFn: ({ signal }) => request<Action>({ path: `/api/v1/actions/${encodeURIComponent(id)}`, signal }),
    enabled,
    refetchInterval: (query) => (query.state.data !== undefined && isSettled(query.state.data.state) ? false : 2_000),
  });
}

/** What an action with these parameters would do, made from the live object by the server; asked only while enabled. */
export function useActionPlan(input: {
  rollout: RolloutName;
  action: ActionName;
  params: ActionParams;
  enabled: boolean;
}) {
  const { rollout, action, params, enabled } = input;
  return useQuery({
    queryKey: queryKeys.actionPlan(rollout, { action, ...params }),
    queryFn: ({ signal }) =>
      request<ActionPlanAnswer>({
        method: "POST",
        path: `${rolloutApiPath(rollout)}/action-plan`,
        body: { action, ...params },
        signal,
      }),
    enabled,
    retry: false,
  });
}
