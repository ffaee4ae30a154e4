import type { DeliveryDetail, FollowingPart, Follows, RolloutStep } from "#lib/domain/delivery/detail.ts";
import type { CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import type { CanaryState } from "./find-state.ts";
import type { StepPlan } from "./step-plan.ts";
import type { Traffic } from "./traffic.ts";

/** Phases whose run has passed every round of the analysis. */
const pastAnalysis: readonly string[] = ["WaitingPromotion", "Promoting", "Finalising", "Succeeded"];

/** Counts the rounds that the run has completed; null if the status does not tell, or without a run. */
export function countRounds({ status }: Pick<CanaryObject, "status">, plan: StepPlan): number | null {
  if (plan.checkRounds === 0) return null;
  if (pastAnalysis.includes(status.phase)) return plan.checkRounds;
  if (status.phase !== "Progressing") return null;
  if (plan.strategy !== "Canary") {
    // The first tick only starts the run; after it, iteration n means that round n is next.
    return Math.min(Math.max((status.iterations ?? 0) - 1, 0), plan.checkRounds);
  }
  const weight = status.canaryWeight ?? 0;
  if (weight === 0) return 0;
  const round = plan.canaryWeights.indexOf(weight);
  return round === -1 ? null : round;
}

/** Lists the rounds of the plan, each named by its weight or its number. */
export function listSteps(canary: Pick<CanaryObject, "status">, plan: StepPlan): RolloutStep[] {
  const completed = countRounds(canary, plan);
  return Array.from({ length: plan.checkRounds }, (_, index) => ({
    index,
    ...nameRound(plan, index),
    state: completed === null || index > completed ? "pending" : index < completed ? "done" : "current",
    endsAt: null,
  }));
}

const stateOfRun: readonly CanaryState[] = ["analyzing", "awaiting-step", "awaiting-promotion", "awaiting-start"];

/** Describes what follows if every check passes; null if no analysis is in progress. */
export function describeCanaryFollows({
  canary,
  plan,
  traffic,
  state,
}: {
  canary: Pick<CanaryObject, "status">;
  plan: StepPlan;
  traffic: Pick<Traffic, "percent">;
  state: CanaryState;
}): Follows | null {
  if (!stateOfRun.includes(state)) return null;
  const completed = state === "awaiting-start" ? -1 : countRounds(canary, plan);
  if (completed === null || plan.stallsAt !== undefined) return null;
  const rounds: FollowingPart[] = Array.from({ length: plan.checkRounds }, (_, index) => index)
    .filter((index) => index > completed)
    .map((index) => ({
      kind: plan.strategy === "Canary" ? "weight" : "analysis",
      text: plan.strategy === "Canary" ? `${plan.canaryWeights[index]} %` : nameRound(plan, index).text,
      step: index + 1,
    }));
  const promotion: FollowingPart = { kind: "promotion", text: "promotion of the primary", step: null };
  const end: FollowingPart = { kind: "scaleDown", text: "canary scaled to zero", step: null };
  const isOver = traffic.percent === null || traffic.percent === 0;
  const back: FollowingPart[] =
    plan.strategy === "Canary" || !isOver ? [{ kind: "switch", text: "traffic back to the primary", step: null }] : [];
  const parts = [...rounds, promotion, ...back, end];
  return { text: `Then ${shorten(parts).join(" → ")}.`, parts };
}

/** More parts are too long for a sentence: the middle rounds are counted instead. */
const shownParts = 8;

function shorten(parts: readonly FollowingPart[]): string[] {
  const texts = parts.map(({ text }) => text);
  if (texts.length <= shownParts) return texts;
  const hidden = texts.length - shownParts + 1;
  return [...texts.slice(0, shownParts - 4), `${hidden} more rounds`, ...texts.slice(shownParts - 4 + hidden)];
}

function nameRound(plan: StepPlan, index: number): Pick<RolloutStep, "kind" | "text"> {
  if (plan.strategy !== "Canary") return { kind: "analysis", text: `check ${index + 1}` };
  const weight = plan.canaryWeights[index] ?? 0;
  return weight === 0
    ? { kind: "setMirrorRoute", text: "mirrored requests" }
    : { kind: "setWeight", text: `weight ${weight} %` };
}

/** The condition's message is the same after a failed promotion, where it is false. */
export function listConditions(
  { status }: Pick<CanaryObject, "status">,
  isTargetGone: boolean | null,
): DeliveryDetail["conditions"] {
  return status.conditions.map(({ type, status: word, reason, message, lastUpdateTime, lastTransitionTime }) => ({
    type,
    status: word,
    reason,
    message:
      reason === "Failed" && isTargetGone === false
        ? `${message.replace(/, \S+ scaled to zero\.$/, ".")} The target was not scaled to zero: its pods still run.`
        : message,
    at: formatTime(lastUpdateTime ?? lastTransitionTime),
  }));
}

function formatTime(text: string | undefined): string | null {
  const date = new Date(text ?? "");
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
