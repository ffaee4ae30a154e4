import { formatPatchCommands, quoteWord } from "#lib/domain/acting/format-kubectl.ts";
import { type RolloutObject, stepsOf } from "#lib/domain/argo/objects/rollout-object.ts";
import type { ActionFacts } from "#lib/domain/argo/plan/action-facts.ts";
import { describeFollows } from "#lib/domain/argo/view/describe-detail.ts";
import { nameStepInSentence } from "#lib/domain/argo/view/rollout-steps.ts";
import { maxWeightOf, readActualWeight, readSetWeight } from "#lib/domain/argo/view/weights.ts";
import { formatList } from "#lib/util/words.ts";

/** Formats "step 5 of 8": the step after the `completed` ones, counted from 1; at the end the last one. */
export function formatStepPlace({ completed, stepCount }: { completed: number; stepCount: number }): string {
  return `step ${Math.min(completed + 1, stepCount)} of ${stepCount}`;
}

/** Formats the effect of an abort, such as "The 40 % of traffic on v2.9.0 goes back to v2.8.0." */
export function formatAbortEffect({ rollout, facts }: { rollout: RolloutObject; facts: ActionFacts }): string {
  const kept = "The manifest still has the new version: revert it in Git, or it may roll out again.";
  if (facts.stableHash === "") return `The update stops. There is no stable version yet to go back to. ${kept}`;
  if (facts.strategy === "blueGreen")
    return `The update to ${facts.newVersion} stops and the active service serves the stable version ${facts.stableVersion}. ${kept}`;
  const at =
    facts.stepCount === 0 ? "" : ` at ${formatStepPlace({ completed: facts.step, stepCount: facts.stepCount })}`;
  return `The update to ${facts.newVersion} stops${at}. ${formatReturn({ rollout, facts })} ${kept}`;
}

/** Formats the traffic that goes back. The set weight is not the actual one: it is labelled as such. */
function formatReturn({ rollout, facts }: { rollout: RolloutObject; facts: ActionFacts }): string {
  const [actual, set] = [readActualWeight(rollout), readSetWeight(rollout)];
  if (actual !== undefined && actual > 0)
    return `The ${actual} % of traffic on ${facts.newVersion} goes back to ${facts.stableVersion}.`;
  const labelled =
    actual === 0 ? " (none is on the new one)" : set === undefined ? "" : ` (${set} % is set for the new one)`;
  return `All traffic returns to the stable version ${facts.stableVersion}${labelled}.`;
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

/** Formats "the rollout continues at step 5 of 8 (60 % traffic)", after `completed` steps. */
export function formatContinues({ rollout, completed }: { rollout: RolloutObject; completed: number }): string {
  const steps = stepsOf(rollout);
  const next = nameStepAt(rollout, completed);
  if (next === undefined) return "the rollout continues to full promotion";
  return `the rollout continues at ${formatStepPlace({ completed, stepCount: steps.length })} (${next})`;
}

/** Names the step of that index in a sentence; undefined past the last one. */
export function nameStepAt(rollout: RolloutObject, index: number): string | undefined {
  const step = stepsOf(rollout)[index];
  return step === undefined ? undefined : nameStepInSentence(step, maxWeightOf(rollout));
}

/** Formats what comes after the step that an action leads to: " Then wait 10 s → 100 %, no further analysis." */
export function formatRest({ rollout, completed }: { rollout: RolloutObject; completed: number }): string {
  if (stepsOf(rollout)[completed] === undefined) return "";
  const follows = describeFollows({ rollout, step: completed });
  return follows === null ? "" : ` ${follows.text}`;
}

/** Formats what comes after the switch of blue-green: " Then analysis slo → old version scaled down after 10 min." */
export function formatRestOfSwitch(rollout: RolloutObject): string {
  const follows = describeFollows({ rollout, isSwitched: true });
  return follows === null ? "" : ` ${follows.text}`;
}

/** Formats the warning, before the click, about pauses that an action may let the controller pass. */
export function warnOfPassed({ rollout, passed }: { rollout: RolloutObject; passed: readonly number[] }): string[] {
  if (passed.length === 0) return [];
  const stepCount = stepsOf(rollout).length;
  const named = passed.map(
    (index) => `${formatStepPlace({ completed: index, stepCount })} (${nameStepAt(rollout, index)})`,
  );
  return [
    `May not wait at ${formatList(named)}: while only an Inconclusive background run holds the rollout, the controller passes pauses.`,
  ];
}
