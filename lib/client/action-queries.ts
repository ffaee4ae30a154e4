import { useMutation, useQuery } from "@tanstack/react-query";
import { type ActionAddress, actionApiPath } from "#lib/client/action-address.ts";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import { formatRolloutId } from "#lib/client/rollout-path.ts";
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
  target: ActionAddress;
  request: ActionRequest;
  /** The same key for a repeated attempt of the same click, so that it cannot act twice. */
  idempotencyKey: string;
};

export function useAct() {
  return useMutation({
    mutationFn: ({ target, request: body, idempotencyKey }: ActInput) =>
      request<ActionAccepted>({
        method: "POST",
        path: `${actionApiPath(target)}/actions`,
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

type PlanInput = {
  target: ActionAddress;
  action: ActionName;
  params?: ActionParams;
  /** The state in which it is asked: a run that has ended is asked anew. */
  state?: string;
};

/** What an action would do, made from the live object by the server; changes nothing. */
export function requestActionPlan(
  { target, action, params = {} }: PlanInput,
  signal?: AbortSignal,
): Promise<ActionPlanAnswer> {
  const path = `${actionApiPath(target)}/action-plan`;
  return request<ActionPlanAnswer>({ method: "POST", path, body: { action, ...params }, signal });
}

export function useActionPlan({ enabled, ...input }: PlanInput & { enabled: boolean }) {
  const { target, action, params = {}, state } = input;
  const wish = { action, ...params };
  return useQuery({
    queryKey:
      target.subject === undefined
        ? queryKeys.actionPlan(target, wish)
        : queryKeys.subjectPlan(formatRolloutId(target), { uid: target.subject.uid, state, ...wish }),
    queryFn: ({ signal }) => requestActionPlan(input, signal),
    enabled,
    retry: false,
  });
}
