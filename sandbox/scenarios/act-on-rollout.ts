import type { KubeObject, Store } from "#sandbox/apiserver/store-types.ts";
import { imageTag } from "#sandbox/controllers/metric-provider.ts";
import type { Rollout } from "#sandbox/controllers/rollout-types.ts";
import { viewRollout } from "#sandbox/controllers/rollout-types.ts";
import type { ScriptStep } from "./scenario-types.ts";

/** How many script steps have been played stands on the Rollout itself, so that a restart goes on there. */
export const SCRIPT_STEP_ANNOTATION = "sandbox.gatehouse/script-step";
/** Field managers of those who act in a script: the delivery tool and a person at the command line. */
export const DEPLOYER = "argocd-controller";
const PERSON = "kubectl-argo-rollouts";

/** Plays one step of a script and notes on the Rollout how many have been played. */
export function actOnRollout(store: Store, object: KubeObject, step: ScriptStep, played: number): void {
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

/** Sets the image tag, as a deployment does. */
export function release(store: Store, object: KubeObject, version: string, played: number): void {
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

function withTag(image: string, tag: string): string {
  const current = imageTag(image);
  return `${current === "" ? image : image.slice(0, -current.length - 1)}:${tag}`;
}
