import { z } from "zod";
import type { ActionPatch } from "#lib/domain/acting/plan.ts";
import type { RolloutObject, RolloutRunStatus } from "#lib/domain/argo/objects/rollout-object.ts";
import type { SeenView, ViewChange } from "#lib/domain/delivery/acting.ts";
import { digestOf } from "#lib/domain/storable/digest-of.ts";

const RunView = z.object({ name: z.string(), phase: z.string() });
const PauseView = z.object({ reason: z.string(), startTime: z.string().nullable() });

/**
 * The fields that a decision about an Argo Rollout depends on, and no others: replica counts, resourceVersion,
 * generation and conditions change all the time and are left out. Template and strategy are hashes, so it contains no
 * secret.
 */
export const DecisionView = z.object({
  uid: z.string(),
  paused: z.boolean(),
  template: z.string().nullable(),
  strategy: z.string(),
  workloadRef: z.string().nullable(),
  workloadGeneration: z.string().nullable(),
  currentPodHash: z.string(),
  stableRS: z.string(),
  currentStepIndex: z.number().nullable(),
  currentStepHash: z.string(),
  controllerPause: z.boolean(),
  pauseConditions: z.array(PauseView),
  abort: z.boolean(),
  promoteFull: z.boolean(),
  stepAnalysis: RunView.nullable(),
  backgroundAnalysis: RunView.nullable(),
  prePromotionAnalysis: RunView.nullable(),
  postPromotionAnalysis: RunView.nullable(),
  experiment: z.string().nullable(),
});
export type DecisionView = z.infer<typeof DecisionView>;

const workloadGeneration = "rollout.argoproj.io/workload-generation";

export function computeDecisionView(rollout: RolloutObject): DecisionView {
  const { metadata, spec, status } = rollout;
  const { workloadRef } = spec;
  return {
    uid: metadata.uid,
    paused: spec.paused,
    template: spec.template === undefined ? null : digestOf(spec.template),
    strategy: digestOf(spec.strategy),
    workloadRef:
      workloadRef === undefined
        ? null
        : [workloadRef.apiVersion, workloadRef.kind, workloadRef.name].map((part) => String(part ?? "")).join("/"),
    // Without workloadRef the annotation has no meaning, and editing it changes no decision.
    workloadGeneration: workloadRef === undefined ? null : (metadata.annotations[workloadGeneration] ?? null),
    currentPodHash: status.currentPodHash,
    stableRS: status.stableRS,
    currentStepIndex: status.currentStepIndex ?? null,
    currentStepHash: status.currentStepHash,
    controllerPause: status.controllerPause,
    pauseConditions: (status.pauseConditions ?? []).map(({ reason, startTime }) => ({
      reason,
      startTime: startTime ?? null,
    })),
    abort: status.abort,
    promoteFull: status.promoteFull,
    stepAnalysis: runViewOf(status.canary?.currentStepAnalysisRunStatus),
    backgroundAnalysis: runViewOf(status.canary?.currentBackgroundAnalysisRunStatus),
    prePromotionAnalysis: runViewOf(status.blueGreen?.prePromotionAnalysisRunStatus),
    postPromotionAnalysis: runViewOf(status.blueGreen?.postPromotionAnalysisRunStatus),
    experiment: status.canary?.currentExperiment || null,
  };
}

/**
 * Returns 64 lowercase hex digits over the decision view. Compute it from the object as the cluster gave it,
 * unredacted.
 */
export function computeViewDigest(rollout: RolloutObject): string {
  return digestOf(computeDecisionView(rollout));
}

function runViewOf(run: RolloutRunStatus | undefined): DecisionView["stepAnalysis"] {
  return run === undefined ? null : { name: run.name, phase: run.status ?? "" };
}

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

type ViewVerdict = { current: true; digest: string } | { current: false; digest: string; now: DecisionView };

/**
 * Assesses whether the rollout still matches the view that the person decided on. Protective actions must work during
 * rapid changes: for them the same object and revision suffice, as long as that revision is not promoted.
 */
export function assessView({
  rollout,
  seen,
  protective,
}: {
  rollout: RolloutObject;
  seen: SeenView;
  protective: boolean;
}): ViewVerdict {
  const { metadata, status } = rollout;
  const digest = computeViewDigest(rollout);
  if (digest === seen.viewDigest) return { current: true, digest };
  const same =
    seen.uid === metadata.uid &&
    seen.revisionKey !== undefined &&
    seen.revisionKey !== "" &&
    seen.revisionKey === status.currentPodHash;
  const isPromoted = status.stableRS === status.currentPodHash;
  if (protective && same && !isPromoted) return { current: true, digest };
  return { current: false, digest, now: computeDecisionView(rollout) };
}

/**
 * Returns a digest of the state that must be unchanged when the second of two patches is sent; the first one changed
 * the view's digest itself. Once spec.paused is lifted a gate may give way to the next one, which the person has not
 * seen. For a patch that lifts a gate, all the rest of the view must therefore be the same. Lifting spec.paused as the
 * second one requires less.
 */
export function anchorOf({ rollout, second }: { rollout: RolloutObject; second: ActionPatch["subresource"] }): string {
  const view = computeDecisionView(rollout);
  if (second === "status") return digestOf({ ...view, paused: null });
  const { uid, template, workloadRef, workloadGeneration, currentPodHash, abort } = view;
  return digestOf({ uid, template, workloadRef, workloadGeneration, currentPodHash, abort });
}
