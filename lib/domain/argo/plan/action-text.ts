import { formatPatchCommands, quoteWord } from "#lib/domain/acting/format-kubectl.ts";
import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import type { ActionFacts } from "#lib/domain/argo/plan/action-facts.ts";
import { readActualWeight, readSetWeight } from "#lib/domain/argo/view/read-weights.ts";

/** Formats "step 5 of 8": the step after the `completed` ones, counted from 1; at the end the last one. */
export function formatStepPlace({ completed, stepCount }: { completed: number; stepCount: number }): string {
  return `step ${Math.min(completed + 1, stepCount)} of ${stepCount}`;
}

/** Formats "Traffic of the new version goes from 40 to 0 %, back to the stable version v2.8.0". */
export function formatAbortEffect({ rollout, facts }: { rollout: RolloutObject; facts: ActionFacts }): string {
  const kept = "The manifest still has the new version: revert it in Git, or it may roll out again.";
  if (facts.stableHash === "") return `The update stops. There is no stable version yet to go back to. ${kept}`;
  if (facts.strategy === "blueGreen")
    return `The update to ${facts.newVersion} stops and the active service serves the stable version ${facts.stableVersion}. ${kept}`;
  const from = formatWayBack({ actual: readActualWeight(rollout), set: readSetWeight(rollout) });
  const at =
    facts.stepCount === 0 ? "" : ` at ${formatStepPlace({ completed: facts.step, stepCount: facts.stepCount })}`;
  return `The update to ${facts.newVersion} stops${at}. ${from} to the stable version ${facts.stableVersion}. ${kept}`;
}

/** Formats the way back. The set weight is not the actual one: it is labelled as such if only it is known. */
function formatWayBack({ actual, set }: { actual: number | undefined; set: number | undefined }): string {
  if (actual !== undefined) return `Traffic of the new version goes from ${actual} to 0 %, back`;
  return set === undefined ? "All traffic goes back" : `Traffic of the new version, set to ${set} %, goes to 0 %, back`;
}

type Named = Pick<ActionFacts, "name" | "namespace">;

/** Formats `kubectl argo rollouts undo`: the plugin's command, since the patch itself may contain secrets. */
export function formatUndo({ name, namespace, toRevision }: Named & { toRevision?: number | undefined }): string {
  const to = toRevision === undefined ? "" : ` --to-revision=${toRevision}`;
  return `kubectl argo rollouts undo ${quoteWord(name)} -n ${quoteWord(namespace)}${to}`;
}

export function formatSetImage({
  name,
  namespace,
  container,
  image,
}: Named & { container: string; image: string }): string {
  return `kubectl argo rollouts set image ${quoteWord(name)} ${quoteWord(`${container}=${image}`)} -n ${quoteWord(namespace)}`;
}

/** Formats one command per patch, to be run in this order. */
export function formatKubectl({
  facts,
  patches,
  resource = "rollout",
}: {
  facts: Named;
  resource?: "rollout" | "analysisrun" | "experiment";
  patches: readonly { subresource: "" | "status"; body: unknown }[];
}): string {
  return formatPatchCommands({ ...facts, resource, patches });
}
