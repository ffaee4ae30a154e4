import type { DeploymentSpec } from "#sandbox/controllers/deployment-types.ts";
import type { PodTemplate } from "#sandbox/controllers/rollout-types.ts";
import { hashText } from "#sandbox/controllers/template-hash.ts";
import { type Canary, primaryNameOf } from "./canary-types.ts";
import type { FlaggerContext } from "./flagger-context.ts";
import { FLAGGER_MANAGER } from "./flagger-context.ts";
import { ownedByCanary, withoutFlux } from "./owned-objects.ts";
import { readPrimary, readTarget, selectorLabelOf, type Workload } from "./target-workload.ts";
import { copyConfigs } from "./tracked-configs.ts";

const ID_ANNOTATION = "flagger-id";

/** Creates `<target>-primary` if it is missing (pkg/canary/deployment_controller.go createPrimaryDeployment). */
export function createPrimary(context: FlaggerContext, canary: Canary): void {
  const { store } = context;
  const { namespace } = canary.metadata;
  const name = primaryNameOf(canary);
  if (store.get("deployments", namespace, name) !== undefined) {
    return;
  }
  const target = readTarget(context, canary);
  const { label, value } = selectorLabelOf(target);
  const { replicas } = target.spec;
  store.create(
    "deployments",
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: {
        name,
        namespace,
        labels: { [label]: `${value}-primary` },
        annotations: withoutFlux(ownAnnotations(target)),
        ownerReferences: [ownedByCanary(canary)],
      },
      spec: {
        ...copiedFields(target.spec),
        replicas: replicas > 0 ? replicas : 1,
        selector: { matchLabels: { [label]: `${value}-primary` } },
        template: primaryTemplate(context, canary, target),
      },
    },
    { manager: FLAGGER_MANAGER },
  );
}

/** Copies the target's pods, strategy and configs to the primary (deployment_controller.go Promote). */
export function promoteTarget(context: FlaggerContext, canary: Canary): void {
  const target = readTarget(context, canary);
  const primary = readPrimary(context, canary);
  const { label, value } = selectorLabelOf(target);
  const { replicas } = canary.spec.autoscalerRef === undefined ? target.spec : primary.spec;
  const metadata = { ...primary.object.metadata, annotations: {}, labels: { [label]: `${value}-primary` } };
  const kept = { replicas, selector: primary.spec.selector };
  const spec = { ...copiedFields(target.spec), ...kept, template: primaryTemplate(context, canary, target) };
  context.store.update("deployments", { ...primary.object, metadata, spec }, { manager: FLAGGER_MANAGER });
}

function copiedFields({
  strategy,
  progressDeadlineSeconds,
  minReadySeconds,
  revisionHistoryLimit,
}: DeploymentSpec): Partial<DeploymentSpec> {
  const fields = { strategy, progressDeadlineSeconds, minReadySeconds, revisionHistoryLimit };
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined));
}

/** Returns the target's pod template with an id of its own, so that each promotion replaces the pods. */
function primaryTemplate(context: FlaggerContext, canary: Canary, target: Workload): PodTemplate {
  const { label, value } = selectorLabelOf(target);
  const { metadata } = target.spec.template;
  return {
    metadata: {
      labels: { ...withoutFlux(metadata?.labels), [label]: `${value}-primary` },
      annotations: { ...withoutFlux(metadata?.annotations), [ID_ANNOTATION]: nextId(context, target) },
    },
    spec: copyConfigs(context, canary, target),
  };
}

/** Returns a new id; upstream takes a random one, here the same story has the same ids. */
function nextId({ clock }: FlaggerContext, { metadata }: Workload): string {
  return hashText(`${metadata.uid}/${metadata.resourceVersion}/${clock.now()}`);
}

/** Leaves out what the Deployment controller writes, and the sandbox's own marks. */
function ownAnnotations({ metadata }: Workload): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata.annotations ?? {}).filter(([key]) => !key.startsWith("sandbox.gatehouse/")),
  );
}
