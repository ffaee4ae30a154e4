import type { KubeObject, KubeObjectInput, Store } from "#sandbox/apiserver/store-types.ts";
import { currentStep, isFullyPromoted } from "#sandbox/controllers/canary-steps.ts";
import type { Clock } from "#sandbox/controllers/clock.ts";
import { parseTime } from "#sandbox/controllers/clock.ts";
import { imageTag } from "#sandbox/controllers/metric-provider.ts";
import { findPause } from "#sandbox/controllers/pause-state.ts";
import { findCondition } from "#sandbox/controllers/rollout-conditions.ts";
import type { Rollout } from "#sandbox/controllers/rollout-types.ts";
import { viewRollout } from "#sandbox/controllers/rollout-types.ts";
import { computePodTemplateHash } from "#sandbox/controllers/template-hash.ts";
import { createWorkQueue } from "#sandbox/controllers/work-queue.ts";
import { buildRollout, buildTemplate } from "./scenario-objects.ts";
import type { Moment, Scenario, ScriptStep } from "./scenario-types.ts";

/** How many script steps have been played stands on the Rollout itself, so that a restart goes on there. */
export const SCRIPT_STEP_ANNOTATION = "sandbox.gatehouse/script-step";
/** Names on the namespace what was created once: an object that a person deletes stays deleted. */
export const CREATED_ANNOTATION = "sandbox.gatehouse/created";

const DEPLOYER = "argocd-controller";
const PERSON = "kubectl-argo-rollouts";

export type ScenarioPlayer = {
  start(): void;
  stop(): void;
  locations(cluster: string): Record<string, string>;
};

export function createScenarioPlayer(options: {
  store: Store;
  clock: Clock;
  speed: number;
  scenarios: readonly Scenario[];
  log: (line: string) => void;
}): ScenarioPlayer {
  const { store, clock, speed, scenarios, log } = options;
  const byKey = new Map(scenarios.map((scenario) => [`${scenario.namespace}/${scenario.name}`, scenario]));
  let unsubscribe: (() => void) | undefined;

  const queue = createWorkQueue({
    clock,
    handle: play,
    onError: (key, error) => log(`scenario ${key} failed: ${error instanceof Error ? error.message : String(error)}`),
  });

  function play(key: string): void {
    const scenario = byKey.get(key);
    const object = scenario && store.get("rollouts", scenario.namespace, scenario.name);
    if (scenario === undefined || object === undefined) {
      return;
    }
    const rollout = viewRollout(object);
    const played = Number(object.metadata.annotations?.[SCRIPT_STEP_ANNOTATION] ?? "0");
    const step = scenario.script[played];
    if (step !== undefined) {
      if (isMoment(rollout, step.when)) {
        act(store, object, step, played + 1);
      }
      return;
    }
    const waitMs = releaseWaitMs(scenario, rollout, { nowMs: clock.now(), speed });
    if (waitMs === 0) {
      release(store, object, nextVersion(tagOf(rollout)), played);
    } else if (waitMs !== undefined) {
      queue.enqueue(key, waitMs);
    }
  }

  return {
    start() {
      if (unsubscribe !== undefined) {
        return;
      }
      unsubscribe = store.subscribe(({ resource, object }) => {
        const key = `${object.metadata.namespace}/${object.metadata.name}`;
        if (resource === "rollouts" && byKey.has(key)) {
          queue.enqueue(key);
        }
      });
      for (const [key, scenario] of byKey) {
        install(store, scenario);
        queue.enqueue(key);
      }
    },
    stop() {
      unsubscribe?.();
      queue.stop();
    },
    locations(cluster) {
      const named = scenarios.filter((scenario) => scenario.key !== undefined);
      return Object.fromEntries(
        named.map(({ key, namespace, name }) => [key ?? "", `${cluster}/${namespace}/Rollout/${name}`]),
      );
    },
  };
}

function install(store: Store, scenario: Scenario): void {
  const { namespace } = scenario;
  const created = createdNames(store, namespace);
  const wanted: { resource: string; object: KubeObjectInput }[] = [
    ...scenario.templates.map((template) => ({
      resource: "analysistemplates",
      object: buildTemplate(namespace, template),
    })),
    { resource: "rollouts", object: buildRollout(scenario) },
  ];
  for (const { resource, object } of wanted) {
    const mark = `${resource}.${object.metadata.name}`;
    if (created.has(mark)) {
      continue;
    }
    if (store.get(resource, namespace, object.metadata.name) === undefined) {
      store.create(resource, object, { manager: DEPLOYER });
    }
    created.add(mark);
    markCreated(store, namespace, created);
  }
}

function createdNames(store: Store, namespace: string): Set<string> {
  const existing = store.get("namespaces", undefined, namespace);
  if (existing === undefined) {
    const object = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
    store.create("namespaces", object, { manager: DEPLOYER });
    return new Set();
  }
  return new Set((existing.metadata.annotations?.[CREATED_ANNOTATION] ?? "").split(",").filter((name) => name !== ""));
}

function markCreated(store: Store, namespace: string, created: Set<string>): void {
  const existing = store.get("namespaces", undefined, namespace);
  if (existing !== undefined) {
    const annotations = { ...existing.metadata.annotations, [CREATED_ANNOTATION]: [...created].join(",") };
    store.update("namespaces", { ...existing, metadata: { ...existing.metadata, annotations } }, { manager: DEPLOYER });
  }
}

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

function act(store: Store, object: KubeObject, step: ScriptStep, played: number): void {
  if (typeof step.act === "object") {
    release(store, object, step.act.release, played);
    return;
  }
  if (step.act === "pause") {
    const metadata = markPlayed(object, played);
    store.update("rollouts", { ...object, metadata, spec: { ...object.spec, paused: true } }, { manager: PERSON });
    return;
  }
  const status = { ...object.status, ...personalChange(viewRollout(object), step.act) };
  const acted = store.update("rollouts", { ...object, status }, { manager: PERSON, subresource: "status" });
  store.update("rollouts", { ...acted, metadata: markPlayed(acted, played) }, { manager: DEPLOYER });
}

/** The status fields that `kubectl argo rollouts` patches for the act. */
function personalChange(rollout: Rollout, act: "retry" | "accept-step" | "continue"): Record<string, unknown> {
  switch (act) {
    case "retry":
      return { abort: false };
    case "continue":
      return { pauseConditions: undefined };
    case "accept-step": {
      const next = (rollout.status.currentStepIndex ?? 0) + 1;
      return { pauseConditions: undefined, controllerPause: false, currentStepIndex: next };
    }
  }
}

function release(store: Store, object: KubeObject, version: string, played: number): void {
  const { spec } = viewRollout(object);
  const containers = spec.template.spec.containers.map((container, index) =>
    index === 0 ? { ...container, image: withTag(container.image, version) } : container,
  );
  const template = { ...spec.template, spec: { ...spec.template.spec, containers } };
  const next = { ...object, metadata: markPlayed(object, played), spec: { ...object.spec, template } };
  store.update("rollouts", next, { manager: DEPLOYER });
}

function markPlayed(object: KubeObject, played: number): KubeObject["metadata"] {
  const annotations = { ...object.metadata.annotations, [SCRIPT_STEP_ANNOTATION]: String(played) };
  return { ...object.metadata, annotations };
}

/** How long until the next release of a live Rollout; undefined while the last one is still under way. */
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

/** "v1.4.9" to "v1.4.10"; a tag without a number at its end gets one. */
export function nextVersion(tag: string): string {
  const match = /^(.*?)(\d+)$/.exec(tag);
  return match === null ? `${tag}-1` : `${match[1]}${Number(match[2]) + 1}`;
}

function tagOf(rollout: Rollout): string {
  return imageTag(rollout.spec.template.spec.containers[0]?.image ?? "");
}

function withTag(image: string, tag: string): string {
  const current = imageTag(image);
  return `${current === "" ? image : image.slice(0, -current.length - 1)}:${tag}`;
}
