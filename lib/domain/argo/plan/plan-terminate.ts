import type { SubjectActionName } from "#lib/domain/acting/action-catalogue.ts";
import type { EffectAssessment, RunState } from "#lib/domain/acting/effect.ts";
import { type ActionPatch, type ActionRefusal, refuse } from "#lib/domain/acting/plan.ts";
import type { AnalysisRunObject } from "#lib/domain/argo/objects/analysis-run-object.ts";
import { type ExperimentObject, experimentEndOf } from "#lib/domain/argo/objects/experiment-object.ts";
import { currentStepOf, type RolloutObject, stepsOf } from "#lib/domain/argo/objects/rollout-object.ts";
import type { ExpectedEffect, PatchTarget } from "#lib/domain/argo/plan/action-effect.ts";
import { readActionFacts } from "#lib/domain/argo/plan/action-facts.ts";
import { formatKubectl, formatStepPlace } from "#lib/domain/argo/plan/action-text.ts";
import { type ArgoPlan, listJudging } from "#lib/domain/argo/plan/plan-types.ts";
import { isCompleted } from "#lib/domain/delivery/run-phase.ts";
import { findGitOpsOwner } from "#lib/domain/kube/find-field-holders.ts";
import { formatList } from "#lib/util/words.ts";

export type SubjectObject = AnalysisRunObject | ExperimentObject;

/**
 * Ends a run or an Experiment, or restarts an Experiment (cmd/terminate, cmd/retry of 9f8d111). Their status has no
 * subresource: both patches go to the main resource.
 *
 * | action | object | phase | spec.terminate | patch |
 * |---|---|---|---|---|
 * | terminate | run, Experiment | none, Pending, Running | false | spec.terminate true |
 * | retry | Experiment | Failed, Error, Inconclusive | false | status null |
 */
export function planSubjectAction({
  action,
  object,
  rollout,
}: {
  action: SubjectActionName;
  object: SubjectObject;
  /** The rollout that it belongs to; undefined if it has none. */
  rollout: RolloutObject | undefined;
}): ArgoPlan | ActionRefusal {
  const phase = object.status?.phase ?? "";
  if (object.metadata.deletionTimestamp !== undefined)
    return refuse("being_deleted", `${titleOf(object)} is being deleted.`);
  if (!isCompleted(phase) && phase !== "" && phase !== "Pending" && phase !== "Running")
    return refuse("unknown_state", `It is in an unknown phase: ${phase}.`);
  return action === "terminate"
    ? planTerminate({ object, rollout, phase })
    : planRetryExperiment({ object, rollout, phase });
}

type Input = { object: SubjectObject; rollout: RolloutObject | undefined; phase: string };

function planTerminate({ object, rollout, phase }: Input): ArgoPlan | ActionRefusal {
  const title = titleOf(object);
  if (isCompleted(phase)) return refuse("ended", `${title} has already ended: ${phase}.`);
  if (object.spec.terminate) return refuse("terminating", `${title} is already being terminated.`);
  const usual = object.kind === "AnalysisRun" ? "usually as Successful" : "its runs with it, usually as Successful";
  return planOf({
    object,
    body: { spec: { terminate: true } },
    effect: `Ends ${title} early, ${usual}, regardless of its measurements so far. ${describeConsequence({ object, rollout })}`,
    waives: `the unfinished ${title}`,
    kind: "ended",
  });
}

function planRetryExperiment({ object, rollout, phase }: Input): ArgoPlan | ActionRefusal {
  const title = titleOf(object);
  if (object.kind !== "Experiment") return refuse("not_an_experiment", "A run cannot be restarted: use Measure again.");
  if (!isCompleted(phase)) return refuse("not_ended", `${title} has not ended.`);
  if (phase === "Successful") return refuse("successful", `${title} was successful; there is nothing to retry.`);
  if (object.spec.terminate) return refuse("terminating", `${title} is terminated: it would end again at once.`);
  const held = isCurrent({ object, rollout })
    ? " The rollout does not continue automatically: its pause must be cleared too."
    : "";
  return planOf({
    object,
    body: { status: null },
    effect: `Discards the ${phase} result of ${title} and restarts its pods and analyses.${held}`,
    kind: "experiment-retried",
  });
}

function planOf({
  object,
  body,
  effect,
  waives,
  kind,
}: {
  object: SubjectObject;
  body: ActionPatch["body"];
  effect: string;
  waives?: string;
  kind: ExpectedEffect["kind"];
}): ArgoPlan {
  const patches: ActionPatch[] = [{ subresource: "", body }];
  const { metadata } = object;
  const { name, namespace = "default" } = metadata;
  const owner = findGitOpsOwner(metadata);
  const target = targetOf(object);
  const resource = object.kind === "AnalysisRun" ? "analysisrun" : "experiment";
  return {
    kind: "patches",
    also: [],
    patches,
    shown: patches,
    ofTemplate: false,
    target,
    effect,
    ...(waives === undefined ? {} : { waives }),
    warnings: owner === undefined ? [] : [`${owner} owns it and may revert its spec.`],
    kubectl: formatKubectl({ facts: { name, namespace }, patches, resource }),
    expectedEffect: {
      kind,
      uid: "",
      podHash: "",
      step: 0,
      pauses: [],
      runs: [],
      target,
      endedAt: object.kind === "Experiment" ? experimentEndOf(object) : undefined,
    },
  };
}

export function targetOf({ kind, metadata: { name, uid, resourceVersion } }: SubjectObject): PatchTarget {
  return { resource: kind === "AnalysisRun" ? "analysisruns" : "experiments", kind, name, uid, resourceVersion };
}

/** Returns whether an object includes the change, though others may have changed it since. */
export function carriesSubjectChange({
  expected,
  object,
}: {
  expected: ExpectedEffect;
  object: SubjectObject;
}): boolean {
  if (expected.kind === "ended") return object.spec.terminate;
  const run = { uid: object.metadata.uid, ...stateOf(object) };
  return object.status === undefined || assessRunEffect({ expected, run }).state === "effective";
}

export function stateOf(object: SubjectObject): { phase: string; endedAt: string | undefined } {
  const phase = object.status?.phase ?? "";
  return { phase, endedAt: object.kind === "Experiment" ? experimentEndOf(object) : object.status?.completedAt };
}

function titleOf({ kind, metadata: { name } }: SubjectObject): string {
  return kind === "AnalysisRun" ? `run ${name}` : `experiment ${name}`;
}

function describeConsequence({ object, rollout }: Pick<Input, "object" | "rollout">): string {
  if (rollout === undefined) return "No rollout owns it.";
  const { name } = rollout.metadata;
  if (!isCurrent({ object, rollout }))
    return `Rollout ${name} does not name it as current. If a current experiment waits for it, this lets the release through.`;
  const steps = stepsOf(rollout).length;
  const where = steps === 0 ? "" : ` at ${formatStepPlace({ completed: currentStepOf(rollout), stepCount: steps })}`;
  const others = listJudging(readActionFacts(rollout)).filter((judge) => judge !== titleOf(object));
  if (others.length > 0)
    return `It then no longer holds the release of ${name}${where}; ${formatList(others)} still ${others.length === 1 ? "judges" : "judge"} it.`;
  return `This lets the release of ${name} through${where}: no other analysis replaces it.`;
}

function isCurrent({ object, rollout }: Pick<Input, "object" | "rollout">): boolean {
  const { canary, blueGreen } = rollout?.status ?? {};
  const names =
    object.kind === "Experiment"
      ? [canary?.currentExperiment]
      : [
          canary?.currentStepAnalysisRunStatus?.name,
          canary?.currentBackgroundAnalysisRunStatus?.name,
          blueGreen?.prePromotionAnalysisRunStatus?.name,
          blueGreen?.postPromotionAnalysisRunStatus?.name,
        ];
  return names.includes(object.metadata.name);
}

/**
 * Judges from the terminated or retried object whether the controller has acted. We write `spec.terminate`, or clear
 * the whole status: a phase after that is the controller's.
 */
export function assessRunEffect({ expected, run }: { expected: ExpectedEffect; run: RunState }): EffectAssessment {
  if (expected.target !== undefined && run.uid !== expected.target.uid)
    return { state: "not-effective", message: "It was deleted and created again before it took effect." };
  if (expected.kind === "ended")
    return isCompleted(run.phase)
      ? { state: "effective", message: `It ended as ${run.phase}.` }
      : { state: "pending", message: "The controller has not ended it yet." };
  const isNew = isCompleted(run.phase) ? run.endedAt !== expected.endedAt : run.phase !== "";
  return isNew
    ? { state: "effective", message: "It has started again." }
    : { state: "pending", message: "The controller has not started it again yet." };
}
