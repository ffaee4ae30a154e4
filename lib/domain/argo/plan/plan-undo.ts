import { type ActionRefusal, type RevisionChoice, refuse } from "#lib/domain/acting/plan.ts";
import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import { formatUndo } from "#lib/domain/argo/plan/action-text.ts";
import { listRevisions, templateOfRevision } from "#lib/domain/argo/plan/plan-revisions.ts";
import { describeRelease, draftTemplateChange, findTemplate } from "#lib/domain/argo/plan/plan-template.ts";
import type { Draft, PlanInput } from "#lib/domain/argo/plan/plan-types.ts";
import { diffMerge } from "#lib/util/diff-merge.ts";

/**
 * Restores the pod template of a revision whose ReplicaSet still exists (cmd/undo of 9f8d111, as a merge patch of the
 * difference instead of a replacement, so that it can have a resourceVersion).
 */
export function planUndo(input: PlanInput): Draft | ActionRefusal {
  const { rollout, facts, params } = input;
  const source = findTemplate(input);
  if ("kind" in source) return source;
  const revisions = listRevisions({ rollout, replicaSets: source.live.replicaSets });
  const chosen = chooseRevision({ revisions, toRevision: params.toRevision });
  if ("kind" in chosen) return chosen;
  const { template: wanted, leftOut } = templateOfRevision({
    replicaSet: chosen.replicaSet,
    current: source.template,
    rollout,
  });
  if (chosen.current && isObserved(rollout, source.target === undefined))
    return refuse("already_there", `The template is already that of revision ${chosen.revision}.`);
  if (Object.keys(diffMerge(source.template, wanted)).length === 0)
    return refuse("already_there", `The template already equals that of revision ${chosen.revision}.`);
  const begins = chosen.stable
    ? "that is the stable version, so the update ends and all traffic goes back to it"
    : describeRelease(facts);
  const images = chosen.images.length === 0 ? "" : ` (${chosen.images.join(", ")})`;
  const draft = draftTemplateChange({
    input,
    source,
    wanted,
    effect: `Restores the pod template of revision ${chosen.revision}${images}: ${begins}.`,
    kubectl: formatUndo({ ...facts, toRevision: chosen.revision }),
    podHash: chosen.podHash === "" ? undefined : chosen.podHash,
  });
  const left = leftOut.length === 0 ? [] : [`Leaves out what the controller added: ${leftOut.join(", ")}.`];
  return { ...draft, warnings: [...(draft.warnings ?? []), ...left] };
}

/** Returns the requested revision, else the newest that is not the current one. */
export function chooseRevision<Choice extends RevisionChoice>({
  revisions,
  toRevision,
}: {
  revisions: readonly Choice[];
  toRevision?: number | undefined;
}): Choice | ActionRefusal {
  const others = revisions.filter(({ current }) => !current);
  const [before] = others;
  if (before === undefined)
    return refuse("no_revision", "No other revision is available: the ReplicaSets of earlier ones are gone.");
  if (toRevision === undefined) return before;
  const found = revisions.find(({ revision }) => revision === toRevision);
  if (found !== undefined) return found;
  const left = revisions.map(({ revision }) => revision).join(", ");
  return refuse("no_such_revision", `Revision ${toRevision} no longer has a ReplicaSet; available: ${left}.`);
}

/** Returns whether `currentPodHash` describes the present template. */
function isObserved({ metadata, status }: RolloutObject, isOwnTemplate: boolean): boolean {
  return (
    isOwnTemplate && metadata.generation !== undefined && status.observedGeneration === String(metadata.generation)
  );
}
