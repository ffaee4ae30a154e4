import type { RolloutActionName } from "#lib/domain/acting/action-catalogue.ts";
import type { ActionOffer } from "#lib/domain/acting/judge-actions.ts";
import { type ActionRefusal, type ChoiceOffer, refuse } from "#lib/domain/acting/plan.ts";
import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import { readImages } from "#lib/domain/argo/objects/template-images.ts";
import { readActionFacts } from "#lib/domain/argo/plan/action-facts.ts";
import { formatSetImage, formatUndo } from "#lib/domain/argo/plan/action-text.ts";
import { argoActions, findBlock, planAction } from "#lib/domain/argo/plan/plan-action.ts";
import { choiceOf } from "#lib/domain/argo/plan/plan-revisions.ts";
import { refuseWorkloadKind } from "#lib/domain/argo/plan/plan-template.ts";
import { chooseRevision } from "#lib/domain/argo/plan/plan-undo.ts";
import type { Offering } from "#lib/domain/delivery/acting.ts";
import type { RevisionSet } from "#lib/domain/delivery/attribute-revision.ts";
import { isRecord } from "#lib/util/json.ts";

/** Returns a plan for each action on a Rollout as it is now, or the reason why it cannot be done. */
export function offerActions(rollout: RolloutObject, { now, images, related, among }: Offering): ActionOffer[] {
  const wanted = among === undefined ? argoActions : argoActions.filter((action) => among.includes(action));
  return wanted.map((action) => ({
    action,
    plan:
      offerTemplateAction({ action, rollout, replicaSets: related.replicaSets }) ??
      planAction({ action, rollout, now, images }),
  }));
}

/**
 * Offers undo and set-image as far as the record allows, with the choices. Their patches are made only from live
 * objects, since recorded ones have their secrets hidden. Undefined for other actions.
 */
export function offerTemplateAction({
  action,
  rollout,
  replicaSets,
}: {
  action: RolloutActionName;
  rollout: RolloutObject;
  /** Undefined if they have not been read. */
  replicaSets: readonly Pick<RevisionSet, "revision" | "podHash" | "images">[] | undefined;
}): ChoiceOffer | ActionRefusal | undefined {
  if (action !== "undo" && action !== "set-image") return undefined;
  const facts = readActionFacts(rollout);
  const blocked = findBlock({ action, facts }) ?? refuseWorkloadKind(rollout);
  if (blocked !== undefined) return blocked;
  if (action === "set-image") {
    const template = isRecord(rollout.spec.template) ? rollout.spec.template : {};
    return {
      kind: "offered",
      offer: {
        effect: "Sets the image of a container in the pod template: a new release starts.",
        // A placeholder: the page shows it with the chosen values.
        kubectl: formatSetImage({ ...facts, container: "CONTAINER", image: "IMAGE" }),
        containers: readImages(template),
      },
    };
  }
  if (replicaSets === undefined) return refuse("not_read", "Open the rollout's page to choose a revision.");
  const revisions = replicaSets
    .flatMap(({ revision, podHash = "", images }) =>
      revision === undefined ? [] : [choiceOf({ rollout, revision, podHash, images })],
    )
    .toSorted((one, other) => other.revision - one.revision);
  const before = chooseRevision({ revisions });
  if ("kind" in before) return before;
  const images = before.images.length === 0 ? "" : ` (${before.images.join(", ")})`;
  return {
    kind: "offered",
    offer: {
      effect: `Restores the pod template of an earlier revision, such as ${before.revision}${images}.`,
      kubectl: formatUndo({ ...facts, toRevision: before.revision }),
      revisions,
    },
  };
}
