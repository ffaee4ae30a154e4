import type { StateKey } from "#components/ui/state-tokens.ts";
import type { RolloutGate } from "#lib/contract/hook.ts";

/** Titles of the gates, each naming the operation that an approval permits. */
export const gateTitles: Record<RolloutGate["gate"], string> = {
  "confirm-rollout": "Start",
  "confirm-traffic-increase": "Each traffic increase",
  "confirm-promotion": "Promotion",
  rollback: "Rollback",
};

const answers: Readonly<Record<string, string>> = {
  approved: "Approved",
  abort_requested: "Rolling back",
  no_abort_requested: "No rollback requested",
  abort_is_for_another_run: "Not rolled back: the request was for another release",
  not_approved: "Waiting for approval",
  rejected: "Held",
  approval_expired: "Waiting: the approval has expired",
  step_not_approved: "Waiting: this step is not approved",
  revision_changed_since_approval: "Waiting: the version changed after the approval",
  canary_recreated: "Waiting: the canary was created again after the approval",
  rollback_requested: "Waiting: a rollback is requested",
  cluster_view_stale: "Waiting: Gatehouse's data is too old",
  store_unavailable: "Waiting: Gatehouse could not read its database",
  checksum_mismatch: "Waiting: Flagger and Gatehouse see different versions",
  no_checksum: "Waiting: this version of Flagger sends no checksum",
};

/** Words Gatehouse's last answer to Flagger. At the rollback gate a refusal lets the release continue. */
export function describeAnswer({ gate, lastAnswer }: Pick<RolloutGate, "gate" | "lastAnswer">): string | undefined {
  if (lastAnswer === null) return undefined;
  const { status, reason } = lastAnswer;
  const words = answers[reason] ?? `${status === 200 ? "Passed" : "Waiting"}: ${reason.replaceAll("_", " ")}`;
  return gate === "rollback" && status !== 200 ? words.replace(/^Waiting: /, "Not rolled back: ") : words;
}

export type GateLine = { state: StateKey; words: string };

/** Words how far a decision at a gate has come: requested, or served to Flagger. */
export function describeDecision({ decision, lastAskedAt }: RolloutGate): GateLine | undefined {
  if (decision === null) return undefined;
  const { verdict, state, actorName, upToWeight, timesServed, decidedAt } = decision;
  const step = upToWeight === null ? "" : ` up to ${upToWeight} %`;
  if (verdict === "hold") return { state: "waiting", words: `Held by ${actorName}.` };
  const did = verdict === "approve" ? `Approved${step} by ${actorName}` : `Rollback requested by ${actorName}`;
  if (state === "requested") {
    const asked = lastAskedAt !== null && Date.parse(lastAskedAt) > Date.parse(decidedAt);
    const next = asked
      ? "Flagger has checked since then, and got another answer."
      : "Flagger has not checked since then.";
    return { state: "timed", words: `${did}. ${next}` };
  }
  const times = timesServed === 1 ? "once" : `${timesServed} times`;
  return { state: "successful", words: `${did}. Flagger received it ${times}.` };
}
