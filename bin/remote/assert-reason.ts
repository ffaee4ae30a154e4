import type { AllowedAction } from "#lib/contract/rollout.ts";
import { explainMissingTicket } from "#lib/domain/policy/ticket.ts";
import { cleanText } from "../clean-text.ts";
import { UsageError } from "../command-line.ts";

/** Throws `UsageError` if an action needs a reason and has none, or if its reason lacks a ticket. */
export function assertReason(action: string, needs: readonly AllowedAction["needs"][], reason = ""): void {
  if (needs.some((each) => each.reason) && reason.trim() === "") throw new UsageError(`${action} needs --reason TEXT`);
  const tickets = needs.flatMap((each) => each.tickets ?? []);
  const missing = explainMissingTicket(tickets, reason);
  if (missing !== undefined) throw new UsageError(`--reason: ${cleanText(missing)}`);
}
