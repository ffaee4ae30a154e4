import { type ActionRefusal, refuse } from "#lib/domain/acting/plan.ts";
import { planEffect } from "#lib/domain/argo/plan/action-effect.ts";
import { formatAbortEffect } from "#lib/domain/argo/plan/action-text.ts";
import type { Draft, PlanInput } from "#lib/domain/argo/plan/plan-types.ts";
import { listJudging, warnOfEnded } from "#lib/domain/argo/plan/warn-of-ended.ts";

export function planAbort({ rollout, facts }: PlanInput): Draft | ActionRefusal {
  if (facts.aborted) return refuse("already_aborted", "The rollout is already aborted.");
  if (facts.fullyPromoted)
    return refuse(
      "fully_promoted",
      "The rollout is fully promoted; the controller would drop the abort. Roll back instead.",
    );
  if (facts.promoteFull)
    return refuse("promote_full_pending", "Full promotion was requested; the controller would drop the abort.");
  return {
    patches: [{ subresource: "status", body: { status: { abort: true } } }],
    effect: formatAbortEffect({ rollout, facts }),
    warnings: warnOfEnded(listJudging(facts)),
    expectedEffect: planEffect({ rollout, kind: "aborted" }),
  };
}

export function planRetry({ rollout, facts }: PlanInput): Draft | ActionRefusal {
  if (!facts.aborted) return refuse("not_aborted", "The rollout is not aborted; there is nothing to retry.");
  if (facts.fullyPromoted) return refuse("fully_promoted", "The rollout is fully promoted; there is nothing to retry.");
  const from =
    facts.strategy === "canary" && facts.stepCount > 0 ? ` from step 1 of ${facts.stepCount}` : " from the start";
  const paused = facts.specPaused ? " It stays paused by spec.paused." : "";
  return {
    patches: [{ subresource: "status", body: { status: { abort: false } } }],
    effect: `Rolls out ${facts.newVersion} again${from} and repeats its analysis.${paused}`,
    expectedEffect: planEffect({ rollout, kind: "retried" }),
  };
}
