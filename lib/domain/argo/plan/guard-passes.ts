import type { ActionPlan } from "#lib/domain/acting/plan.ts";
import { type RolloutObject, stepsOf } from "#lib/domain/argo/objects/rollout-object.ts";
import { formatStepPlace, nameStepAt } from "#lib/domain/argo/plan/action-text.ts";
import type { ViewChange } from "#lib/domain/delivery/acting.ts";
import { formatList } from "#lib/util/words.ts";

/**
 * Finds pauses that the plan would let pass without the person having been told. The wanted replicas decide which
 * pauses the controller passes but are not part of the view's digest: an autoscaler that changes them every minute
 * would make every view stale. `named` are the indices of the pauses that the person was told of; without them nothing
 * is compared.
 */
export function findUnnamedPasses({
  rollout,
  plan,
  named,
}: {
  rollout: RolloutObject;
  plan: Pick<ActionPlan, "passesPauses">;
  named: readonly number[] | undefined;
}): { message: string; change: ViewChange } | undefined {
  const passes = plan.passesPauses ?? [];
  const unnamed = named === undefined ? [] : passes.filter((index) => !named.includes(index));
  if (named === undefined || unnamed.length === 0) return undefined;
  const stepCount = stepsOf(rollout).length;
  const places = formatList(
    unnamed.map((index) => `${formatStepPlace({ completed: index, stepCount })} (${nameStepAt(rollout, index)})`),
  );
  const text = `It may now pass ${places}, unlike when you looked at it.`;
  return {
    message: `${text} Review the changes, then decide again.`,
    change: { field: passesField, seen: [...named], now: passes, text },
  };
}

/** Listed among the changes of a view, although it comes from the plan and is not a field of the object. */
const passesField = "passesPauses";
