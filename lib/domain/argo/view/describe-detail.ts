import { type RolloutObject, stepsOf } from "#lib/domain/argo/objects/rollout-object.ts";
import { isInconclusive, readActionFacts } from "#lib/domain/argo/plan/action-facts.ts";
import { isOpen } from "#lib/domain/argo/plan/plan-types.ts";
import { describeBlueGreen } from "#lib/domain/argo/view/blue-green.ts";
import { computeSteps, formatTime, nameStep, nameTemplates } from "#lib/domain/argo/view/rollout-steps.ts";
import { maxWeightOf } from "#lib/domain/argo/view/weights.ts";
import type { BlueGreenDetail, DeliveryDetail, FollowingPart, Follows } from "#lib/domain/delivery/detail.ts";
import { formatLength } from "#lib/util/words.ts";

export function describeDetail(rollout: RolloutObject): DeliveryDetail {
  const { spec, status } = rollout;
  return {
    steps: computeSteps(rollout),
    follows: describeFollows({ rollout }),
    pauseConditions: (status.pauseConditions ?? []).map(({ reason, startTime }) => ({
      reason,
      startTime: formatTime(startTime),
    })),
    controllerPause: status.controllerPause,
    paused: spec.paused,
    aborted: status.abort,
    promoteFull: status.promoteFull,
    stableRevisionKey: status.stableRS === "" ? null : status.stableRS,
    replicas: {
      desired: spec.replicas ?? 1,
      current: status.replicas,
      updated: status.updatedReplicas,
      ready: status.readyReplicas,
      available: status.availableReplicas,
    },
    conditions: (status.conditions ?? []).map((condition) => ({
      type: condition.type,
      status: condition.status,
      reason: condition.reason,
      message: condition.message,
      at: formatTime(condition.lastTransitionTime ?? condition.lastUpdateTime),
    })),
    currentRuns: listCurrentRuns(rollout),
    currentExperiment: status.canary?.currentExperiment || null,
    blueGreen: describeBlueGreenDetail(rollout),
    workload: nameWorkload(rollout),
    notices: [],
    gates: null,
  };
}

/** Lists the analysis runs that the status names. */
export function listCurrentRuns({ status: { canary, blueGreen } }: RolloutObject): DeliveryDetail["currentRuns"] {
  const named = [
    { role: "step", run: canary?.currentStepAnalysisRunStatus },
    { role: "background", run: canary?.currentBackgroundAnalysisRunStatus },
    { role: "prePromotion", run: blueGreen?.prePromotionAnalysisRunStatus },
    { role: "postPromotion", run: blueGreen?.postPromotionAnalysisRunStatus },
  ] as const;
  return named.flatMap(({ role, run }) =>
    run === undefined ? [] : [{ role, name: run.name, phase: run.status ?? "", message: run.message ?? "" }],
  );
}

function describeBlueGreenDetail(rollout: RolloutObject): BlueGreenDetail | null {
  const facts = describeBlueGreen(rollout);
  if (facts === null) return null;
  const { promotesAtMs, ...rest } = facts;
  return { ...rest, promotesAt: promotesAtMs === null ? null : new Date(promotesAtMs).toISOString() };
}

function nameWorkload({ spec: { workloadRef } }: RolloutObject): DeliveryDetail["workload"] {
  const { name, kind = "Deployment" } = workloadRef ?? {};
  return name === undefined ? null : { kind, name };
}

/** More parts are too long for a sentence: the middle ones are counted instead. */
const shownParts = 8;

/**
 * Describes the rest of the plan after a step. `step` is that step's index; the current one by default. The step itself
 * is not described. For blue-green it describes the phases after that of the status. Null if nothing is in progress: no
 * update, an abort, a spec that the controller refuses.
 */
export function describeFollows({
  rollout,
  step,
  isSwitched = false,
}: {
  rollout: RolloutObject;
  step?: number;
  /** Blue-green: describe the phases after the switch, though it is still to come. */
  isSwitched?: boolean;
}): Follows | null {
  const facts = readActionFacts(rollout);
  const { strategy, aborted, fullyPromoted, beingDeleted, podHash } = facts;
  const isIdle = strategy === undefined || aborted || fullyPromoted || beingDeleted || podHash === "";
  if (isIdle || facts.invalidSpec !== undefined) return null;
  if (facts.promoteFull) {
    const parts: FollowingPart[] = [{ kind: "promotion", text: "full promotion", step: null }];
    return { text: "Then full promotion; remaining steps and analysis are skipped.", parts };
  }
  const parts = strategy === "blueGreen" ? listPhases(rollout, isSwitched) : listSteps(rollout, step ?? facts.step);
  const background = strategy === "canary" ? describeBackground({ rollout, step }) : undefined;
  const measures = parts.some(({ kind }) => kind === "analysis" || kind === "experiment");
  const analysis = background ?? (measures ? "" : ", no further analysis");
  const row = shorten(parts).join(" → ");
  return { text: parts.length === 0 ? "" : `Then ${row}${analysis}.`, parts };
}

function listSteps(rollout: RolloutObject, step: number): FollowingPart[] {
  const steps = stepsOf(rollout);
  const maxWeight = maxWeightOf(rollout);
  const parts: FollowingPart[] = steps
    .slice(step + 1)
    .map((one, at) => ({ ...nameStep(one, maxWeight), step: step + 2 + at }));
  // The last step already requests all traffic, or there are no steps: only the promotion remains.
  const last = steps.findLast(({ setWeight }) => setWeight !== undefined)?.setWeight;
  const end = last === undefined || last >= maxWeight ? "full promotion" : "100 %";
  return [...parts, { kind: "promotion", text: end, step: null }];
}

/**
 * Describes the background analysis; undefined if none is measuring or about to begin. An Inconclusive run holds the
 * rollout. Whatever clears its pause makes the controller start a new run (rollout/analysis.go needsNewAnalysisRun of
 * 9f8d111). The first run begins at the step whose index is `startingStep`, or at a later one that an action leads to
 * (utils/replicaset/canary.go BeforeStartingStep).
 */
export function describeBackground({
  rollout,
  step,
}: {
  rollout: RolloutObject;
  step?: number | undefined;
}): string | undefined {
  const { background, step: current } = readActionFacts(rollout);
  if (isOpen(background)) return ", background analysis continues";
  if (isInconclusive(background)) return ", with a new background run";
  const { analysis } = rollout.spec.strategy.canary ?? {};
  const starting = typeof analysis?.startingStep === "number" ? analysis.startingStep : 0;
  if (background !== undefined || !hasTemplates(analysis) || starting <= current) return undefined;
  return `, background analysis from step ${Math.max(starting, step ?? current) + 1}`;
}

/**
 * Lists the phases of blue-green that are still to come (rollout/bluegreen.go and pause.go of argo-rollouts 9f8d111).
 */
function listPhases(rollout: RolloutObject, isSwitched: boolean): FollowingPart[] {
  const { spec, status } = rollout;
  const { blueGreen } = spec.strategy;
  const facts = describeBlueGreen(rollout);
  const { prePromotion, postPromotion, podHash, pauses } = readActionFacts(rollout);
  const end: FollowingPart = {
    kind: "scaleDown",
    text: `old version scaled down after ${formatLength(facts?.scaleDownDelaySeconds ?? 0)}`,
    step: null,
  };
  const after: FollowingPart[] =
    hasTemplates(blueGreen?.postPromotionAnalysis) && postPromotion === undefined
      ? [{ kind: "analysis", text: `analysis${nameTemplates(blueGreen?.postPromotionAnalysis ?? {})}`, step: null }]
      : [];
  if (isSwitched || status.blueGreen?.activeSelector === podHash) return [...after, end];
  const before: FollowingPart[] =
    hasTemplates(blueGreen?.prePromotionAnalysis) && prePromotion === undefined
      ? [{ kind: "analysis", text: `analysis${nameTemplates(blueGreen?.prePromotionAnalysis ?? {})}`, step: null }]
      : [];
  const isPaused = pauses.includes("BlueGreenPause");
  const wait: FollowingPart[] =
    isPaused || facts === null || facts.promotion === "immediate"
      ? []
      : facts.promotion === "person"
        ? [{ kind: "gate", text: "wait for a person", step: null }]
        : [{ kind: "pause", text: `wait ${formatLength(facts.autoPromotionSeconds ?? 0)}`, step: null }];
  const change: FollowingPart = { kind: "switch", text: "traffic switches to the new version", step: null };
  return [...before, ...wait, change, ...after, end];
}

function hasTemplates(analysis: { templates?: unknown } | undefined): boolean {
  return Array.isArray(analysis?.templates) && analysis.templates.length > 0;
}

/** Shortens the list. Gates and analysis in the counted part are named: they decide. */
function shorten(parts: readonly FollowingPart[]): string[] {
  const texts = parts.map(({ text }) => text);
  if (parts.length <= shownParts) return texts;
  const hidden = parts.slice(shownParts - 2, -1);
  const count = (kinds: readonly string[]) => hidden.filter(({ kind }) => kinds.includes(kind)).length;
  const named = [
    ...nameCount(count(["gate"]), "gate", "gates"),
    ...nameCount(count(["analysis", "experiment"]), "analysis", "analyses"),
  ];
  const within = named.length === 0 ? "" : ` (${named.join(", ")})`;
  return [...texts.slice(0, shownParts - 2), `${hidden.length} more steps${within}`, ...texts.slice(-1)];
}

function nameCount(count: number, one: string, more: string): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : more}`];
}
