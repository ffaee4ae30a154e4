import type { DeliveryDetail, FollowingPart, Follows, RolloutStep } from "#lib/domain/delivery/detail.ts";
import type { CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import type { CanaryState } from "./find-state.ts";
import type { StepPlan } from "./step-plan.ts";

/** Phases whose run has passed every round of the analysis. */
const pastAnalysis: readonly string[] = ["WaitingPromotion", "Promoting", "Finalising", "Succeeded"];

/** Counts the rounds that the run has completed; null if the status does not contain it, or without a run. */
export function countRounds({ status }: Pick<CanaryObject, "status">, plan: StepPlan): number | null {
  if (plan.checkRounds === 0) return null;
  if (pastAnalysis.includes(status.phase)) return plan.checkRounds;
  if (status.phase === "Waiting") return 0;
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
    pluginStatuses: [],
  }));
}

const statesOfRun: readonly CanaryState[] = ["analyzing", "awaiting-step", "awaiting-promotion", "awaiting-start"];

/**
 * Describes the rest of a run in which every check passes; null if no analysis is in progress or if the plan has no
 * end.
 */
export function describeCanaryFollows({
  canary,
  plan,
  state,
}: {
  canary: Pick<CanaryObject, "status">;
  plan: StepPlan;
  state: CanaryState;
}): Follows | null {
  const completed = state === "awaiting-start" ? -1 : countRounds(canary, plan);
  if (!statesOfRun.includes(state) || completed === null || plan.stallsAt !== undefined) return null;
  const rounds = Array.from({ length: plan.checkRounds }, (_, index) => nameFollowing(plan, index)).slice(
    completed + 1,
  );
  // Blue-green moves all users just before its last round.
  const switchAt =
    plan.strategy === "BlueGreen" && plan.shiftsTraffic && rounds.length > 0 ? rounds.length - 1 : rounds.length;
  const last = [
    ...(switchAt < rounds.length ? [toPart("switch", "all traffic to the canary"), ...rounds.slice(switchAt)] : []),
    toPart("promotion", "promotion of the primary"),
    ...(plan.shiftsTraffic ? [toPart("switch", "traffic back to the primary")] : []),
    toPart("scaleDown", "canary scaled to zero"),
  ];
  const first = rounds.slice(0, switchAt);
  const row = [...shorten(first.map(({ text }) => text)), ...last.map(({ text }) => text)];
  return { text: `Then ${row.join(" → ")}.`, parts: [...first, ...last] };
}

function nameFollowing(plan: StepPlan, index: number): FollowingPart {
  const weight = plan.strategy === "Canary" ? (plan.canaryWeights[index] ?? 0) : 0;
  const part = weight > 0 ? toPart("weight", `${weight} %`) : toPart("analysis", nameRound(plan, index).text);
  return { ...part, step: index + 1 };
}

function toPart(kind: FollowingPart["kind"], text: string): FollowingPart {
  return { kind, text, step: null };
}

/** More rounds are too long for a sentence: the rest is counted instead. */
const shownRounds = 5;

function shorten(rounds: readonly string[]): string[] {
  if (rounds.length <= shownRounds) return [...rounds];
  return [...rounds.slice(0, shownRounds - 1), `${rounds.length - shownRounds + 1} more rounds`];
}

function nameRound(plan: StepPlan, index: number): Pick<RolloutStep, "kind" | "text"> {
  if (plan.strategy !== "Canary") return { kind: "analysis", text: `check ${index + 1}` };
  const weight = plan.canaryWeights[index] ?? 0;
  return weight === 0
    ? { kind: "setMirrorRoute", text: "mirrored requests" }
    : { kind: "setWeight", text: `weight ${weight} %` };
}

/** The condition's message is the same after a failed promotion, when it is false. */
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
