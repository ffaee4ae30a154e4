import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { type Deployment, viewDeployment } from "#sandbox/controllers/deployment-types.ts";
import { computePodTemplateHash } from "#sandbox/controllers/template-hash.ts";
import { type Canary, primaryNameOf } from "./canary-types.ts";
import type { FlaggerContext } from "./flagger-context.ts";
import { FLAGGER_MANAGER } from "./flagger-context.ts";
import { findConfigs } from "./tracked-configs.ts";

/** The labels by which Flagger finds a workload's pods, in order of preference (-selector-labels). */
const SELECTOR_LABELS = ["app", "name", "app.kubernetes.io/name"];

export type Workload = Deployment & { object: KubeObject };

/** Returns the Deployment of that name in the Canary's namespace; throws if it does not exist. */
export function readWorkload({ store }: FlaggerContext, { metadata }: Canary, name: string): Workload {
  const object = store.get("deployments", metadata.namespace, name);
  const view = object === undefined ? undefined : viewDeployment(object);
  if (object === undefined || view === undefined) {
    throw new Error(
      `deployment ${name}.${metadata.namespace} get query error: deployments.apps ${JSON.stringify(name)} not found`,
    );
  }
  return { ...view, object };
}

export function readTarget(context: FlaggerContext, canary: Canary): Workload {
  return readWorkload(context, canary, canary.spec.targetRef.name);
}

export function readPrimary(context: FlaggerContext, canary: Canary): Workload {
  return readWorkload(context, canary, primaryNameOf(canary));
}

/** Returns the label that selects the workload's pods, with its value; throws if no known label does. */
export function selectorLabelOf({ metadata, spec }: Workload): { label: string; value: string } {
  const labels = spec.selector.matchLabels ?? {};
  const label = SELECTOR_LABELS.find((known) => labels[known] !== undefined);
  const value = label === undefined ? undefined : labels[label];
  if (label === undefined || value === undefined) {
    const known = `[${SELECTOR_LABELS.join(" ")}]`;
    const place = `deployment ${metadata.name}.${metadata.namespace}`;
    throw new Error(`getSelectorLabel failed: ${place} spec.selector.matchLabels must contain one of ${known}`);
  }
  return { label, value };
}

export function computeTargetHash(context: FlaggerContext, canary: Canary): string {
  return computePodTemplateHash(readTarget(context, canary).spec.template);
}

/** Returns the checksums of the configs that the target uses, by "configmap/name" and "secret/name". */
export function computeTrackedConfigs(context: FlaggerContext, canary: Canary): Record<string, string> {
  const configs = findConfigs(context, readTarget(context, canary));
  return Object.fromEntries(configs.map(({ type, name, checksum }) => [`${type}/${name}`, checksum]));
}

/**
 * Returns whether the target or its configs are new to the Canary. The spec that was promoted last is not
 * (pkg/canary/spec.go hasSpecChanged, config_tracker.go HasConfigChanged of flagger 1.44.0).
 */
export function hasTargetChanged(context: FlaggerContext, canary: Canary): boolean {
  const { lastAppliedSpec = "", lastPromotedSpec = "" } = canary.status;
  const hash = computeTargetHash(context, canary);
  const isNewSpec = lastAppliedSpec === "" || (hash !== lastPromotedSpec && hash !== lastAppliedSpec);
  return isNewSpec || hasConfigChanged(context, canary);
}

function hasConfigChanged(context: FlaggerContext, canary: Canary): boolean {
  const configs = Object.entries(computeTrackedConfigs(context, canary));
  const { trackedConfigs } = canary.status;
  if (trackedConfigs === undefined) {
    return configs.length > 0;
  }
  return (
    configs.length !== Object.keys(trackedConfigs).length ||
    configs.some(([name, checksum]) => trackedConfigs[name] !== checksum)
  );
}

export function scaleToZero(context: FlaggerContext, canary: Canary): void {
  scale(context, readTarget(context, canary), 0);
}

/** Scales the target up to its own replica count, or else to the primary's. */
export function scaleFromZero(context: FlaggerContext, canary: Canary): void {
  const target = readTarget(context, canary);
  const own = target.spec.replicas;
  const borrowed = canary.spec.autoscalerRef === undefined ? readPrimary(context, canary).spec.replicas : 0;
  scale(context, target, own > 0 ? own : borrowed > 0 ? borrowed : 1);
}

function scale({ store }: FlaggerContext, { object }: Workload, replicas: number): void {
  const next = { ...object, spec: { ...object.spec, replicas } };
  store.update("deployments", next, { manager: FLAGGER_MANAGER });
}
