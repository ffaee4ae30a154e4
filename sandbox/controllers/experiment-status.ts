import { isCompleted, isWorsePhase } from "#lib/domain/argo/analysis/phase.ts";
import type { AnalysisPhase } from "#lib/domain/argo/analysis/types.ts";
import { formatTime } from "./clock.ts";
import type { Experiment, ExperimentPass, ExperimentStatus, TemplateState } from "./experiment-types.ts";
import { hasRequiredSuccess } from "./experiment-types.ts";

type Assessment = { phase: AnalysisPhase; message?: string | undefined };

/** From best to worst (utils/experiment/experiment.go templateStatusOrder). */
const TEMPLATE_ORDER: readonly TemplateState[] = ["Successful", "Running", "Progressing", "Error", "Failed"];
const PHASE_OF_TEMPLATE: Record<TemplateState, AnalysisPhase> = {
  Successful: "Successful",
  Running: "Running",
  Progressing: "Pending",
  Error: "Error",
  Failed: "Failed",
};

/**
 * Computes phase, availableAt and conditions (experiments/experiment.go calculateStatus of argo-rollouts at 9f8d111).
 */
export function computeExperimentStatus(pass: ExperimentPass, counted: ExperimentStatus): ExperimentStatus {
  const next: ExperimentStatus = { ...counted };
  if (next.phase === undefined) {
    next.phase = "Pending";
  } else if (next.phase === "Pending" || next.phase === "Running") {
    const templates = assessTemplates(pass.experiment, next);
    if (templates.phase === "Running" && next.availableAt === undefined) {
      next.availableAt = formatTime(pass.context.nowMs);
    }
    const { phase, message } = judge({ experiment: pass.experiment, next, templates });
    next.phase = phase;
    next.message = message === "" ? undefined : message;
  }
  next.conditions = computeConditions(pass, next);
  return next;
}

/**
 * Judges the experiment. If the templates ended well, the analyses decide, provided that they are done or required. A
 * failed analysis, or the success of the last required one, ends the experiment before its templates end.
 */
function judge(input: { experiment: Experiment; next: ExperimentStatus; templates: Assessment }): Assessment {
  const { experiment, next, templates } = input;
  const analyses = assessRuns(experiment, next);
  const isDone = isCompleted(analyses.phase);
  if (isCompleted(templates.phase)) {
    const hasRequired = (experiment.spec.analyses ?? []).some((analysis) => analysis.requiredForCompletion === true);
    return templates.phase === "Successful" && (isDone || hasRequired) ? analyses : templates;
  }
  const isEnded = (isDone && analyses.phase !== "Successful") || hasRequiredSuccess({ ...experiment, status: next });
  return isEnded ? analyses : templates;
}

function assessTemplates({ spec }: Experiment, { templateStatuses = [] }: ExperimentStatus): Assessment {
  let worst: { status: TemplateState; message?: string | undefined } = { status: "Successful" };
  for (const { name } of spec.templates) {
    const { status = "Progressing", message } = templateStatuses.find((template) => template.name === name) ?? {};
    if (TEMPLATE_ORDER.indexOf(status) > TEMPLATE_ORDER.indexOf(worst.status)) {
      worst = { status, message };
    }
  }
  return { phase: PHASE_OF_TEMPLATE[worst.status], message: worst.message };
}

function assessRuns({ spec }: Experiment, next: ExperimentStatus): Assessment {
  let worst: Assessment = { phase: "Successful" };
  for (const { name } of spec.analyses ?? []) {
    const run = next.analysisRuns?.find((candidate) => candidate.name === name);
    if (run?.phase !== undefined && isWorsePhase(worst.phase, run.phase)) {
      worst = { phase: run.phase, message: run.message };
    }
  }
  if (hasRequiredSuccess({ spec, status: next }) && worst.phase === "Successful") {
    return { phase: "Successful", message: "Required AnalysisRuns completed" };
  }
  return worst.phase === "Pending" ? { ...worst, phase: "Running" } : worst;
}

function computeConditions({ context, experiment }: ExperimentPass, next: ExperimentStatus) {
  const before = experiment.status.conditions ?? [];
  const { name } = experiment.metadata;
  const now = formatTime(context.nowMs);
  const current = before.find(({ type }) => type === "Progressing");
  const set = (status: "True" | "False", reason: string, message: string, isAlways = false) => {
    if (!isAlways && current?.status === status && current.reason === reason) {
      return before;
    }
    const lastTransitionTime = current?.status === status ? current.lastTransitionTime : now;
    const condition = {
      type: "Progressing" as const,
      status,
      reason,
      message,
      lastUpdateTime: now,
      lastTransitionTime,
    };
    return [...before.filter(({ type }) => type !== "Progressing"), condition];
  };
  if (next.phase === "Successful") {
    return set("False", "ExperimentCompleted", `Experiment "${name}" has successfully ran and completed.`);
  }
  if (isProgressing(experiment.status, next)) {
    return set("True", "ReplicaSetUpdated", `Experiment "${name}" is progressing.`, true);
  }
  const isRunning = experiment.status.availableAt !== undefined;
  return isRunning ? set("True", "NewReplicaSetAvailable", `Experiment "${name}" is running.`) : before;
}

function isProgressing(before: ExperimentStatus, next: ExperimentStatus): boolean {
  return (next.templateStatuses ?? []).some((template) => {
    const old = before.templateStatuses?.find(({ name }) => name === template.name);
    return (
      old === undefined ||
      old.replicas !== template.replicas ||
      old.readyReplicas !== template.readyReplicas ||
      old.availableReplicas !== template.availableReplicas
    );
  });
}
