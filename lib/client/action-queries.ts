import { useMutation, useQuery } from "@tanstack/react-query";
import { type ActionAddress, actionApiPath } from "#lib/client/action-address.ts";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import type {
  Action,
  ActionAccepted,
  ActionParams,
  ActionPlanAnswer,
  RolloutActionRequest,
} from "#lib/contract/action.ts";
import type { ActionName } from "#lib/contract/rollout.ts";
import type { ScheduledAction } from "#lib/contract/scheduled-action.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";

export type ActInput = {
  target: ActionAddress;
  request: RolloutActionRequest;
  /** Stays the same for a repeated attempt of the same click, so that it cannot act twice. */
  idempotencyKey: string;
};

export function useAct() {
  return useMutation({
    mutationFn: ({ target, request: body, idempotencyKey }: ActInput) =>
      request<ActionAccepted | ScheduledAction>({
        method: "POST",
        path: `${actionApiPath(target)}/actions`,
        body,
        headers: { "idempotency-key": idempotencyKey },
      }),
  });
}

/** Returns the polling interval, for when the change stream is down; longer for actions that are watched for hours. */
function nextAskMs(action: Action | undefined): number | false {
  if (action?.final) return false;
  return action?.state === "not-effective" ? 30_000 : 2_000;
}

/** Follows an action until its state is final. */
export function useAction(id: string, enabled = true) {
  return useQuery({
    queryKey: queryKeys.action(id),
    queryFn: ({ signal }) => request<Action>({ path: `/api/v1/actions/${encodeURIComponent(id)}`, signal }),
    enabled,
    refetchInterval: (query) => nextAskMs(query.state.data),
  });
}

type PlanInput = {
  target: ActionAddress;
  action: ActionName;
  params?: ActionParams;
  /** The state at the time of the request: a run that has ended needs a new plan. */
  state?: string;
};

/** Asks the server what an action would do to the live object; changes nothing. */
export function requestActionPlan(
  { target, action, params = {} }: PlanInput,
  signal?: AbortSignal,
): Promise<ActionPlanAnswer> {
  const path = `${actionApiPath(target)}/action-plan`;
  return request<ActionPlanAnswer>({ method: "POST", path, body: { action, ...params }, signal });
}

export function useActionPlan({ enabled, ...input }: PlanInput & { enabled: boolean }) {
  const { target, action, params = {}, state } = input;
  const fields = { action, ...params };
  return useQuery({
    queryKey:
      target.subject === undefined
        ? queryKeys.actionPlan(target, fields)
        : queryKeys.subjectPlan(formatObjectRef(target), { uid: target.subject.uid, state, ...fields }),
    queryFn: ({ signal }) => requestActionPlan(input, signal),
    enabled,
    retry: false,
  });
}
