import { type ActionRefusal, refuse } from "#lib/domain/acting/plan.ts";
import { type RolloutObject, stepsOf } from "#lib/domain/argo/objects/rollout-object.ts";
import { planEffect } from "#lib/domain/argo/plan/action-effect.ts";
import { formatStepPlace, warnOfPassed } from "#lib/domain/argo/plan/action-text.ts";
import { isPauseStep, listPassedPauses } from "#lib/domain/argo/plan/hold-gate.ts";
import { type Draft, type PlanInput, unpausePatch } from "#lib/domain/argo/plan/plan-types.ts";
import { pauseSecondsOf } from "#lib/domain/argo/view/rollout-steps.ts";
import { findGitOpsOwner } from "#lib/domain/kube/find-field-holders.ts";

/** Halts the update at its current place (rollout/context.go, haltProgress); protective. */
export function planPause({ rollout, facts }: PlanInput): Draft | ActionRefusal {
  if (facts.specPaused) return refuse("paused_in_spec", "The rollout is already paused (spec.paused).");
  const where =
    facts.stepCount === 0 ? "" : ` at ${formatStepPlace({ completed: facts.step, stepCount: facts.stepCount })}`;
  const idle = facts.fullyPromoted
    ? " No update is in progress; the next one will not start until the rollout is unpaused."
    : facts.invalidSpec === undefined
      ? ""
      : " The controller rejects the spec and does nothing now; this pause takes effect once the spec is valid.";
  return {
    patches: [{ subresource: "", body: { spec: { paused: true } } }],
    effect: `Holds the update${where} until it is unpaused; running analysis continues.${idle}`,
    warnings: warnOfRevert(rollout),
    expectedEffect: planEffect({ rollout, kind: "paused" }),
  };
}

/**
 * Lifts only `spec.paused`: a waiting gate still waits. A gate that the controller has not announced does not wait if
 * an Inconclusive background run came first.
 */
export function planUnpause({ rollout, facts, now }: PlanInput): Draft | ActionRefusal {
  if (!facts.specPaused) return refuse("not_paused", "Not paused manually (spec.paused is not set).");
  const gates = facts.pauses.length > 0 ? ` It will still be waiting: ${facts.pauses.join(", ")}.` : "";
  const passed = listPassedOnUnpause({ rollout, facts });
  return {
    patches: [unpausePatch],
    effect: `Clears the pause in spec.paused.${gates || " The update continues."}`,
    warnings: [...warnOfRevert(rollout), ...warnOfPassed({ rollout, passed }), ...warnOfOver({ rollout, facts, now })],
    passesPauses: passed,
    expectedEffect: planEffect({ rollout, kind: "unpaused" }),
  };
}

/** The time of a timed pause runs while spec.paused holds the rollout. */
function warnOfOver({ rollout, facts, now }: Pick<PlanInput, "rollout" | "facts" | "now">): string[] {
  const step = stepsOf(rollout)[facts.step];
  const seconds = step === undefined ? undefined : pauseSecondsOf(step);
  const since = rollout.status.pauseConditions?.find(({ reason }) => reason === "CanaryPauseStep")?.startTime;
  if (seconds === undefined || since === undefined || Date.parse(since) + seconds * 1000 > now.getTime()) return [];
  return ["The time of this pause is over: the controller continues at once."];
}

function listPassedOnUnpause({ rollout, facts }: Pick<PlanInput, "rollout" | "facts">): number[] {
  const isAnnounced = facts.pauses.includes("CanaryPauseStep");
  if (facts.strategy !== "canary" || isAnnounced || !facts.pauses.includes("InconclusiveAnalysisRun")) return [];
  const step = stepsOf(rollout)[facts.step];
  if (step?.analysis !== undefined) return [];
  return listPassedPauses({ rollout, from: isPauseStep(step) ? facts.step : facts.step + 1 });
}

/** A time chosen as "now" may have passed by the time it arrives. */
const pastMs = 5 * 60_000;

/**
 * Evicts every pod created before now, or before the requested time, a few at a time (rollout/restart.go); the version
 * stays.
 */
export function planRestart({ rollout, facts, now, params }: PlanInput): Draft | ActionRefusal {
  const wanted = params.at === undefined ? now : new Date(params.at);
  if (Number.isNaN(wanted.getTime()) || wanted.getTime() < now.getTime() - pastMs)
    return refuse("bad_time", "The restart time is invalid or in the past.");
  const restartAt = `${wanted.toISOString().slice(0, 19)}Z`;
  if (rollout.spec.restartAt !== undefined && Date.parse(rollout.spec.restartAt) >= Date.parse(restartAt))
    return refuse("restart_pending", `A restart is already set for ${rollout.spec.restartAt}.`);
  const replicas = rollout.spec.replicas ?? 1;
  const held = facts.specPaused ? " It is paused manually; its pods are restarted anyway." : "";
  const at = params.at === undefined ? "" : ` at ${restartAt}`;
  return {
    patches: [{ subresource: "", body: { spec: { restartAt } } }],
    effect: `Restarts the pods of ${facts.name} (${replicas} wanted)${at} one group after another; no version changes.${held}`,
    warnings: warnOfRevert(rollout),
    expectedEffect: planEffect({ rollout, kind: "restarted", restartAt }),
  };
}

/** Warns that a tool that applies the spec from a repository reverts changes made only in the cluster. */
export function warnOfRevert({ metadata }: RolloutObject): string[] {
  const owner = findGitOpsOwner(metadata);
  return owner === undefined ? [] : [`${owner} owns this rollout and may revert its spec: change it there too.`];
}
