import { useDebouncedValue } from "@mantine/hooks";
import type { ActTarget } from "#components/actions/act-target.ts";
import { areParamsComplete, defaultParams } from "#components/actions/param-fields.tsx";
import { useActionPlan } from "#lib/client/action-queries.ts";
import type { ActionParams } from "#lib/contract/action.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";

type PlannedInput = {
  target: ActTarget;
  action: AllowedAction;
  /** The person's choice; undefined while the fields have their defaults. */
  typed: ActionParams | undefined;
};

export type PlannedAction = {
  shown: AllowedAction;
  params: ActionParams;
  /** The options to choose from. */
  offer: AllowedAction;
  /** Whether `shown` describes the effect of these parameters; false while planning, or if planning failed. */
  isPlanned: boolean;
  /** Why the click must wait. */
  waitsFor?: string;
  /** Why the effect is unknown; the server still checks the action at the click. */
  problem?: string;
};

/**
 * Plans an action with parameters, whose effect depends on them: the server plans from live objects while the person
 * chooses. It also returns the options, which the record may lack. Other actions stay as offered.
 */
export function usePlannedAction({ target, action, typed }: PlannedInput): PlannedAction {
  const takesParams = action.action === "undo" || action.action === "set-image";
  const choices = useActionPlan({ target, action: action.action, enabled: takesParams });
  const offer = takesParams ? withChoices(action, choices.data) : action;
  const params = typed ?? defaultParams(offer);
  const isComplete = areParamsComplete(action.action, params);
  const serialized = JSON.stringify(params);
  const [settled] = useDebouncedValue(serialized, 300);
  const isSettled = settled === serialized;
  const plan = useActionPlan({
    target,
    action: action.action,
    params,
    enabled: takesParams && isComplete && isSettled,
  });
  if (!takesParams) return { shown: action, params, offer, isPlanned: true };
  const unplanned = { shown: withRevision(action, params), params, offer, isPlanned: false };
  if (!isComplete) {
    const isAsking = action.action === "set-image" && typed === undefined && choices.isPending;
    return {
      ...unplanned,
      waitsFor: isAsking ? "Reading the running version from the cluster." : "Choose a container and an image.",
    };
  }
  if (isSettled && plan.data !== undefined) {
    // A refusal describes no effect, so the general text stays.
    const { effect = action.effect } = plan.data;
    const shown = { ...plan.data, label: action.label, ...(effect === undefined ? {} : { effect }) };
    return { shown, params, offer, isPlanned: true };
  }
  if (isSettled && plan.error !== null) return { ...unplanned, problem: plan.error.message };
  return { ...unplanned, waitsFor: "Working out what this would do." };
}

function withChoices(action: AllowedAction, live: AllowedAction | undefined): AllowedAction {
  if (live === undefined) return action;
  return {
    ...action,
    ...(live.revisions === undefined ? {} : { revisions: live.revisions }),
    ...(live.containers === undefined || live.containers.length === 0 ? {} : { containers: live.containers }),
  };
}

/** Replaces the revision in the offered command with the chosen one. */
function withRevision(action: AllowedAction, { toRevision }: ActionParams): AllowedAction {
  if (toRevision === undefined || action.kubectl === undefined) return action;
  return { ...action, kubectl: action.kubectl.replace(/--to-revision=\d+$/, `--to-revision=${toRevision}`) };
}
