import { isCompleted } from "#lib/domain/argo/analysis/phase.ts";
import { selectRunsToDelete } from "#lib/domain/argo/analysis/run-deletion.ts";
import { isSame } from "#lib/util/diff-merge.ts";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { rolloutObject } from "./announce-changes.ts";
import { buildStepExperiment } from "./build-step-experiment.ts";
import { currentStep, stepsOf } from "./canary-steps.ts";
import { parseTime } from "./clock.ts";
import { viewExperiment } from "./experiment-types.ts";
import { findPause, isAborted, type PauseDecision } from "./pause-state.ts";
import { type ReconcileContext, ROLLOUTS_MANAGER } from "./reconcile-context.ts";
import { historyLimits } from "./rollout-runs.ts";
import { HASH_LABEL, hashOf, isOwnedBy, type RolloutParts, type WeightDestination } from "./rollout-types.ts";

/** The result of a pass for the Rollout's experiment step. */
export type ExperimentOutcome = {
  /** The name for the status. */
  current?: string;
  isSuccessful: boolean;
  /** Traffic destinations: the templates of a running experiment that have a weight. */
  destinations: WeightDestination[];
};

/**
 * Starts, judges, ends and deletes the experiments of a canary (rollout/experiment.go reconcileExperiments of
 * argo-rollouts at 9f8d111). As there, an Inconclusive experiment pauses the Rollout and is no longer the current one.
 * The next pass therefore starts another, which no person asked for, and which can complete the step in spite of the
 * pause.
 */
export function reconcileRolloutExperiments(
  context: ReconcileContext,
  parts: RolloutParts,
  decision: PauseDecision,
): ExperimentOutcome {
  const { rollout } = parts;
  const owned = listOwned(context, parts);
  const before = owned.find(({ metadata }) => metadata.name === rollout.status.canary?.currentExperiment);
  const none: ExperimentOutcome = { isSuccessful: phaseOf(before) === "Successful", destinations: [] };
  if (isAborted(rollout, decision) || rollout.status.promoteFull === true) {
    cancelExperiments(context, owned);
    return none;
  }
  if (findPause(rollout.status, "InconclusiveAnalysisRun") !== undefined) {
    return none;
  }
  const { step } = currentStep(rollout);
  let current = step?.experiment === undefined ? undefined : before;
  if (step?.experiment !== undefined) {
    current ??= startExperiment(context, parts);
    if (current === undefined) {
      return none;
    }
    judge(current, decision);
  }
  const others = owned.filter(({ metadata }) => metadata.name !== current?.metadata.name);
  cancelExperiments(context, others);
  deleteSurplus(context, parts, others);
  const isOpen = !isCompleted(phaseOf(current));
  return {
    ...(current !== undefined && isOpen ? { current: current.metadata.name } : {}),
    isSuccessful: phaseOf(current) === "Successful",
    destinations: findDestinations(parts, current),
  };
}

function listOwned({ store }: ReconcileContext, { rollout }: RolloutParts): KubeObject[] {
  return store
    .list("experiments", rollout.metadata.namespace)
    .filter((experiment) => isOwnedBy(experiment, rollout.metadata.uid));
}

function judge(experiment: KubeObject, decision: PauseDecision): void {
  const { phase, message = "" } = viewExperiment(experiment).status;
  if (phase === "Inconclusive") {
    decision.add.push("InconclusiveExperiment");
  } else if (phase === "Failed" || phase === "Error") {
    const words = "Experiment analysis phase is error/failed";
    decision.abortMessage = message === "" ? words : `${words}: ${message}`;
  }
}

/** Creates the step's experiment; if its name is taken, appends `-1`, `-2`, ...; adopts an equal running one. */
function startExperiment(context: ReconcileContext, parts: RolloutParts): KubeObject | undefined {
  const { store, log, events } = context;
  const { rollout } = parts;
  const built = buildStepExperiment(parts);
  if (built === undefined || "error" in built) {
    log(
      `no Experiment for Rollout ${rollout.metadata.namespace}/${rollout.metadata.name}: ${built?.error ?? "no stable version"}`,
    );
    return undefined;
  }
  const wanted = withoutTerminate(built.value.spec as Record<string, unknown>);
  for (let attempt = 0; ; attempt++) {
    const name = attempt === 0 ? built.value.metadata.name : `${built.value.metadata.name}-${attempt}`;
    const existing = store.get("experiments", rollout.metadata.namespace, name);
    if (existing === undefined) {
      const metadata = { ...built.value.metadata, name };
      const created = store.create("experiments", { ...built.value, metadata }, { manager: ROLLOUTS_MANAGER });
      log(`created Experiment ${rollout.metadata.namespace}/${name}`);
      events.emit(rolloutObject(rollout), { reason: "ExperimentCreated", message: `Created Experiment '${name}'` });
      return created;
    }
    const isEqual = isSame(withoutTerminate(existing.spec), wanted);
    if (!isCompleted(phaseOf(existing)) && isEqual && isOwnedBy(existing, rollout.metadata.uid)) {
      return existing;
    }
  }
}

function withoutTerminate(spec: Record<string, unknown> | undefined): Record<string, unknown> {
  const { terminate: _terminate, ...rest } = spec ?? {};
  return rest;
}

function cancelExperiments({ store }: ReconcileContext, experiments: KubeObject[]): void {
  for (const experiment of experiments) {
    if (experiment.spec?.terminate !== true && !isCompleted(phaseOf(experiment))) {
      const spec = { ...experiment.spec, terminate: true };
      store.update("experiments", { ...experiment, spec }, { manager: ROLLOUTS_MANAGER });
    }
  }
}

function deleteSurplus({ store, log }: ReconcileContext, parts: RolloutParts, others: KubeObject[]): void {
  const newestFirst = [...others].sort(
    (left, right) => Number(right.metadata.resourceVersion) - Number(left.metadata.resourceVersion),
  );
  const surplus = selectRunsToDelete({
    runs: newestFirst.map((experiment) => ({
      name: experiment.metadata.name,
      podHash: experiment.metadata.labels?.[HASH_LABEL],
      phase: phaseOf(experiment),
      createdAt: parseTime(experiment.metadata.creationTimestamp),
    })),
    replicaSets: parts.all.map((set) => ({ podHash: hashOf(set), deleting: false })),
    limits: historyLimits(parts.rollout),
  });
  for (const { name } of surplus) {
    store.delete("experiments", parts.rollout.metadata.namespace, name);
    log(`deleted Experiment ${parts.rollout.metadata.namespace}/${name} (history limit)`);
  }
}

/**
 * Returns the weights that the last experiment step gives to its templates (calculateWeightDestinationsFromExperiment).
 */
function findDestinations({ rollout }: RolloutParts, current: KubeObject | undefined): WeightDestination[] {
  const { index = 0 } = currentStep(rollout);
  const step = stepsOf(rollout)
    .slice(0, index + 1)
    .findLast(({ experiment }) => experiment !== undefined)?.experiment;
  if (step === undefined || current === undefined || phaseOf(current) !== "Running") {
    return [];
  }
  return (viewExperiment(current).status.templateStatuses ?? []).flatMap(({ name, serviceName, podTemplateHash }) => {
    const weight = step.templates.find((template) => template.name === name)?.weight;
    return weight === undefined ? [] : [{ weight, serviceName, podTemplateHash }];
  });
}

function phaseOf(experiment: KubeObject | undefined) {
  return experiment === undefined ? undefined : viewExperiment(experiment).status.phase;
}
