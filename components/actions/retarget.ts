import type { ActTarget } from "#components/actions/act-target.ts";
import { requestActionPlan } from "#lib/client/action-queries.ts";
import type { AllowedAction, RolloutDetail } from "#lib/contract/rollout.ts";

type Asked = { target: ActTarget; chosen: AllowedAction };

/**
 * Binds the same question to the current state. Actions on a run or an Experiment are planned again; if that fails, the
 * old view stays and the server refuses it.
 */
export async function retarget({
  target,
  action,
  now,
}: {
  target: ActTarget;
  action: AllowedAction;
  now: RolloutDetail | undefined;
}): Promise<Asked> {
  if (target.subject === undefined) return { target: now ?? target, chosen: action };
  const plan = await requestActionPlan({ target, action: action.action }).catch(() => undefined);
  if (plan === undefined) return { target, chosen: action };
  return { target: { ...target, ...plan.view }, chosen: { ...plan, label: action.label } };
}
