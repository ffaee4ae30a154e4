import { type CanaryHook, type GateName, listHooks } from "#lib/domain/flagger/objects/canary-spec.ts";
import { isNotReady } from "#lib/domain/flagger/view/primary-readiness.ts";
import { type ActionJudgement, allow, block } from "./action-judgement.ts";
import { isWithoutPods } from "./assess-severity.ts";
import type { CanaryFacts } from "./canary-facts.ts";
import type { CanaryState } from "./find-state.ts";

const effects = {
  "confirm-rollout": "start the analysis",
  "confirm-traffic-increase": "raise the weight",
  "confirm-promotion": "promote the canary",
} as const;

export function judgeApprove(facts: CanaryFacts, state: CanaryState): ActionJudgement {
  const gate = findWaitingGate(facts, state);
  const blocked = findGateBlock(facts, state, gate);
  if (blocked !== undefined || gate === null) return blocked ?? blockIdleGate();
  const isStart = gate.name === "confirm-rollout";
  if (!isStart && facts.failedChecks >= facts.threshold)
    return block(
      "rolls-back-next",
      `${facts.failedChecks} of ${facts.threshold} checks failed: Flagger rolls back at its next check and does not ask this gate again.`,
    );
  if (!isStart && facts.target.kind === "failed")
    return block("canary-not-ready", "The canary's pods failed to become ready: Flagger rolls back at its next check.");
  const { percent, statusPercent } = facts.traffic;
  // Flagger computes the next step from the route, so that a step that the status names is not the one it takes.
  if (gate.name === "confirm-traffic-increase" && percent !== (statusPercent ?? 0))
    return block(
      "weight-differs",
      `Flagger reports ${statusPercent ?? 0} %, but ${percent === null ? "the weight of the route is not known" : `${percent} % of the traffic is on the canary`}: Flagger continues from there, maybe to the promotion. Roll back, or suspend and look at the route.`,
    );
  const weight = statusPercent ?? 0;
  return allow(
    `Flagger may ${effects[gate.name]} at its next check.`,
    isStart && weight > 0 && `The canary already carries ${weight} % of the traffic, and its pods run the new version.`,
    isStart && facts.skipsAnalysis && "skipAnalysis is on: the release is promoted without any check.",
    facts.primary.kind === "updating" && waitsForPrimary,
    gate.others.length > 0 && `Other hooks of this gate must agree too: ${nameHooks(gate)}.`,
  );
}

export function judgeHold(facts: CanaryFacts, state: CanaryState): ActionJudgement {
  const blocked = findGateBlock(facts, state, findWaitingGate(facts, state));
  if (blocked !== undefined) return blocked;
  return state === "awaiting-start"
    ? allow("Flagger waits without a time limit. To drop this version, revert the target.")
    : allow("Checks continue, and failed checks still roll back.");
}

/** Judges a rollback by our hook: Flagger asks it only during the analysis and the wait for the promotion. */
export function judgeRollback(facts: CanaryFacts, state: CanaryState): ActionJudgement {
  if (state === "suspended")
    return block(
      "suspended",
      "Flagger asks no hook while the canary is suspended. Unsuspend it first, then roll back.",
    );
  if (facts.phase !== "Progressing" && facts.phase !== "WaitingPromotion") return blockUnaskedRollback(facts);
  if (facts.skipsAnalysis)
    return block(
      "skips-analysis",
      "skipAnalysis is on: Flagger promotes at its next check and asks no hook. Suspend it, then turn skipAnalysis off.",
    );
  if (!listHooks(facts.canary).some(({ url, type }) => type === "rollback" && facts.isOurHook(url, type)))
    return block(
      "no-rollback-hook",
      "Gatehouse answers no rollback hook of this canary. Add one to the analysis, or revert the target's pod template.",
    );
  // Without pods it is no way back, whatever its conditions say.
  if (isBroken(facts) || isWithoutPods(facts))
    return block(
      "primary-not-ready",
      `A rollback sends all traffic to the primary, and ${facts.primary.why || "it has no pods that serve"}. Repair the primary first; suspend to gain time.`,
    );
  return allow(
    "All traffic returns to the primary at Flagger's next check, and the canary is scaled to zero.",
    facts.primary.kind === "updating" && waitsForPrimary,
    isNotReady(facts.target) &&
      "Flagger asks the hook only while the canary's pods are ready; it rolls back by itself if they fail.",
  );
}

const waitsForPrimary = "The primary is being updated or scaled: Flagger asks only once it is ready.";

/** Returns whether Flagger may stop waiting for the primary. */
export function isBroken({ primary }: CanaryFacts): boolean {
  return primary.kind === "at-risk" || primary.kind === "failed";
}

function findGateBlock(facts: CanaryFacts, state: CanaryState, gate: WaitingGate | null): ActionJudgement | undefined {
  if (state === "suspended")
    return block("suspended", "Flagger asks no gate while the canary is suspended. Unsuspend it first.");
  if (gate === null) return blockIdleGate();
  if (!gate.isOurs) return blockOtherGate(gate);
  if (facts.skipsAnalysis && gate.name !== "confirm-rollout")
    return block("skips-analysis", "skipAnalysis is on: Flagger promotes at its next check and asks no gate.");
  if (!isBroken(facts)) return undefined;
  const next =
    facts.primary.kind === "failed"
      ? "Flagger fails the canary at its next check, before it asks this gate"
      : "Flagger does not ask this gate before the primary is ready";
  return block(
    "primary-not-ready",
    `The primary is not ready (${facts.primary.why}): ${next}. Repair the primary first.`,
  );
}

function blockIdleGate(): ActionJudgement {
  return block("not-waiting", "No gate of this canary is waiting for an answer.");
}

function blockOtherGate(gate: WaitingGate): ActionJudgement {
  const reason =
    gate.others.length === 0
      ? `The canary has no ${gate.name} hook any more: Flagger continues by itself at its next check.`
      : `This gate is answered by ${nameHooks(gate)}, not by Gatehouse. Decide there.`;
  return block("not-our-gate", reason);
}

function nameHooks({ others }: WaitingGate): string {
  return others.map(({ name, host }) => (host === "" ? name : `${name} at ${host}`)).join(", ");
}

function blockUnaskedRollback({ phase }: CanaryFacts): ActionJudgement {
  switch (phase) {
    case "Waiting":
      return block(
        "not-asked",
        "Flagger does not ask for a rollback before the start. Hold the start, and revert the target.",
      );
    case "Promoting":
    case "Finalising":
      return block(
        "not-asked",
        "Flagger does not ask for a rollback any more: the primary already takes the new version. Deploy the old version after the promotion.",
      );
    case "Failed":
      return block("no-run", "There is no run to roll back: this one has failed already.");
    default:
      return block("no-run", "There is no run to roll back. To return to an older version, deploy it again.");
  }
}

/** A gate that keeps Flagger from continuing. */
export type WaitingGate = {
  name: GateName;
  /** Whether Gatehouse answers one of its hooks. */
  isOurs: boolean;
  /** The hooks of this gate that other systems answer; all must agree. `host` is empty for an unusable URL. */
  others: { name: string; host: string }[];
};

const gateOf: Partial<Record<CanaryState, GateName>> = {
  "awaiting-start": "confirm-rollout",
  "awaiting-step": "confirm-traffic-increase",
  "awaiting-promotion": "confirm-promotion",
};

/** Returns the gate that a state waits for; null if it waits for none. */
export function findWaitingGate(facts: CanaryFacts, state: CanaryState): WaitingGate | null {
  const name = gateOf[state];
  if (name === undefined) return null;
  const hooks = listHooks(facts.canary).filter(({ type }) => type === name);
  const others = hooks.filter(({ url, type }) => !facts.isOurHook(url, type));
  return { name, isOurs: others.length < hooks.length, others: others.map(describeHook) };
}

/** Never shows the URL: it may contain a secret. */
function describeHook({ name, url }: CanaryHook): { name: string; host: string } {
  return { name, host: URL.canParse(url) ? new URL(url).host : "" };
}
