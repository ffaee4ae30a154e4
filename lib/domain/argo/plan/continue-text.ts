import { type RolloutObject, stepsOf } from "#lib/domain/argo/objects/rollout-object.ts";
import { formatStepPlace } from "#lib/domain/argo/plan/action-text.ts";
import { describeFollows } from "#lib/domain/argo/view/describe-rest.ts";
import { nameStepInSentence } from "#lib/domain/argo/view/step-words.ts";
import { maxWeightOf } from "#lib/domain/argo/view/traffic-share.ts";
import { formatList } from "#lib/util/format-list.ts";

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
export function formatRest({
  rollout,
  completed,
  backgroundRestarts = false,
}: {
  rollout: RolloutObject;
  completed: number;
  backgroundRestarts?: boolean;
}): string {
  if (stepsOf(rollout)[completed] === undefined) return "";
  const follows = describeFollows({ rollout, step: completed, backgroundRestarts });
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
