import type { StateKey } from "#components/ui/state-tokens.ts";
import type { RolloutGate } from "#lib/contract/hook.ts";

/** Titles of the gates, and what an approval lets happen. */
export const gateTitles: Record<RolloutGate["gate"], string> = {
  "confirm-rollout": "Start",
  "confirm-traffic-increase": "Each traffic increase",
  "confirm-promotion": "Promotion",
  rollback: "Rollback",
};

const answers: Readonly<Record<string, string>> = {
  approved: "approved",
  abort_requested: "roll back",
  no_abort_requested: "continue",
  abort_is_for_another_run: "continue: the rollback was for another release",
  not_approved: "wait: nobody has approved it",
  rejected: "wait: it is held",
  approval_expired: "wait: the approval has expired",
  step_not_approved: "wait: this step is not approved",
  revision_changed_since_approval: "wait: the version changed since it was approved",
  canary_recreated: "wait: the canary was created again since",
  rollback_requested: "wait: a rollback is requested",
  cluster_view_stale: "wait: Gatehouse's view of the cluster is too old",
  store_unavailable: "wait: Gatehouse could not read its database",
  checksum_mismatch: "wait: Flagger and Gatehouse see different versions",
  no_checksum: "wait: this version of Flagger sends no checksum",
};

/** Says what the controller was told when it asked last; at the rollback gate every refusal means that the release continues. */
export function describeAnswer({ gate, lastAnswer }: Pick<RolloutGate, "gate" | "lastAnswer">): string | undefined {
  if (lastAnswer === null) return undefined;
  const { status, reason } = lastAnswer;
  const words = answers[reason] ?? `${status === 200 ? "continue" : "wait"}: ${reason.replaceAll("_", " ")}`;
  return gate === "rollback" && status !== 200 ? words.replace(/^wait: /, "continue: ") : words;
}

export type GateLine = { state: StateKey; words: string };

/** Says how far a decision on a gate has come: requested, or served to the controller. */
export function describeDecision({ decision, lastAskedAt }: RolloutGate): GateLine | undefined {
  if (decision === null) return undefined;
  const { verdict, state, actorName, upToWeight, timesServed, decidedAt } = decision;
  const step = upToWeight === null ? "" : ` up to ${upToWeight} %`;
  if (verdict === "hold") return { state: "waiting", words: `Held by ${actorName}.` };
  const did = verdict === "approve" ? `Approved${step} by ${actorName}` : `Rollback requested by ${actorName}`;
  if (state === "requested") {
    const asked = lastAskedAt !== null && Date.parse(lastAskedAt) > Date.parse(decidedAt);
    const next = asked
      ? "The controller asked since, and was told something else."
      : "The controller has not asked since.";
    return { state: "timed", words: `${did}. ${next}` };
  }
  const times = timesServed === 1 ? "once" : `${timesServed} times`;
  return { state: "successful", words: `${did}. The controller was told so ${times}.` };
}
