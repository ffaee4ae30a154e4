import { isCompleted } from "#lib/domain/argo/analysis/phase.ts";
import { type ExperimentFacts, resolveExperimentArg } from "#lib/domain/argo/analysis/resolve-template.ts";
import type { AnalysisRunStatus, Argument } from "#lib/domain/argo/analysis/types.ts";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { composeRunSpec, findTemplateProblem } from "./analysis-templates.ts";
import { createRun } from "./create-analysis-run.ts";
import {
  type ExperimentAnalysis,
  type ExperimentPass,
  type ExperimentRunStatus,
  experimentReference,
  TEMPLATE_NAME_ANNOTATION,
} from "./experiment-types.ts";
import { cancelRuns } from "./rollout-runs.ts";
import { HASH_LABEL, isOwnedBy } from "./rollout-types.ts";

/**
 * Starts one analysis once all templates are available, and follows its run (experiments/experiment.go
 * reconcileAnalysisRun of argo-rollouts at 9f8d111).
 */
export function reconcileExperimentAnalysis(pass: ExperimentPass, analysis: ExperimentAnalysis): ExperimentRunStatus {
  const { name } = analysis;
  const before = (pass.experiment.status.analysisRuns ?? []).find((run) => run.name === name);
  const next = follow(pass, analysis, before ?? { name, analysisRun: "" });
  announce(pass, before, next);
  return next;
}

function follow(pass: ExperimentPass, analysis: ExperimentAnalysis, before: ExperimentRunStatus): ExperimentRunStatus {
  const { context, object, experiment } = pass;
  const { namespace } = object.metadata;
  if (experiment.status.availableAt === undefined) {
    const found = findTemplateProblem(context.store, { namespace, references: [analysis], isBackground: true });
    const kind = analysis.clusterScope === true ? "ClusterAnalysisTemplate" : "AnalysisTemplate";
    const words = `${kind} verification failed for analysis '${analysis.name}'`;
    return found === undefined ? before : { ...before, phase: "Error", message: `${words}: ${found.problem}` };
  }
  if (before.analysisRun === "") {
    return pass.isTerminating ? before : start(pass, analysis, before);
  }
  if (isCompleted(before.phase)) {
    return before;
  }
  const run = context.store.get("analysisruns", namespace, before.analysisRun);
  if (run === undefined) {
    const message = `analysisruns.argoproj.io "${before.analysisRun}" not found`;
    return { ...before, phase: "Error", message };
  }
  const { phase, message } = (run.status ?? {}) as AnalysisRunStatus;
  if (pass.isTerminating) {
    if (!isCompleted(phase) && run.spec?.terminate !== true) {
      const words = `Terminating ${analysis.name} (${run.metadata.name})`;
      context.events.emit(object, { reason: "AnalysisRunTerminating", message: words });
      cancelRuns(context, [run]);
    }
    return before;
  }
  return { name: before.name, analysisRun: before.analysisRun, phase, ...(message ? { message } : {}) };
}

function start(pass: ExperimentPass, analysis: ExperimentAnalysis, before: ExperimentRunStatus): ExperimentRunStatus {
  const { context, object, experiment } = pass;
  const { name, namespace } = object.metadata;
  const { dryRun, measurementRetention, analysisRunMetadata } = experiment.spec;
  const fail = (error: string): ExperimentRunStatus => ({
    ...before,
    phase: "Error",
    message: `Failed to create AnalysisRun for analysis '${analysis.name}': ${error}`,
  });
  const args: Argument[] = [];
  for (const { name: argument, value } of analysis.args ?? []) {
    const resolved = value === undefined ? undefined : resolveExperimentArg(value, collectFacts(pass));
    if (resolved !== undefined && "error" in resolved) {
      return fail(resolved.error);
    }
    args.push({ name: argument, ...(resolved === undefined ? {} : { value: resolved.value }) });
  }
  const composed = composeRunSpec({
    store: context.store,
    namespace,
    analysis: { templates: [analysis], dryRun, measurementRetention },
    args,
  });
  if ("error" in composed) {
    return fail(composed.error);
  }
  const run = createRun(context, {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "AnalysisRun",
    metadata: {
      name: `${name}-${analysis.name}`,
      namespace,
      labels: { ...analysisRunMetadata?.labels },
      annotations: { ...analysisRunMetadata?.annotations },
      ownerReferences: [experimentReference(object)],
    },
    spec: composed.value,
  });
  return { ...before, phase: "Pending", analysisRun: run.metadata.name };
}

function collectFacts({ context, object, experiment }: ExperimentPass): ExperimentFacts {
  const sets = context.store
    .list("replicasets", object.metadata.namespace)
    .filter((set) => isOwnedBy(set, object.metadata.uid));
  const facts = (set: KubeObject) => ({
    podTemplateHash: set.metadata.labels?.[HASH_LABEL],
    replicaSetName: set.metadata.name,
  });
  return {
    duration: experiment.spec.duration,
    availableAt: experiment.status.availableAt,
    templates: Object.fromEntries(
      sets.map((set) => [set.metadata.annotations?.[TEMPLATE_NAME_ANNOTATION], facts(set)]),
    ),
  };
}

/** Emits a run's new phase to the Experiment and to the Rollout that owns it. */
function announce(
  { context, object }: ExperimentPass,
  before: ExperimentRunStatus | undefined,
  next: ExperimentRunStatus,
): void {
  const { name, phase, message } = next;
  if (phase === undefined || phase === before?.phase) {
    return;
  }
  const words = `AnalysisRun '${name}' transitioned from ${before?.phase ?? ""} -> ${phase}`;
  const event = { reason: `AnalysisRun${phase}`, message: message === undefined ? words : `${words}: ${message}` };
  context.events.emit(object, { ...event, isWarning: isCompleted(phase) && phase !== "Successful" });
  const owner = (object.metadata.ownerReferences ?? []).find(({ kind }) => kind === "Rollout");
  const rollout = owner && context.store.get("rollouts", object.metadata.namespace, owner.name);
  if (rollout !== undefined) {
    context.events.emit(rollout, { ...event, isWarning: true });
  }
}
