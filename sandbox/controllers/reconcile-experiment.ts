import { isCompleted } from "#lib/domain/argo/analysis/phase.ts";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { parseDurationMs, parseTime } from "./clock.ts";
import { reconcileExperimentAnalysis } from "./experiment-analysis.ts";
import { computeExperimentStatus } from "./experiment-status.ts";
import { reconcileTemplate } from "./experiment-templates.ts";
import type { Experiment, ExperimentPass } from "./experiment-types.ts";
import { isTerminating, viewExperiment } from "./experiment-types.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import { ROLLOUTS_MANAGER } from "./reconcile-context.ts";

/**
 * Does one pass over an Experiment: a ReplicaSet for each template, a run for each analysis, then the phase
 * (experiments/experiment.go reconcile of argo-rollouts at 9f8d111). Returns when to look again, in ms.
 */
export function reconcileExperiment(context: ReconcileContext, object: KubeObject): number | undefined {
  const experiment = viewExperiment(object);
  const { spec, status } = experiment;
  const endMs = experimentEndMs(experiment, context.speed);
  const hasPassed = endMs !== undefined && context.nowMs > endMs;
  const pass: ExperimentPass = { context, experiment, object, isTerminating: isTerminating(experiment), hasPassed };
  const templates = spec.templates.map((template) => reconcileTemplate(pass, template));
  const runs = (spec.analyses ?? []).map((analysis) => reconcileExperimentAnalysis(pass, analysis));
  const next = computeExperimentStatus(pass, {
    ...status,
    templateStatuses: templates.map((template) => template.status),
    analysisRuns: runs,
  });
  writeStatus(pass, next);
  const wakes = templates.map(({ wakeMs }) => wakeMs).filter((wakeMs) => wakeMs !== undefined);
  const nextEndMs = isCompleted(next.phase)
    ? undefined
    : experimentEndMs({ ...experiment, status: next }, context.speed);
  if (nextEndMs !== undefined && !hasPassed) {
    wakes.push(Math.max(nextEndMs - context.nowMs, 0) + 1);
  }
  return wakes.length === 0 ? undefined : Math.min(...wakes);
}

function experimentEndMs({ spec, status }: Experiment, speed: number): number | undefined {
  const startMs = parseTime(status.availableAt);
  const durationMs = parseDurationMs(spec.duration);
  return startMs === undefined || durationMs === undefined ? undefined : startMs + durationMs / speed;
}

function writeStatus({ context, experiment, object }: ExperimentPass, next: Experiment["status"]): void {
  const { namespace, name, uid } = object.metadata;
  const latest = context.store.get("experiments", namespace, name);
  if (latest?.metadata.uid !== uid) {
    return;
  }
  const status = JSON.parse(JSON.stringify(next)) as Record<string, unknown>;
  const written = context.store.update("experiments", { ...latest, status }, { manager: ROLLOUTS_MANAGER });
  const before = experiment.status.phase ?? "";
  if (next.phase !== undefined && next.phase !== before) {
    context.events.emit(written, {
      reason: `Experiment${next.phase}`,
      message: `Experiment transitioned from ${before} -> ${next.phase}`,
      isWarning: isCompleted(next.phase) && next.phase !== "Successful",
    });
  }
}
