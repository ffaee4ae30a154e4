import { type ActionJudgement, block, type FlaggerAction } from "./action-judgement.ts";
import type { CanaryFacts } from "./canary-facts.ts";
import type { CanaryState } from "./find-state.ts";
import { judgeRetrigger, judgeSkipAnalysis, judgeSuspend, judgeUnsuspend } from "./judge-changes.ts";
import { judgeApprove, judgeHold, judgeRollback } from "./judge-gates.ts";

/** A change that Gatehouse never makes, but that a page warns of. */
export type Hazard = { change: "delete-canary" | "edit-service-spec"; reason: string };

/** Judges each action in the current state: in doubt it is not safe. */
export function judgeActions(facts: CanaryFacts, state: CanaryState): Record<FlaggerAction, ActionJudgement> {
  const blocked = findBlockOfAll(facts, state);
  const { phase } = facts;
  return {
    approve: blocked ?? judgeApprove(facts, state),
    hold: blocked ?? judgeHold(facts, state),
    rollback: blocked ?? judgeRollback(facts, state),
    suspend:
      phase === "" && blocked === undefined && state === "initializing"
        ? block("not-started", "Flagger has not seen this canary yet. Wait for its first status.")
        : (blocked ?? judgeSuspend(facts, state)),
    unsuspend: blocked ?? judgeUnsuspend(facts),
    "skip-analysis": blocked ?? judgeSkipAnalysis(facts, state),
    retrigger: blocked ?? judgeRetrigger(facts, state),
  };
}

function findBlockOfAll(facts: CanaryFacts, state: CanaryState): ActionJudgement | undefined {
  if (state === "unknown")
    return block(
      "unknown-phase",
      `Gatehouse does not know the phase "${facts.phase}", which Flagger 1.44 does not have. Act with the tools that belong to this Flagger.`,
    );
  return state === "terminating" ? block("terminating", "The canary is being deleted.") : undefined;
}

/** States in which an edit of the service would move traffic. */
const runningPhases: readonly string[] = ["Progressing", "WaitingPromotion", "Promoting", "Finalising"];

/** Lists the changes that must not be made to the object by other means now. */
export function listHazards(facts: CanaryFacts, state: CanaryState): Hazard[] {
  if (state === "terminating") return [];
  const removes: Hazard = {
    change: "delete-canary",
    reason:
      "Do not delete the Canary: the primary and its Services would be deleted with it, while the target may have no pods.",
  };
  const mayHaveTraffic = runningPhases.includes(facts.phase) || (facts.traffic.statusPercent ?? 0) > 0;
  const resets: Hazard = {
    change: "edit-service-spec",
    reason:
      "Do not edit spec.service or analysis.match now: with some routers the route is rewritten, and all traffic moves to the primary.",
  };
  return mayHaveTraffic ? [removes, resets] : [removes];
}
