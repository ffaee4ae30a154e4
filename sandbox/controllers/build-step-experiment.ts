import { buildRolloutArgs } from "#lib/domain/argo/analysis/rollout-args.ts";
import type { Outcome } from "#lib/domain/argo/analysis/types.ts";
import type { KubeObjectInput } from "#sandbox/apiserver/store-types.ts";
import { currentStep } from "./canary-steps.ts";
import type { ExperimentAnalysis, ExperimentSpec, ExperimentTemplate } from "./experiment-types.ts";
import { ownerReference } from "./replica-sets.ts";
import type { ExperimentStepTemplate, ReplicaSet, RolloutParts } from "./rollout-types.ts";
import { HASH_LABEL, hashOf, REVISION_ANNOTATION, revisionOf } from "./rollout-types.ts";

/**
 * Builds the Experiment of the current step, named `<rollout>-<hash>-<revision>-<step>`; undefined for other steps, or
 * if no stable version exists yet (rollout/experiment.go GetExperimentFromTemplate of argo-rollouts at 9f8d111).
 */
export function buildStepExperiment(parts: RolloutParts): Outcome<KubeObjectInput> | undefined {
  const { rollout, newSet, stable } = parts;
  const { step, index } = currentStep(rollout);
  if (step?.experiment === undefined || newSet === undefined || stable === undefined) {
    return undefined;
  }
  const { experiment } = step;
  const hash = hashOf(newSet);
  const revision = String(revisionOf(rollout.metadata));
  const analyses: ExperimentAnalysis[] = [];
  for (const { name, templateName, clusterScope, args = [], requiredForCompletion } of experiment.analyses ?? []) {
    const built = buildRolloutArgs({ args, rollout, latestPodHash: hash, stablePodHash: hashOf(stable) });
    if ("error" in built) {
      return built;
    }
    analyses.push({ name, templateName, clusterScope, args: built.value, requiredForCompletion });
  }
  const spec: ExperimentSpec = {
    templates: experiment.templates.map((template) =>
      buildTemplate(template, template.specRef === "stable" ? stable : newSet),
    ),
    ...(analyses.length === 0 ? {} : { analyses }),
    duration: experiment.duration,
    progressDeadlineSeconds: rollout.spec.progressDeadlineSeconds,
    scaleDownDelaySeconds: experiment.scaleDownDelaySeconds,
    dryRun: experiment.dryRun,
    analysisRunMetadata: experiment.analysisRunMetadata ?? {},
  };
  return {
    value: {
      apiVersion: "argoproj.io/v1alpha1",
      kind: "Experiment",
      metadata: {
        name: `${rollout.metadata.name}-${hash}-${revision}-${index ?? 0}`,
        namespace: rollout.metadata.namespace,
        labels: { ...rollout.metadata.labels, [HASH_LABEL]: hash },
        annotations: { [REVISION_ANNOTATION]: revision },
        ownerReferences: [ownerReference(rollout)],
      },
      // Removes undefined fields.
      spec: JSON.parse(JSON.stringify(spec)) as Record<string, unknown>,
    },
  };
}

function buildTemplate(step: ExperimentStepTemplate, set: ReplicaSet): ExperimentTemplate {
  const { name, replicas, metadata, service } = step;
  const { template } = set.spec;
  const hasService = step.weight !== undefined || service !== undefined;
  const matchLabels = (step.selector ?? set.spec.selector)?.matchLabels;
  return {
    name,
    ...(replicas === undefined ? {} : { replicas }),
    ...(hasService ? { service: service?.name === undefined ? {} : { name: service.name } } : {}),
    selector: { matchLabels: { ...matchLabels, ...metadata?.labels } },
    template: {
      ...template,
      metadata: {
        ...template.metadata,
        labels: { ...template.metadata?.labels, ...metadata?.labels },
        ...(metadata?.annotations === undefined
          ? {}
          : { annotations: { ...template.metadata?.annotations, ...metadata.annotations } }),
      },
    },
  };
}
