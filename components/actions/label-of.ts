import { shortenImage } from "#lib/client/describe-images.ts";
import type { ActionParams } from "#lib/contract/action.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";
import { entryOf } from "#lib/domain/acting/action-catalogue.ts";

type Labelled = Pick<AllowedAction, "action" | "label" | "revisions">;

/** Returns the words of an action's button. An undo names the version that it restores: the chosen one, else the newest other one. */
export function labelOf({ action, label, revisions = [] }: Labelled, { toRevision }: ActionParams = {}): string {
  // A caller may have worded it for its own place already.
  if (action !== "undo" || label !== entryOf("undo").label) return label;
  const choice =
    toRevision === undefined
      ? revisions.find(({ current }) => !current)
      : revisions.find(({ revision }) => revision === toRevision);
  const version = choice?.images.map(shortenImage).join(", ") ?? "";
  if (version !== "") return `Roll back to ${version}`;
  const revision = toRevision ?? choice?.revision;
  return revision === undefined ? label : `Roll back to revision ${revision}`;
}
