import { ownManager } from "#lib/domain/acting/own-identity.ts";
import { isRecord } from "#lib/util/json.ts";

/** The name under which the controller's own writes are stored, regardless of its binary's name. */
export const controllerManager = "rollouts-controller";

/** Manager names of Argo's controller as shipped: the API server takes the name of its binary. */
export const knownControllerManagers: readonly string[] = [controllerManager, "argo-rollouts"];

type ControlledKind = "Rollout" | "AnalysisRun" | "Experiment";

/** Status fields that no command sets and no person has a reason to patch: a manager of several is the controller. */
const controllerFields: Readonly<Record<ControlledKind, readonly string[]>> = {
  Rollout: [
    ...["observedGeneration", "conditions", "currentPodHash", "currentStepHash", "phase", "message", "selector"],
    ...["HPAReplicas", "replicas", "updatedReplicas", "readyReplicas", "availableReplicas"],
  ],
  AnalysisRun: ["metricResults", "runSummary", "dryRunSummary", "startedAt", "completedAt", "phase"],
  Experiment: ["conditions", "templateStatuses", "analysisRuns", "availableAt", "phase"],
};

/** A single field may be a person's manual repair. */
const enough = 2;

/**
 * Returns whether a field manager is the controller. Either it is one of `managers` (of the config), or `managedFields`
 * name it as the writer of several status fields that only a controller writes. kubectl and Gatehouse never count,
 * regardless of the fields that they wrote. An entry of a Rollout that includes spec too is not the status write of a
 * controller.
 */
export function isController(
  manager: string,
  { kind, managedFields, managers }: { kind: ControlledKind; managedFields: unknown; managers: readonly string[] },
): boolean {
  if (managers.includes(manager)) return true;
  if (manager === ownManager || /^kubectl(-|$)/.test(manager) || !Array.isArray(managedFields)) return false;
  return managedFields.some((entry: unknown) => {
    if (!isRecord(entry) || entry.manager !== manager || !isRecord(entry.fieldsV1)) return false;
    const { "f:status": status, "f:spec": spec } = entry.fieldsV1;
    if (!isRecord(status) || (kind === "Rollout" && spec !== undefined)) return false;
    return controllerFields[kind].filter((field) => `f:${field}` in status).length >= enough;
  });
}

/**
 * Returns the name to store for a writer: one for the controller, so that later derivations do not depend on its
 * binary.
 */
export function nameWriter(manager: string, evidence: Parameters<typeof isController>[1]): string {
  return isController(manager, evidence) ? controllerManager : manager;
}
