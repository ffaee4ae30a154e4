import { DecisionView } from "#lib/domain/argo/view/view-digest.ts";
import type { ViewChange } from "#lib/domain/delivery/view-change.ts";

type Field = keyof DecisionView;

/** Upstream's path of each field, and its words. In the order of the page: the most important first. */
const fields: readonly (readonly [field: Field, path: string, words: string])[] = [
  ["uid", "metadata.uid", "the object itself (deleted and created again)"],
  ["currentPodHash", "status.currentPodHash", "the revision being rolled out"],
  ["abort", "status.abort", "whether it is aborted"],
  ["currentStepIndex", "status.currentStepIndex", "the current step"],
  ["pauseConditions", "status.pauseConditions", "what it waits for"],
  ["stepAnalysis", "status.canary.currentStepAnalysisRunStatus", "the step's analysis run"],
  ["backgroundAnalysis", "status.canary.currentBackgroundAnalysisRunStatus", "the background analysis run"],
  ["prePromotionAnalysis", "status.blueGreen.prePromotionAnalysisRunStatus", "the pre-promotion analysis run"],
  ["postPromotionAnalysis", "status.blueGreen.postPromotionAnalysisRunStatus", "the post-promotion analysis run"],
  ["experiment", "status.canary.currentExperiment", "the current experiment"],
  ["paused", "spec.paused", "whether a person paused it"],
  ["controllerPause", "status.controllerPause", "whether the controller holds it"],
  ["promoteFull", "status.promoteFull", "whether full promotion is requested"],
  ["stableRS", "status.stableRS", "the stable revision"],
  ["template", "spec.template", "the pod template"],
  ["strategy", "spec.strategy", "the strategy"],
  ["currentStepHash", "status.currentStepHash", "the steps' hash"],
  ["workloadRef", "spec.workloadRef", "the referenced workload"],
  ["workloadGeneration", "metadata.annotations[rollout.argoproj.io/workload-generation]", "the workload's generation"],
];
/** Their values are hashes, which mean nothing to people. */
const hashed: readonly Field[] = ["template", "strategy", "currentStepHash"];

/**
 * Lists the differences between the view that a person saw and the present one. If `seen` is unknown, lists every field
 * with a value now.
 */
export function diffDecisionViews(seen: DecisionView | undefined, now: DecisionView): ViewChange[] {
  return fields.flatMap(([field, path, words]) => {
    const after = now[field];
    if (seen === undefined)
      return after === null
        ? []
        : [{ field: path, seen: null, now: after, text: sentence(words, formatValue(field, after)) }];
    const before = seen[field];
    if (JSON.stringify(before) === JSON.stringify(after)) return [];
    const change = hashed.includes(field)
      ? "changed"
      : `was ${formatValue(field, before)}, is ${formatValue(field, after)}`;
    return [{ field: path, seen: before, now: after, text: sentence(words, change) }];
  });
}

/** Reads a view from a stored observation; undefined if it has none. */
export function parseDecisionView(stored: unknown): DecisionView | undefined {
  const result = DecisionView.safeParse(stored);
  return result.success ? result.data : undefined;
}

function sentence(words: string, rest: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}: ${rest}.`;
}

function formatValue(field: Field, value: DecisionView[Field]): string {
  if (value === null || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (field === "currentStepIndex") return `${value} completed`;
  if (Array.isArray(value))
    return value.length === 0
      ? "nothing"
      : value.map(({ reason, startTime }) => (startTime === null ? reason : `${reason} since ${startTime}`)).join(", ");
  if (typeof value === "object") return `${value.name} ${value.phase === "" ? "without a phase" : value.phase}`;
  return String(value);
}
