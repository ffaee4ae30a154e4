import type { ActionParams } from "#lib/contract/action.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";

export type ParamOffer = Pick<AllowedAction, "action" | "revisions" | "containers">;

/** Returns the initial values of the fields. */
export function defaultParams({ action, revisions, containers }: ParamOffer): ActionParams {
  if (action === "undo") {
    const before = revisions?.find(({ current }) => !current);
    return before === undefined ? {} : { toRevision: before.revision };
  }
  const [first] = containers ?? [];
  return action === "set-image" && first !== undefined ? { container: first.name, image: first.image } : {};
}

/** Returns whether the server has enough to make a plan. */
export function areParamsComplete(
  action: AllowedAction["action"],
  { container = "", image = "" }: ActionParams,
): boolean {
  return action !== "set-image" || (container !== "" && image !== "");
}
