import type { UnknownValue } from "#lib/domain/delivery/provider.ts";

const knownPauseReasons = ["CanaryPauseStep", "BlueGreenPause", "InconclusiveAnalysisRun", "InconclusiveExperiment"];
const rolloutPhases = ["Healthy", "Progressing", "Paused", "Degraded"];
const analysisPhases = ["Pending", "Running", "Successful", "Failed", "Error", "Inconclusive"];
const pluginPhases = ["Running", "Successful", "Failed", "Error"];
const stepTypes = [
  ...["setWeight", "pause", "analysis", "experiment", "setCanaryScale", "setHeaderRoute", "setMirrorRoute", "plugin"],
  "replicaProgressThreshold",
];

type Json = Readonly<Record<string, unknown>>;

/**
 * Finds unknown phases, pause reasons and kinds of step (argo-rollouts v1.10, pkg/apis/rollouts/v1alpha1). Takes the
 * object as received, of any shape; missing or empty values are not unknown.
 */
export function findUnknownValues(kind: string, object: unknown): UnknownValue[] {
  if (kind === "Rollout") return findInRollout(partOf(object));
  if (kind === "AnalysisRun") return findInRun(partOf(partOf(object).status));
  if (kind === "Experiment")
    return check("experiment.status.phase", partOf(partOf(object).status).phase, analysisPhases);
  return [];
}

function findInRollout(rollout: Json): UnknownValue[] {
  const status = partOf(rollout.status);
  const canary = partOf(status.canary);
  const blueGreen = partOf(status.blueGreen);
  const runs = [
    ...[canary.currentStepAnalysisRunStatus, canary.currentBackgroundAnalysisRunStatus],
    ...[blueGreen.prePromotionAnalysisRunStatus, blueGreen.postPromotionAnalysisRunStatus],
  ];
  return [
    ...check("rollout.status.phase", status.phase, rolloutPhases),
    ...listOf(status.pauseConditions).flatMap((pause) =>
      check("rollout.status.pauseConditions.reason", pause.reason, knownPauseReasons),
    ),
    ...runs.flatMap((run) => check("rollout.status.analysisRunStatus", partOf(run).status, analysisPhases)),
    ...listOf(canary.stepPluginStatuses).flatMap((plugin) =>
      check("rollout.status.canary.stepPluginStatuses.phase", plugin.phase, pluginPhases),
    ),
    ...listOf(partOf(partOf(partOf(rollout.spec).strategy).canary).steps).flatMap(findInStep),
  ];
}

function findInStep(step: Json): UnknownValue[] {
  const keys = Object.keys(step).filter((key) => step[key] !== null);
  const [first] = keys;
  if (first === undefined || keys.some((key) => stepTypes.includes(key))) return [];
  return [{ field: "rollout.spec.strategy.canary.steps", value: first }];
}

function findInRun(status: Json): UnknownValue[] {
  return [
    ...check("analysisRun.status.phase", status.phase, analysisPhases),
    ...listOf(status.metricResults).flatMap((metric) => [
      ...check("analysisRun.status.metricResults.phase", metric.phase, analysisPhases),
      ...listOf(metric.measurements).flatMap((measurement) =>
        check("analysisRun.status.metricResults.measurements.phase", measurement.phase, analysisPhases),
      ),
    ]),
  ];
}

function check(field: string, value: unknown, known: readonly string[]): UnknownValue[] {
  return typeof value !== "string" || value === "" || known.includes(value) ? [] : [{ field, value }];
}

const nothing: Json = {};

function partOf(value: unknown): Json {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Json) : nothing;
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(partOf) : [];
}
