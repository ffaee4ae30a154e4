import type { DescribedExperiment } from "#lib/domain/delivery/measuring.ts";
import type { ExperimentObject } from "./objects/experiment-object.ts";

/** Describes an Experiment: its templates and its analyses, each with its status next to its spec. */
export function describeExperiment(experiment: ExperimentObject): DescribedExperiment {
  const { duration, progressDeadlineSeconds } = experiment.spec;
  return {
    duration,
    progressDeadlineSeconds,
    templates: describeTemplates(experiment),
    analyses: describeAnalyses(experiment),
  };
}

function describeTemplates({ metadata, spec, status }: ExperimentObject): DescribedExperiment["templates"] {
  const byName = new Map((status?.templateStatuses ?? []).map((each) => [each.name, each]));
  return spec.templates.map(({ name, replicas, template }) => {
    const found = byName.get(name);
    return {
      name,
      desired: replicas ?? 1,
      status: found?.status ?? "",
      message: found?.message ?? "",
      replicas: found?.replicas ?? 0,
      ready: found?.readyReplicas ?? 0,
      available: found?.availableReplicas ?? 0,
      images: (template?.spec?.containers ?? []).map(({ image }) => image).filter((image) => image !== ""),
      // newReplicaSetFromTemplate of experiments/replicaset.go, Argo Rollouts 1.8.
      replicaSet: `${metadata.name}-${name}`,
    };
  });
}

function describeAnalyses({ spec, status }: ExperimentObject): DescribedExperiment["analyses"] {
  const byName = new Map((status?.analysisRuns ?? []).map((each) => [each.name, each]));
  return spec.analyses.map((analysis) => {
    const run = byName.get(analysis.name);
    return {
      name: analysis.name,
      template: {
        kind: analysis.clusterScope ? "ClusterAnalysisTemplate" : "AnalysisTemplate",
        name: analysis.templateName,
      },
      required: analysis.requiredForCompletion,
      phase: run?.phase ?? "",
      message: run?.message ?? "",
      run: run?.analysisRun === "" ? undefined : run?.analysisRun,
      measures: findMeasured(analysis.args, spec.templates),
    };
  });
}

/**
 * Finds the template that an analysis measures: the only one that its arguments refer to, as
 * `{{templates.NAME.podTemplateHash}}` or `{{templates.NAME.replicaset.name}}`.
 */
function findMeasured(args: readonly { value: string }[], templates: readonly { name: string }[]): string | undefined {
  const texts = args.map(({ value }) => value.replaceAll(/\s/g, ""));
  const named = templates.filter(({ name }) => texts.some((text) => text.includes(`{{templates.${name}.`)));
  return named.length === 1 ? named[0]?.name : undefined;
}
