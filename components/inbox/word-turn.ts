import { explainHold } from "#components/actions/act-target.ts";
import { formatDuration } from "#lib/client/format-duration.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";

type Turn = Pick<InboxItem, "actions" | "ownAct" | "mayAcknowledge"> & {
  rollout: Pick<InboxItem["rollout"], "attention">;
};

/**
 * Describes whose turn it is: the controller's, which acts by itself at a set time; the reader's; or another person's.
 * Undefined for a failure, which waits for nothing.
 */
export function wordTurn(
  { rollout, actions, ownAct, mayAcknowledge }: Turn,
  role: string | undefined,
): string | undefined {
  if (ownAct !== null) return "acts by itself";
  const reason = rollout.attention?.reason;
  if (reason === "degraded" || reason === "finding") return undefined;
  if (role === undefined || role === "viewer") return "waiting for an operator";
  const isHeld = explainHold(actions) !== undefined;
  return !isHeld && (mayAcknowledge || actions.some(({ allowed }) => allowed))
    ? "waiting for you"
    : "waiting for a person";
}

/**
 * Describes how long until something is due: "in 40 s", and from then on "due now". `nowMs` is by the server's clock.
 */
export function wordDue(at: string, nowMs: number): string {
  const leftMs = Date.parse(at) - nowMs;
  return leftMs < 1_000 ? "due now" : `in ${formatDuration(leftMs)}`;
}
