import type { Store } from "#sandbox/apiserver/store-types.ts";
import { currentStep, isFullyPromoted } from "#sandbox/controllers/canary-steps.ts";
import { type Clock, parseTime } from "#sandbox/controllers/clock.ts";
import { imageTag } from "#sandbox/controllers/metric-provider.ts";
import { findPause } from "#sandbox/controllers/pause-state.ts";
import { resolveRollout } from "#sandbox/controllers/resolve-workload.ts";
import { findCondition } from "#sandbox/controllers/rollout-conditions.ts";
import type { Rollout } from "#sandbox/controllers/rollout-types.ts";
import { computePodTemplateHash } from "#sandbox/controllers/template-hash.ts";
import { actOnRollout, release, SCRIPT_STEP_ANNOTATION } from "./act-on-rollout.ts";
import { installScenario } from "./install-scenario.ts";
import { playScripts, type ScenarioPlayer } from "./play-scripts.ts";
import type { Moment, Scenario } from "./scenario-types.ts";

/** Plays the scripts: each step as soon as its Rollout has reached the moment that the step waits for. */
export function createScenarioPlayer(options: {
  store: Store;
  clock: Clock;
  speed: number;
  scenarios: readonly Scenario[];
  log: (line: string) => void;
}): ScenarioPlayer {
  const { store, clock, speed, scenarios, log } = options;

  function play(scenario: Scenario): number | undefined {
    const object = store.get("rollouts", scenario.namespace, scenario.name);
    const resolved = object && resolveRollout(store, object);
    if (object === undefined || resolved === undefined || "problem" in resolved) {
      return undefined;
    }
    const { rollout } = resolved;
    const played = Number(object.metadata.annotations?.[SCRIPT_STEP_ANNOTATION] ?? "0");
    const step = scenario.script[played];
    if (step !== undefined) {
      if (isMoment(rollout, step.when)) {
        actOnRollout(store, object, step, played + 1);
      }
      return undefined;
    }
    const waitMs = releaseWaitMs(scenario, rollout, { nowMs: clock.now(), speed });
    if (waitMs !== 0) {
      return waitMs;
    }
    release(store, object, { version: nextVersion(tagOf(rollout)), played });
    return undefined;
  }

  return playScripts({
    ...{ store, clock, scenarios, log, play },
    resources: ["rollouts"],
    kind: "Rollout",
    install: (scenario) => installScenario(store, scenario),
  });
}

/** Returns how long until the next release of a live Rollout; undefined while the last one is still in progress. */
function releaseWaitMs(
  scenario: Scenario,
  rollout: Rollout,
  time: { nowMs: number; speed: number },
): number | undefined {
  if (scenario.releaseEverySeconds === undefined || !isMoment(rollout, "healthy")) {
    return undefined;
  }
  const healthyMs = parseTime(findCondition(rollout.status, "Healthy")?.lastTransitionTime) ?? time.nowMs;
  return Math.max(0, Math.ceil(healthyMs + (scenario.releaseEverySeconds * 1000) / time.speed - time.nowMs));
}

/** Increments "v1.4.9" to "v1.4.10"; appends a number to a tag without one. */
export function nextVersion(tag: string): string {
  const match = /^(.*?)(\d+)$/.exec(tag);
  return match === null ? `${tag}-1` : `${match[1]}${Number(match[2]) + 1}`;
}

function tagOf(rollout: Rollout): string {
  return imageTag(rollout.spec.template.spec.containers[0]?.image ?? "");
}

/** Returns true if the controller has seen the newest spec and the Rollout matches the moment. */
function isMoment(rollout: Rollout, moment: Moment): boolean {
  const { status, spec, metadata } = rollout;
  const isObserved =
    status.observedGeneration === String(metadata.generation ?? 0) &&
    status.currentPodHash === computePodTemplateHash(spec.template);
  if (!isObserved) {
    return false;
  }
  switch (moment) {
    case "healthy":
      return status.phase === "Healthy" && isFullyPromoted(rollout);
    case "aborted":
      return status.abort === true && status.phase === "Degraded";
    case "inconclusive-step":
      return (
        status.canary?.currentStepAnalysisRunStatus?.status === "Inconclusive" &&
        findPause(status, "InconclusiveAnalysisRun") !== undefined
      );
    case "at-manual-pause": {
      const { step } = currentStep(rollout);
      const isManual = step?.pause !== undefined && step.pause.duration === undefined;
      return isManual && findPause(status, "CanaryPauseStep") !== undefined;
    }
    case "progressing":
      return status.phase !== "Healthy" && !isFullyPromoted(rollout) && (status.currentStepIndex ?? 0) > 0;
  }
}
