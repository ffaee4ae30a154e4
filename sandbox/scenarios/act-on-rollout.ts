import type { KubeObject, Store } from "#sandbox/apiserver/store-types.ts";
import { imageTag } from "#sandbox/controllers/metric-provider.ts";
import type { PodTemplate, Rollout } from "#sandbox/controllers/rollout-types.ts";
import { viewRollout } from "#sandbox/controllers/rollout-types.ts";
import { DELIVERY_TOOL, isTracked, withDesired } from "./gitops-agent.ts";
import type { ScriptStep } from "./scenario-types.ts";

/** The number of script steps played is stored on the Rollout itself, so that a restart continues there. */
export const SCRIPT_STEP_ANNOTATION = "sandbox.gatehouse/script-step";
/** Field managers of the actors in a script: the delivery tool and a person at the command line. */
export const DEPLOYER = DELIVERY_TOOL;
const PERSON = "kubectl-argo-rollouts";

/** Plays one step of a script and records on the Rollout how many have been played. */
export function actOnRollout(store: Store, object: KubeObject, step: ScriptStep, played: number): void {
  if (typeof step.act === "object") {
    const isRelease = "release" in step.act;
    const version = "release" in step.act ? step.act.release : step.act.setImage;
    release(store, object, { version, played, manager: isRelease ? DEPLOYER : PERSON });
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

/** Returns the status fields that `kubectl argo rollouts` patches for the act. */
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

/**
 * Sets the image tag in the pod template, as a deployment does. The delivery tool also changes its desired state; a
 * person does not.
 */
export function release(
  store: Store,
  object: KubeObject,
  change: { version: string; played: number; manager?: string },
): void {
  const { version, played, manager = DEPLOYER } = change;
  const { workloadRef } = viewRollout(object).spec;
  const isReferring = workloadRef != null;
  const deployment = isReferring ? store.get("deployments", object.metadata.namespace, workloadRef.name) : undefined;
  if (deployment !== undefined) {
    store.update("deployments", withVersion(deployment, version), { manager });
  }
  const released = isReferring ? object : withVersion(object, version);
  const next = { ...released, metadata: markPlayed(object, played) };
  const isFromGit = manager === DEPLOYER && isTracked(object);
  store.update("rollouts", isFromGit ? withDesired(next, { spec: released.spec }) : next, { manager });
}

function withVersion(object: KubeObject, version: string): KubeObject {
  const spec = object.spec as { template: PodTemplate };
  const containers = spec.template.spec.containers.map((container, index) =>
    index === 0 ? { ...container, image: withTag(container.image, version) } : container,
  );
  return { ...object, spec: { ...spec, template: { ...spec.template, spec: { ...spec.template.spec, containers } } } };
}

function markPlayed(object: KubeObject, played: number): KubeObject["metadata"] {
  const annotations = { ...object.metadata.annotations, [SCRIPT_STEP_ANNOTATION]: String(played) };
  return { ...object.metadata, annotations };
}

function withTag(image: string, tag: string): string {
  const current = imageTag(image);
  return `${current === "" ? image : image.slice(0, -current.length - 1)}:${tag}`;
}
